"""The figures of intake and posting, all of them by one command, written into the documents.

    python -m benchmarks.pipeline [--only throughput,latency] [--quick]

Parts: throughput, latency, growth, catching-up, takeover, memory. Each replaces its section of
docs/performance.md, and no other. `--quick` takes
a minute or two a part, to see that all works; its figures are printed and not written.
Exits with 1 where a limit is missed: a limit is changed only in a commit whose title says so.
"""

import argparse
import datetime as dt
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import catching_up, growth, latency, steadiness, takeover, throughput
from benchmarks.installation import PROJECT, Stage
from benchmarks.meter import machine, version
from demo.servers import postgres_binaries
from demo.servers.broker import mosquitto_program

DOCUMENT = PROJECT / "docs" / "performance.md"
BEGIN, END = "<!-- pipeline: begin -->", "<!-- pipeline: end -->"


class Part(NamedTuple):
    """A section: its title, how it is measured and how it is written."""

    title: str
    measure: Callable[[Stage, argparse.Namespace], dict[str, Any]]
    render: Callable[[dict[str, Any]], list[str]]
    misses: Callable[[dict[str, Any]], list[str]]  # limits that are missed, in words


PARTS = {
    "throughput": Part(
        "Sustained throughput",
        lambda stage, arguments: throughput.measure(stage, arguments.events, arguments.repeats),
        throughput.render,
        throughput.misses,
    ),
    "latency": Part(
        "From the press to the receipts and the display",
        lambda stage, arguments: latency.measure(stage, arguments.seconds, arguments.repeats),
        latency.render,
        latency.misses,
    ),
    "growth": Part(
        "With a long past, with few and many tables and systems",
        lambda stage, arguments: growth.measure(
            stage, arguments.rounds, arguments.growth_events, arguments.repeats
        ),
        growth.render,
        growth.misses,
    ),
    "catching-up": Part(
        "Catching up after ten minutes of outage at 500 events a second",
        lambda stage, arguments: catching_up.measure(
            stage, arguments.outage, arguments.outage_repeats
        ),
        catching_up.render,
        catching_up.misses,
    ),
    "takeover": Part(
        "When the poster that writes is killed",
        lambda stage, arguments: takeover.measure(stage, arguments.repeats),
        takeover.render,
        takeover.misses,
    ),
    "memory": Part(
        "Memory over time",
        lambda stage, arguments: steadiness.measure(stage, arguments.minutes),
        steadiness.render,
        steadiness.misses,
    ),
}
QUICK = {
    "events": 10_000,
    "repeats": 1,
    "seconds": 5,
    "rounds": 20_000,
    "growth_events": 5_000,
    "outage": 10_000,
    "outage_repeats": 1,
    "minutes": 0.5,
}


def wishes() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    options.add_argument("--quick", action="store_true")
    options.add_argument("--events", type=int, default=200_000, help="of a throughput run")
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--seconds", type=int, default=30, help="of a latency run")
    options.add_argument("--rounds", type=int, default=10_000_000, help="in the long past")
    options.add_argument("--growth-events", type=int, default=60_000)
    options.add_argument("--outage", type=int, default=catching_up.OUTAGE_EVENTS)
    options.add_argument("--outage-repeats", type=int, default=1)
    options.add_argument("--minutes", type=float, default=10.0, help="of the memory run")
    options.add_argument(
        "--directory", type=Path, help="keep the servers' files here, the loaded past included"
    )
    arguments = options.parse_args()
    arguments.only = arguments.only.split(",")
    if strange := [name for name in arguments.only if name not in PARTS]:
        options.error(f"no part '{strange[0]}': take {', '.join(PARTS)}")
    if arguments.quick:
        vars(arguments).update(QUICK)
    return arguments


def main() -> None:
    """Measure; exit 1 where a limit is missed. A quick run is too short to be judged."""
    arguments = wishes()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the stage is cleared away then too
    missed: list[str] = []
    with Stage(arguments.directory) as stage:
        for name in arguments.only:
            print(f"{PARTS[name].title} ...", flush=True)
            when = _now()
            figures = PARTS[name].measure(stage, arguments)
            lines = PARTS[name].render(figures)
            print("\n".join(lines), flush=True)
            if not arguments.quick:
                head = f"Measured on {when}, on {describe()}; the load of the units runs there too."
                write(PARTS[name].title, [head, "", *lines])
                missed += [f"{PARTS[name].title}: {each}" for each in PARTS[name].misses(figures)]
    if missed:
        sys.exit("Limits are missed.\n" + "\n".join(missed))


def describe() -> str:
    """The machine and the servers."""
    postgres = version(postgres_binaries.find(None).postgres, "--version")
    mosquitto = version(mosquitto_program() or "mosquitto", "-h")
    return f"{machine()}, PostgreSQL {postgres} with `fsync` on, Mosquitto {mosquitto}"


def _now() -> str:
    """The day, and how busy the machine was before anything was measured."""
    today = dt.datetime.now(dt.UTC).strftime("%-d %B %Y")
    busy = os.getloadavg()[0]
    return f"{today}; load average of other work before it: {busy:.1f}"


def write(title: str, lines: Sequence[str]) -> None:
    """Put this section between the markers of the document, in the place of the one before."""
    head, _, rest = DOCUMENT.read_text().partition(BEGIN)
    between, _, tail = rest.partition(END)
    sections = dict(re.findall(r"^### (.*?)\n+(.*?)\n*(?=^### |\Z)", between, re.M | re.S))
    sections[title] = "\n".join(lines)
    parts = [
        f"### {part.title}\n\n{sections[part.title]}"
        for part in PARTS.values()
        if part.title in sections
    ]
    DOCUMENT.write_text(head + "\n\n".join([BEGIN, *parts, END]) + tail)


if __name__ == "__main__":
    main()
