"""The load as a process of its own: tells its progress and its report as lines of JSON.

    python -m benchmarks.load --mqtt mqtt://127.0.0.1:1883 --system main --tables 20 \\
        --events 10000 --window 2000

SIGTERM stops the sending; what is on its way is still waited for and reported.
"""

import argparse
import json
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.load.floor import Floor, Load
from benchmarks.load.unit import Unit
from tables.process.stopping import stop_on_signals


def wishes() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--mqtt", required=True, help="mqtt://host:port")
    options.add_argument("--system", action="append", help="code; may be repeated")
    options.add_argument("--tables", type=int, default=20, help="of each system: t1, t2, ...")
    options.add_argument("--first-table", type=int, default=1)
    options.add_argument("--boot", type=int, default=1)
    options.add_argument("--key", default="", help="hex, of all units; empty: no MAC")
    options.add_argument("--journals", type=Path, help="folder, for units that may be killed")
    options.add_argument("--events", type=int, required=True)
    options.add_argument("--window", type=int, default=2_000, help="events not yet recorded")
    options.add_argument("--wait-for", choices=["recorded", "sequenced"], default="sequenced")
    options.add_argument("--per-second", type=float, help="open loop instead")
    options.add_argument("--warm-up", type=int, default=0, help="events before those measured")
    options.add_argument("--on-word", action="store_true", help="begin at a line on stdin")
    options.add_argument("--displays", action="store_true", help="watch the displays too")
    options.add_argument("--name", default="load", help="of the connection")
    options.add_argument("--presence-every", type=float, default=10.0, metavar="SECONDS")
    return options.parse_args()


def say(**fields: object) -> None:
    print(json.dumps(fields), flush=True)


def main() -> None:
    arguments = wishes()
    where = urlsplit(arguments.mqtt)
    if arguments.journals:
        arguments.journals.mkdir(parents=True, exist_ok=True)
    units = [
        Unit(
            system,
            f"t{number}",
            boot=arguments.boot,
            key=arguments.key,
            journal=arguments.journals / f"{system}-t{number}.sqlite"
            if arguments.journals
            else None,
        )
        for number in range(arguments.first_table, arguments.first_table + arguments.tables)
        for system in arguments.system or ["main"]
    ]
    floor = Floor(
        (where.hostname or "127.0.0.1", where.port or 1883),
        units,
        name=arguments.name,
        watch_displays=arguments.displays,
        presence_every_s=arguments.presence_every,
        tell=lambda mark: say(mark=mark, at=time.time()),
    )
    stop_on_signals(floor.stop)
    floor.open_tables()
    say(mark="open", at=time.time())
    if arguments.warm_up:
        floor.run(Load(arguments.warm_up, arguments.window, arguments.per_second))
        say(mark="warm", at=time.time())
    if arguments.on_word:
        word = threading.Thread(target=sys.stdin.readline, daemon=True)
        word.start()
        while word.is_alive():
            floor.listen()
    load = Load(arguments.events, arguments.window, arguments.per_second, arguments.wait_for)
    report = floor.run(load)
    say(mark="report", **report.as_json())
    floor.close()
    sys.exit(1 if report.missing else 0)


if __name__ == "__main__":
    main()
