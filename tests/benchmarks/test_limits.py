"""A limit that is missed is named, and ends a benchmark with exit code 1."""

from typing import Any

import pytest

import benchmarks.reports as reports_of_months
from benchmarks import (
    catching_up,
    growth,
    latency,
    pipeline,
    proof,
    steadiness,
    takeover,
    throughput,
)


def reports(recorded: float, sequenced: float, displayed: float) -> list[dict[str, Any]]:
    figures = {"recorded": recorded, "sequenced": sequenced, "displayed": displayed}
    return [{name: {"p99_ms": ms, "p50_ms": ms, "max_ms": ms} for name, ms in figures.items()}]


def test_both_receipts_and_the_display_have_their_limit() -> None:
    figures = {"rates": {"500": reports(10, 10, 900), "2000": reports(20, 20, 300)}}
    assert latency.misses(figures) == []
    late = {"rates": {"500": reports(11, 49, 900), "2000": reports(20, 70, 301)}}
    assert latency.misses(late) == [
        "the receipt *recorded* at 500 a second: p99 11.0 ms, limit 10 ms",
        "the receipt *sequenced* at 500 a second: p99 49.0 ms, limit 10 ms",
        "the receipt *sequenced* at 2000 a second: p99 70.0 ms, limit 20 ms",
        "the display message at 2000 a second: p99 301.0 ms, limit 300 ms",
    ]


@pytest.mark.parametrize(("ours", "missed"), [(20_000.0, 0), (19_999.0, 1), (100.0, 3)])
def test_the_console_is_held_against_each_peer(ours: float, missed: int) -> None:
    rates = {"prototype": 40_000.0, "plain ORM": 400.0, "django-hordak": 700.0}
    runs = {name: [{"report": {"per_second_recorded": rate}}] for name, rate in rates.items()} | {
        "console": [{"report": {"per_second_sequenced": ours}}]
    }
    assert len(throughput.misses({"runs": runs})) == missed


def test_other_circumstances_cost_little_more() -> None:
    rates = {growth.USUAL: [100.0], "many tables": [86.0], "a long past": [84.0]}
    assert growth.misses({"rates": rates}) == ["a long past: 84% of the usual, wanted 85%"]


def test_outages_and_takeovers_end_in_time() -> None:
    away = {"poster": [{"seconds": 60.0}], "intake": [{"seconds": 61.0}]}
    assert catching_up.misses({"away": away}) == ["behind the intake caught up in 61 s, limit 60 s"]
    rates = {"500": [4.9, 5.0, 9.0], "2000": [5.1]}
    assert takeover.misses({"rates": rates}) == [
        "nobody posted for 5.1 s at 2000 a second, limit 5 s"
    ]


def test_memory_that_grows_is_named() -> None:
    flat = [(minute, 50.0) for minute in range(10)]
    growing = [(minute, 50.0 + minute) for minute in range(10)]
    samples = {"samples": {"intake": flat, "worker": growing}}
    assert steadiness.misses(samples) == ["worker grows by 1.00 MiB a minute, limit 0.1"]


def test_every_part_of_the_pipeline_is_judged() -> None:
    assert {part.misses.__module__ for part in pipeline.PARTS.values()} == {
        part.render.__module__ for part in pipeline.PARTS.values()
    }


@pytest.mark.parametrize(
    ("cpu_s", "clock_s", "missed"),
    [(16.6, 60.0, []), (16.7, 60.0, ["the verifier"]), (1.0, 60.1, ["a whole reconciliation"])],
)
def test_verifier_and_reconciliation_have_their_limit(
    cpu_s: float, clock_s: float, missed: list[str]
) -> None:
    """60,000 entries a second of processor time; five million rounds in five minutes."""
    runs = {
        proof.ONE_CORE: proof.Run(1_000_000, cpu_s, 0.0, 900.0, 0.0),
        proof.TWO_CORES: proof.Run(1_000_000, 900.0, 0.0, 900.0, 0.0),
        proof.RECONCILIATION: proof.Run(1_000_000, 900.0, 0.0, clock_s, 0.0),
    }
    sentences = proof.misses(runs)
    assert [sentence.partition(":")[0].partition(" of ")[0] for sentence in sentences] == missed


@pytest.mark.parametrize(
    ("more", "missed"),
    [
        ({}, []),
        ({"seconds": {"meters": 1.01}}, ["meters of a month: 1.01 s, limit 1.0"]),
        ({"times": 2.01}, ["CSV takes 2.01 times a plain COPY, limit 2.0"]),
        ({"megabytes": 200.0}, ["an export takes 200 MB, limit 200"]),
    ],
)
def test_reports_have_their_limits(more: dict[str, Any], missed: list[str]) -> None:
    figures = {"seconds": {"meters": 1.0}, "times": 2.0, "megabytes": 199.0}
    assert reports_of_months.misses(figures | more) == missed
