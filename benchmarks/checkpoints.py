"""What checkpoints of the log add to the cost of an event, on a PostgreSQL of its own.

    python -m benchmarks.checkpoints [--rate 500] [--runs 7] [--moments 4]

Rounds come as they do at that rate: a few in each block. In turns, a run is posted
with a checkpoint every five seconds' worth of events, made, signed, stored and written to a
folder as the worker does, and one without. The cost is the processor time of all processes:
poster and worker, which are one here, and PostgreSQL. Medians; exit code 1 where checkpoints add
3% or more.
"""

import argparse
import functools
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.posting import Casino, Run, timed
from demo.postgres import PrivatePostgres

LIMIT = 0.03  # of the cost of an event
BLOCKS_PER_S = 125  # so many transactions of the poster at that rate, or one for each event
EVERY_S = 5.0
KEY = "77" * 32


@dataclass(frozen=True)
class Load:
    """What a run posts: `moments` spans of five seconds, one checkpoint in each."""

    rate: int
    moments: int

    @property
    def blocks(self) -> int:
        return int(min(self.rate, BLOCKS_PER_S) * EVERY_S)

    @property
    def events(self) -> int:
        """Of a block."""
        return max(1, round(self.rate * EVERY_S / self.blocks))


def cost_us(run: Run) -> float:
    """Processor time of an event, of all processes."""
    return 1e6 * (run.python_s + run.postgres_s) / run.events


def share(without: Sequence[Run], with_them: Sequence[Run]) -> float:
    """What checkpoints add to an event, of its cost."""
    plain = statistics.median(map(cost_us, without))
    return statistics.median(map(cost_us, with_them)) / plain - 1


def misses(without: Sequence[Run], with_them: Sequence[Run]) -> list[str]:
    """The limit that was missed, in words."""
    added = share(without, with_them)
    if added < LIMIT:
        return []
    return [f"checkpoints add {added:.1%} to the cost of an event, limit {LIMIT:.0%}"]


def measure(
    postgres: PrivatePostgres, load: Load, runs: int
) -> tuple[list[Run], list[Run], list[Run]]:
    """Runs without and with checkpoints, in turns; and what a look costs when no block came."""
    from jackpot.transparency.tasks import make_checkpoints

    casino = Casino(1, load.events)  # each table has a round in each block

    def post(after: Callable[[], object]) -> None:
        for _ in range(load.moments):
            for _ in range(load.blocks):
                casino.press(load.events)
                casino.drain()
            after()

    def nothing() -> None:
        """No checkpoint."""

    without: list[Run] = []
    with_them: list[Run] = []
    idle: list[Run] = []
    post(nothing)  # plans and caches are warm
    make_checkpoints()
    for turn in range(2 * runs):
        make_checkpoints()  # of what the run before posted
        is_with = bool(turn % 2) ^ bool(turn // 2 % 2)  # without, with, with, without
        work = make_checkpoints if is_with else nothing
        events = load.moments * load.blocks * load.events
        run = timed(postgres, events, functools.partial(post, work))
        (with_them if is_with else without).append(run)
    make_checkpoints()
    for _ in range(3):
        looks = 100
        idle.append(timed(postgres, looks, functools.partial(repeat, make_checkpoints, looks)))
    return without, with_them, idle


def repeat(work: Callable[[], object], times: int) -> None:
    """The same over and over."""
    for _ in range(times):
        work()


def report(load: Load, without: list[Run], with_them: list[Run], idle: list[Run]) -> None:
    """What was measured, for people."""
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()};"
        f" {load.rate} events/s, {load.events} in a block, a checkpoint every {EVERY_S:g} s,"
        f" {len(without)} runs of {without[0].events:,} events in turns"
    )
    print(f"{'µs of processor time an event':<34}{'all':>9}{'Python':>9}{'PostgreSQL':>12}")
    for name, runs in (("without checkpoints", without), ("with checkpoints", with_them)):
        python, postgres = (
            statistics.median(1e6 * getattr(run, part) / run.events for run in runs)
            for part in ("python_s", "postgres_s")
        )
        total = statistics.median(map(cost_us, runs))
        print(f"{name:<34}{total:>9.1f}{python:>9.1f}{postgres:>12.1f}")
    added = statistics.median(map(cost_us, with_them)) - statistics.median(map(cost_us, without))
    print(f"checkpoints add {share(without, with_them):.2%}, {added:.1f} µs an event")
    print(f"a look when no block came: {statistics.median(map(cost_us, idle)) / 1000:.2f} ms")


def run(load: Load, runs: int) -> list[str]:
    """Measure on servers of its own, and report; the limits that were missed."""
    with tempfile.TemporaryDirectory(prefix="jackpot-bench-", dir="/var/tmp") as place:
        Path(place).chmod(0o755)
        with PrivatePostgres(Path(place)) as postgres:
            os.environ |= {
                "DATABASE_URL": postgres.url,
                "SECRET_KEY": "benchmark",
                "DEMO": "1",
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "CHECKPOINT_SIGNING_KEY": KEY,
                "CHECKPOINT_DIR": f"{place}/checkpoints",
            }
            import django
            from django.core.management import call_command

            django.setup()
            call_command("migrate", verbosity=0)
            without, with_them, idle = measure(postgres, load, runs)
    report(load, without, with_them, idle)
    return misses(without, with_them)


def main() -> int:
    """The exit code: 1 where the limit was missed."""
    wishes = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wishes.add_argument("--rate", type=int, default=500, help="events a second")
    wishes.add_argument("--runs", type=int, default=7, help="with and without checkpoints, each")
    wishes.add_argument("--moments", type=int, default=4, help="checkpoints of a run")
    options = wishes.parse_args()
    missed = run(Load(options.rate, options.moments), options.runs)
    for sentence in missed:
        print(f"MISSED: {sentence}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
