"""The benchmark of years tells what vacuums wrote, and fails where a past costs too much."""

from dataclasses import replace

import psycopg

from benchmarks.years import EMPTY, GROWING, PAST, Result, Vacuum, misses, render, sizes, vacuum
from tests.support.suite.databases import FreshDatabase

SPREAD = {"p50_ms": 10.0, "p99_ms": 20.0, "max_ms": 30.0}
GOOD = Result(
    rounds=2_000_000,
    slice_rounds=100_000,
    sizes={"jackpot_entry": (167.0, 54.0)},
    whole=Vacuum(8.0, 2_000.0),
    slices=[Vacuum(0.2, 10.0), Vacuum(0.3, 20.0), Vacuum(0.4, 30.0)],
    left=Vacuum(0.4, 0.0),
    cpu_us={EMPTY: [100.0, 90.0, 110.0], PAST: [113.0, 114.0, 200.0]},
    rates={EMPTY: [1_000.0], PAST: [900.0]},
    receipts={"quiet": SPREAD, "beside a freeze": SPREAD},
)


def test_a_past_and_what_slices_leave_have_limits() -> None:
    assert misses(GOOD) == []
    bad = replace(GOOD, left=Vacuum(0.5, 0.0), cpu_us={EMPTY: [100.0], PAST: [116.0]})
    assert misses(bad) == [
        "an event takes 116% of the processor, wanted 115%",
        "behind slices 6.2% of a freeze is left, wanted 5%",
    ]


def test_a_slice_is_the_median_and_said_for_a_million_rounds() -> None:
    text = render(GOOD)
    assert "| all of it, in one piece | 8.00 | 2,000 | 4.0 s |" in text
    assert "| a slice of 100,000 rounds | 0.30 | 20 | 3.0 s |" in text
    assert "| 2,000,000 rounds | 900 | 114 µs | 114% |" in text


def test_a_freeze_leaves_nothing_to_freeze(fresh_database: FreshDatabase) -> None:
    url = fresh_database.url
    assert vacuum(url, "VACUUM (FREEZE) {}").wal_mb >= 0
    with psycopg.connect(url) as rows:
        ages = rows.execute(
            "SELECT max(age(relfrozenxid)) FROM pg_class WHERE relname = ANY(%s)", [list(GROWING)]
        ).fetchone()
    assert ages is not None
    assert ages[0] < 100
    assert sizes(url, rounds=1).keys() == set(GROWING)
