"""What checkpoints of the log add to the cost of an event, on a PostgreSQL of its own.

    python -m benchmarks.checkpoints [--rate 500] [--runs 12] [--most 80]

Rounds come as they do at that rate, a few in each block. In turns, five seconds' worth of events
are posted with a checkpoint behind them, made, signed, stored and written to a folder as the worker
does, and without one. The cost is the processor time of all processes: poster and worker, which are
one here, and PostgreSQL. Each run is held against its neighbour. One run varies by more than the
limit, so pairs are added until the 95% interval of their median lies on one side of it. The exit
code is 1 unless that is the side below 3%.
"""

import argparse
import functools
import math
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.posting import Casino, Run, Server, timed
from demo.servers.postgres import PrivatePostgres

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


@dataclass(frozen=True)
class Share:
    """What checkpoints add to an event, of its cost: the median of the pairs, and between what
    bounds the median of all such pairs lies with 95%."""

    median: float
    low: float
    high: float

    @property
    def is_settled(self) -> bool:
        """More pairs would not change on which side of the limit it is."""
        return self.high < LIMIT or self.low >= LIMIT


def share(without: Sequence[Run], with_them: Sequence[Run]) -> Share:
    """Of these pairs. The bounds assume nothing about how runs vary: each pair is above the true
    median or not, as a coin falls."""
    pairs = zip(without, with_them, strict=True)
    added = sorted(cost_us(more) / cost_us(plain) - 1 for plain, more in pairs)
    outside = _outside(len(added))
    return Share(statistics.median(added), added[outside], added[-1 - outside])


def _outside(pairs: int) -> int:
    """How many pairs lie outside of the interval on each side: as many as fewer heads have at the
    most one chance in forty. With five pairs or fewer none is left out, and they say less."""
    chance = 0.0
    for heads in range(pairs):
        chance += math.comb(pairs, heads) / 2**pairs
        if chance > 1 / 40:
            return max(0, heads - 1)
    return 0


def misses(without: Sequence[Run], with_them: Sequence[Run]) -> list[str]:
    """The limit that was missed, or not shown to hold, in words."""
    added = share(without, with_them)
    if added.high < LIMIT:
        return []
    what = f"checkpoints add {added.median:.1%} to the cost of an event, limit {LIMIT:.0%}"
    if added.low >= LIMIT:
        return [what]
    return [f"{what}: not shown, with 95% it is {added.low:.1%} to {added.high:.1%}"]


@dataclass(frozen=True)
class Measured:
    """Runs without and with checkpoints; of the latter what the checkpoints themselves took; and
    looks when no block came."""

    without: list[Run]
    with_them: list[Run]
    own: list[Run]
    idle: list[Run]

    @property
    def pairs(self) -> tuple[list[Run], list[Run]]:
        """Runs to hold against each other."""
        return self.without, self.with_them


def both(one: Run, other: Run) -> Run:
    """A run in two parts."""
    return Run(
        one.events,
        one.wall_s + other.wall_s,
        one.python_s + other.python_s,
        one.postgres_s + other.postgres_s,
    )


def measure(postgres: Server, load: Load, runs: int, most: int) -> Measured:
    """So many pairs, and on to the most until the limit is settled. In turns: without, with, with,
    without, so that what grows counts for both alike."""
    from jackpot.transparency.tasks import make_checkpoints

    casino = Casino(1, load.events)  # each table has a round in each block
    measured = Measured([], [], [], [])

    def post() -> None:
        for _ in range(load.blocks):
            casino.press(load.events)
            casino.drain()

    post()  # plans and caches are warm
    make_checkpoints()
    for turn in range(2 * most):
        if turn >= 2 * runs and turn % 4 == 0 and share(*measured.pairs).is_settled:
            break
        posting = timed(postgres, load.blocks * load.events, post)
        own = timed(postgres, load.blocks * load.events, make_checkpoints)
        if turn % 4 in (0, 3):
            measured.without.append(posting)  # what it left is made up for, and does not count
        else:
            measured.own.append(own)
            measured.with_them.append(both(posting, own))
        if turn % 20 == 19:
            tell_progress(turn + 1, 2 * most, measured)
    looks = 100
    for _ in range(3):
        look = functools.partial(repeat, make_checkpoints, looks)
        measured.idle.append(timed(postgres, looks, look))
    return measured


def tell_progress(runs: int, most: int, measured: Measured) -> None:
    """How far it is, for whoever waits: the whole takes up to half an hour."""
    so_far = share(*measured.pairs)
    print(
        f"{runs} of at most {most} runs; so far {so_far.median:.2%},"
        f" with 95% {so_far.low:.2%} to {so_far.high:.2%}",
        file=sys.stderr,
        flush=True,
    )


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
    added = share(without, with_them)
    print(
        f"checkpoints add {added.median:.2%}, the median of {len(without)} pairs;"
        f" with 95% it is {added.low:.2%} to {added.high:.2%}"
    )
    each_ms = own * without[0].events / 1e3
    print(f"by themselves they take {own:.1f} µs an event, {each_ms:.0f} ms a checkpoint")
    idle = statistics.median(map(cost_us, measured.idle))
    print(f"a look when no block came: {idle / 1e3:.2f} ms")


def run(load: Load, runs: int, most: int) -> list[str]:
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
            measured = measure(postgres, load, runs, most)
    report(load, measured)
    return misses(*measured.pairs)


def main() -> int:
    """The exit code: 1 where the limit was missed."""
    wishes = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wishes.add_argument("--rate", type=int, default=500, help="events a second")
    wishes.add_argument("--runs", type=int, default=12, help="pairs at the least, an even number")
    wishes.add_argument("--most", type=int, default=80, help="pairs at the most")
    options = wishes.parse_args()
    missed = run(Load(options.rate), options.runs, max(options.runs, options.most))
    for sentence in missed:
        print(f"MISSED: {sentence}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
