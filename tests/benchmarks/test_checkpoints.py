"""The benchmark of checkpoints measures checkpoints, and fails where they cost too much."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from pytest_django import Settings

from benchmarks import checkpoints
from benchmarks.posting import Run
from jackpot.models import Block, Checkpoint
from tests.support.proof.transparency import sign_checkpoints
from tests.support.suite.databases import FreshDatabase


@dataclass(frozen=True)
class Server:
    """A database server that somebody else started."""

    pid: int | None


def run(python_us: float, postgres_us: float = 0.0) -> Run:
    """Of a thousand events."""
    return Run(1000, 1.0, python_us / 1e3, postgres_us / 1e3)


def test_what_they_add_has_a_limit() -> None:
    plain = [run(100), run(110, 10), run(90)] * 3
    assert checkpoints.misses(plain, [run(102), run(112, 11), run(92)] * 3) == []
    assert checkpoints.misses(plain, [run(104), run(115, 10), run(93)] * 3) == [
        "checkpoints add 4.0% to the cost of an event, limit 3%"
    ]


def test_a_limit_that_the_pairs_do_not_settle_is_missed() -> None:
    added = [0.01, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.04]
    share = checkpoints.share([run(100)] * 9, [run(100 * (1 + more)) for more in added])
    assert share.is_settled  # one in nine may be above it: the chance of a coin is 1 in 51
    added[5] = 0.04
    plain, more = [run(100)] * 9, [run(100 * (1 + more)) for more in added]
    assert not checkpoints.share(plain, more).is_settled
    assert checkpoints.misses(plain, more) == [
        "checkpoints add 2.0% to the cost of an event, limit 3%: not shown,"
        " with 95% it is 2.0% to 4.0%"
    ]


@pytest.mark.parametrize(
    ("rate", "blocks", "events"), [(500, 625, 4), (20_000, 625, 160), (2, 10, 1)]
)
def test_blocks_are_those_of_the_rate(rate: int, blocks: int, events: int) -> None:
    load = checkpoints.Load(rate)
    assert (load.blocks, load.events) == (blocks, events)


def test_a_little_of_it_measures_with_and_without(
    fresh_database: FreshDatabase,
    settings: Settings,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sign_checkpoints(settings)
    settings.CHECKPOINT_DIR = str(tmp_path)
    load = checkpoints.Load(rate=2)
    measured = checkpoints.measure(Server(None), load, runs=2, most=6)
    pairs = len(measured.without)
    assert pairs in (2, 4, 6)  # as soon as it is settled
    assert [run.events for run in measured.without] == [10] * pairs
    assert len(measured.with_them) == len(measured.own) == pairs
    assert all(run.python_s > 0 for run in measured.own)
    assert Checkpoint.objects.latest("size").size == Block.objects.count() > 50
    checkpoints.report(load, measured)
    assert f"the median of {pairs} pairs" in capsys.readouterr().out
