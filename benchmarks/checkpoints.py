"""What checkpoints of the log add to the cost of an event, on a PostgreSQL of its own.

    python -m benchmarks.checkpoints [--rate 500] [--runs 12]

Rounds come as they do at that rate, a few in each block. In turns, five seconds' worth of events
are posted with a checkpoint behind them, made, signed, stored and written to a folder as the worker
does, and without one. The cost is the processor time of all processes: poster and worker, which are
one here, and PostgreSQL. Each run is held against its neighbour; exit code 1 where the median of
the pairs says that checkpoints add 3% or more.
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

from benchmarks.posting import Casino, Run, Server, timed
from demo.postgres import PrivatePostgres

LIMIT = 0.03  # of the cost of an event
BLOCKS_PER_S = 125  # so many transactions of the poster at that rate, or one for each event
EVERY_S = 5.0
KEY = "77" * 32


@dataclass(frozen=True)
class Load:
    """What a run posts: five seconds of that rate, and then one checkpoint."""

    rate: int

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
    pairs = zip(without, with_them, strict=True)
    return statistics.median(cost_us(more) / cost_us(plain) for plain, more in pairs) - 1


def misses(without: Sequence[Run], with_them: Sequence[Run]) -> list[str]:
    """The limit that was missed, in words."""
    added = share(without, with_them)
    if added < LIMIT:
        return []
    return [f"checkpoints add {added:.1%} to the cost of an event, limit {LIMIT:.0%}"]


@dataclass(frozen=True)
class Measured:
    """Runs without and with checkpoints; of the latter what the checkpoints themselves took; and
    looks when no block came."""

    without: list[Run]
    with_them: list[Run]
    own: list[Run]
    idle: list[Run]


def both(one: Run, other: Run) -> Run:
    """A run in two parts."""
    return Run(
        one.events,
        one.wall_s + other.wall_s,
        one.python_s + other.python_s,
        one.postgres_s + other.postgres_s,
    )


def measure(postgres: Server, load: Load, runs: int) -> Measured:
    """In turns: without, with, with, without, so that what grows counts for both alike."""
    from jackpot.transparency.tasks import make_checkpoints

    casino = Casino(1, load.events)  # each table has a round in each block
    measured = Measured([], [], [], [])

    def post() -> None:
        for _ in range(load.blocks):
            casino.press(load.events)
            casino.drain()

    post()  # plans and caches are warm
    make_checkpoints()
    for turn in range(2 * runs):
        posting = timed(postgres, load.blocks * load.events, post)
        own = timed(postgres, load.blocks * load.events, make_checkpoints)
        if turn % 4 in (0, 3):
            measured.without.append(posting)  # what it left is made up for, and does not count
        else:
            measured.own.append(own)
            measured.with_them.append(both(posting, own))
    looks = 100
    for _ in range(3):
        look = functools.partial(repeat, make_checkpoints, looks)
        measured.idle.append(timed(postgres, looks, look))
    return measured


def repeat(work: Callable[[], object], times: int) -> None:
    """The same over and over."""
    for _ in range(times):
        work()


def report(load: Load, measured: Measured) -> None:
    """What was measured, for people."""
    without, with_them = measured.without, measured.with_them
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
    own = statistics.median(map(cost_us, measured.own))
    print(f"checkpoints add {share(without, with_them):.2%}, the median of {len(without)} pairs")
    each_ms = own * without[0].events / 1e3
    print(f"by themselves they take {own:.1f} µs an event, {each_ms:.0f} ms a checkpoint")
    idle = statistics.median(map(cost_us, measured.idle))
    print(f"a look when no block came: {idle / 1e3:.2f} ms")


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
            measured = measure(postgres, load, runs)
    report(load, measured)
    return misses(measured.without, measured.with_them)


def main() -> int:
    """The exit code: 1 where the limit was missed."""
    wishes = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wishes.add_argument("--rate", type=int, default=500, help="events a second")
    wishes.add_argument("--runs", type=int, default=12, help="with and without checkpoints, each")
    options = wishes.parse_args()
    missed = run(Load(options.rate), options.runs)
    for sentence in missed:
        print(f"MISSED: {sentence}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
