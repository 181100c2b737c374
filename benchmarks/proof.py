"""How fast the verifier and a whole reconciliation go through an order.

python -m benchmarks.proof [--rounds N] [--directory DIR] [--only verifier]

Rounds that feed three tiers. The verifier is held to one processor, then given two; what counts is
the processor time of its own processes, PostgreSQL works beside them. The time of a reconciliation
is that of the clock; from fewer rounds than the limit speaks of it is extrapolated, and says so.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.growth import load_history
from benchmarks.installation import PROJECT, Stage

REPEATS = 3
ONE_CORE, TWO_CORES = "the verifier on one core", "the verifier on two cores"
RECONCILIATION = "a whole reconciliation"
ENTRIES_A_SECOND = 60_000  # of the verifier's processor time, on one core
ROUNDS, MINUTES = 5_000_000, 5  # of a whole reconciliation


@dataclass(frozen=True)
class Run:
    """What a program took to go through an order: its processes, PostgreSQL, the clock."""

    entries: int
    cpu_s: float
    postgres_s: float
    clock_s: float
    megabytes: float  # of its largest process


def run(stage: Stage, database: str, argv: list[str], processors: Iterable[int]) -> Run:
    """Run a program of ours that says in JSON how many entries it saw, on these processors."""
    environment = stage.environment(stage.url_of(database))
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DEMO": "1", "LOG_LEVEL": "ERROR"}
    own = os.sched_getaffinity(0)
    meter = stage.meter({})
    meter.start()
    start_s = time.monotonic()
    os.sched_setaffinity(0, processors)  # a child begins with its parent's
    process = subprocess.Popen(
        [sys.executable, "-m", *argv],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    os.sched_setaffinity(0, own)
    assert process.stdout is not None
    answer = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)  # with its own children
    process.returncode = os.waitstatus_to_exitcode(status)
    clock_s = time.monotonic() - start_s
    if process.returncode:
        raise SystemExit(f"{' '.join(argv)} ended with {process.returncode}: {answer[:1000]!r}")
    return Run(
        json.loads(answer)["counts"]["entries"],
        usage.ru_utime + usage.ru_stime,
        sum(meter.stop().values()),
        clock_s,
        usage.ru_maxrss / 1024,
    )


def medians(runs: list[Run]) -> Run:
    """Of several runs the middle of each figure."""
    figures = (
        statistics.median(getattr(each, name) for each in runs)
        for name in ("cpu_s", "postgres_s", "clock_s", "megabytes")
    )
    return Run(runs[0].entries, *figures)


def verifier(stage: Stage, database: str) -> dict[str, Run]:
    """The verifier on one core and on two, in turns."""
    cores = sorted(os.sched_getaffinity(0))
    argv = ["verifier", "--json"]
    runs: dict[str, list[Run]] = {ONE_CORE: [], TWO_CORES: []}
    for _ in range(REPEATS):
        for count, some in enumerate(runs.values(), start=1):
            some.append(run(stage, database, argv, cores[:count]))
    return {name: medians(some) for name, some in runs.items()}


def reconciliation(stage: Stage, database: str) -> dict[str, Run]:
    """A whole one, once."""
    argv = ["benchmarks.proof", "--within"]
    return {RECONCILIATION: run(stage, database, argv, os.sched_getaffinity(0))}


def within() -> None:
    """In the environment of the console."""
    import django

    django.setup()
    from settlement.audit.reconciliation import reconcile
    from tables.models import JackpotSystem

    report = reconcile(JackpotSystem.objects.get(code="main"))
    if report.differences:
        raise SystemExit(f"{report.differences[:3]}")
    print(json.dumps({"counts": {"entries": report.entries}}))


def render(runs: dict[str, Run]) -> str:
    """As a table."""
    lines = [
        "| what | entries | entries a second of processor time | seconds | entries a second"
        " | processor an entry: its own, PostgreSQL's | memory |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, each in runs.items():
        own, postgres = (1e6 * s / each.entries for s in (each.cpu_s, each.postgres_s))
        lines.append(
            f"| {name} | {each.entries:,} | {each.entries / each.cpu_s:,.0f} | {each.clock_s:.1f}"
            f" | {each.entries / each.clock_s:,.0f} | {own:.1f} µs, {postgres:.1f} µs"
            f" | {each.megabytes:.0f} MB |"
        )
    return "\n".join(lines)


def verdicts(runs: dict[str, Run]) -> list[tuple[bool, str]]:
    """Whether each limit is kept, and the figure beside it in words."""
    sentences = []
    if one := runs.get(ONE_CORE):
        rate = one.entries / one.cpu_s
        words = f"the verifier: {rate:,.0f} entries a second of processor time on one core"
        limit = f"limit {ENTRIES_A_SECOND:,}, {rate / ENTRIES_A_SECOND:.0%} of it"
        sentences.append((rate >= ENTRIES_A_SECOND, f"{words} ({limit})"))
    if whole := runs.get(RECONCILIATION):
        minutes = whole.clock_s * ROUNDS / whole.entries / 60
        how = "" if whole.entries >= ROUNDS else f", extrapolated from {whole.entries:,}"
        words = f"a whole reconciliation of {ROUNDS:,} rounds: {minutes:.1f} minutes{how}"
        limit = f"limit {MINUTES}, {minutes / MINUTES:.0%} of it"
        sentences.append((minutes <= MINUTES, f"{words} ({limit})"))
    return sentences


def misses(runs: dict[str, Run]) -> list[str]:
    """Which limits are missed, in words."""
    return [sentence for is_kept, sentence in verdicts(runs) if not is_kept]


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=1_000_000)
    options.add_argument("--directory", type=Path, help="keep the servers' files here")
    options.add_argument("--only", choices=["verifier", "reconciliation"])
    options.add_argument("--within", action="store_true", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.within:
        within()
        return
    runs: dict[str, Run] = {}
    with Stage(arguments.directory) as stage:
        database = load_history(stage, arguments.rounds)
        if arguments.only != "reconciliation":
            runs |= verifier(stage, database)
        if arguments.only != "verifier":
            runs |= reconciliation(stage, database)
    print(render(runs))
    for _, sentence in verdicts(runs):
        print(sentence)
    if missed := misses(runs):
        sys.exit("Missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
