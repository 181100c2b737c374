"""The benchmark of a group's floor measures what it says, and fails where a limit is missed."""

from dataclasses import replace

import pytest

from benchmarks.installation import Stage
from benchmarks.scale import (
    GROUP,
    HOUSE,
    ONE_OF_EACH,
    Floor,
    Run,
    Size,
    Step,
    is_shared,
    measure,
    misses,
    name_of,
    render,
)
from demo.servers.broker import mosquitto_program


def step(per_second: float, p99_ms: float, missing: int = 0) -> Step:
    spread = {"p50_ms": 10.0, "p99_ms": p99_ms}
    report = {"recorded": spread, "sequenced": spread, "displayed": None, "missing": missing}
    return Step(per_second, report | {"per_second_recorded": per_second}, {"poster-a": 0.5})


def run(*p99s: float, fastest: float = 3_000.0) -> Run:
    """In play, then at each rate of a list, a receipt after so many milliseconds."""
    in_play, *others = p99s
    steps = [step(rate, p99) for rate, p99 in zip((50, 100, 200, 500), others, strict=False)]
    shares = {"poster-a": 25, "poster-b": 25}
    return Run(step(GROUP.rounds_a_second, in_play), steps, step(fastest, 900), shares, {})


def test_the_highest_rate_that_kept_the_limit_is_sustained() -> None:
    assert run(50, 60, 90, 200, 301).sustained == 200
    assert run(50, 400).sustained == GROUP.rounds_a_second
    assert run(400, 400).sustained == 0
    assert not replace(step(50, 10), report=step(50, 10, missing=1).report).is_kept


def test_each_limit_is_named() -> None:
    good = run(50, 60, 90, 200, 301)
    assert misses({GROUP: [good], ONE_OF_EACH: [good], HOUSE: [good]}) == []
    bad = replace(run(301, 60, 90, 301, fastest=1_499), shares={"poster-a": 30, "poster-b": 20})
    assert misses({GROUP: [bad], ONE_OF_EACH: [good], HOUSE: [good]}) == [
        "in play: p99 to the receipt 301 ms, limit 300 ms",
        "9.0 times what the tables make, wanted 10",
        "0.50 of one intake and one poster, wanted 0.5",
        "the posters have {'poster-a': 30, 'poster-b': 20} of 50 systems",
    ]


def test_posters_share_evenly() -> None:
    assert is_shared({"poster-a": 25, "poster-b": 25}, GROUP)
    assert not is_shared({"poster-a": 25}, GROUP)
    assert not is_shared({"poster-a": 50}, GROUP)
    assert is_shared({"poster-a": 1}, HOUSE)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.skipif(mosquitto_program() is None, reason="MOSQUITTO NOT TESTED: not installed")
def test_a_little_of_it_is_measured() -> None:
    floor = Floor(4, 3, 2)
    with Stage() as stage:
        stage.create_seed_data(name_of(floor), floor.systems, floor.tables)
        one = measure(stage, floor, Size(seconds=10, step_s=1, events=500, steps=(20,)))
    assert one.shares == {"poster-a": 2, "poster-b": 2}
    assert one.in_play.report["missing"] == one.fastest.report["missing"] == 0
    assert one.steps[0].report["events"] == 20
    assert {"intake-a", "intake-b", "poster-a", "poster-b", "Mosquitto"} <= set(one.mib)
    text = render({GROUP: [one], ONE_OF_EACH: [one], HOUSE: [one]}, Size(10, 1, 500))
    assert "| 2, 2 |" in text
    assert "| PostgreSQL for intake-b |" in text
