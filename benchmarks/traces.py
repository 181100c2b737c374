"""What traces cost: processor time an event in intake and poster, off and by the share.

    python -m benchmarks.traces [--events 100000] [--repeats 3] [--before TREE]

The runs take turns; each has a database and a broker of its own, and the collector throws away what
it takes. `--before`: a tree of the version before, which knows no traces, to compare it with.
"""

import argparse
import os
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import Process, Queue
from pathlib import Path
from typing import Any

from benchmarks import installation, throughput
from benchmarks.installation import PROJECT, Stage

PARTS = ("intake", "poster", "PostgreSQL for intake", "PostgreSQL for poster")


class Taker(BaseHTTPRequestHandler):
    """A collector without a memory."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_words: Any) -> None:
        """Nothing."""


def _collect(port: "Queue[int]") -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Taker)
    port.put(server.server_port)
    server.serve_forever()


@contextmanager
def collector() -> Iterator[str]:
    """The address of a collector, in a process of its own."""
    port: Queue[int] = Queue()
    process = Process(target=_collect, args=(port,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{port.get()}/v1/traces"
    finally:
        process.kill()
        process.join()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--events", type=int, default=100_000)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--before", type=Path, help="a tree of the version before")
    wishes = options.parse_args()
    with Stage() as stage, collector() as url:
        stage.create_seed_data(throughput.DATABASE, 1, throughput.TABLES)
        kinds: dict[str, dict[str, str]] = {
            "off": {"TRACES_URL": ""},
            "1 %": {"TRACES_URL": url, "TRACES_SHARE": "0.01"},
            "all": {"TRACES_URL": url, "TRACES_SHARE": "1"},
        }
        if wishes.before:
            kinds = {"before": {}, **kinds}
        runs: dict[str, list[dict[str, Any]]] = {kind: [] for kind in kinds}
        for _ in range(wishes.repeats):
            for kind, environment in kinds.items():
                os.environ.update(environment)
                installation.PROJECT = wishes.before if kind == "before" else PROJECT
                runs[kind].append(throughput.console_run(stage, wishes.events))
                print(kind, runs[kind][-1]["cpu_us"], flush=True)
    print("| traces | events a second | " + " | ".join(PARTS) + " | together |")
    print("|---|---|" + "---|" * (len(PARTS) + 1))
    for kind in kinds:
        cells = [statistics.median(run["cpu_us"][part] for run in runs[kind]) for part in PARTS]
        rate = throughput.median_of(runs[kind], "per_second_sequenced")
        words = " | ".join(f"{cell:.1f}" for cell in [*cells, sum(cells)])
        print(f"| {kind} | {rate:,.0f} | {words} |")


if __name__ == "__main__":
    main()
