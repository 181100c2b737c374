"""A limit that is missed is named, and ends a benchmark with exit code 1."""

from pathlib import Path
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

ENOUGH = dict.fromkeys(reports_of_months.LEAST_ROWS, 100)


def reports(*p99s: float) -> list[dict[str, Any]]:
    names = ("recorded", "sequenced", "displayed")[: len(p99s)]
    return [
        {
            name: {"p99_ms": ms, "p50_ms": ms, "max_ms": ms}
            for name, ms in zip(names, p99s, strict=True)
        }
    ]


def test_both_receipts_and_the_display_have_their_limit() -> None:
    """Receipts beside the prototype's, and in milliseconds; the display in milliseconds."""
    bare = reports(5)
    figures = {
        "rates": {
            "500": {"console": reports(10, 40, 900), "prototype": bare},
            "2000": {"console": reports(10, 40, 300), "prototype": bare},
        }
    }
    assert latency.misses(figures) == []
    late = {
        "rates": {
            "500": {"console": reports(11, 41, 900), "prototype": bare},
            "2000": {"console": reports(21, 40, 301), "prototype": reports(10.5)},
        }
    }
    assert latency.misses(late) == [
        "the receipt *recorded* at 500 a second: p99 11.0 ms, limit 10 ms",
        "the receipt *recorded* at 500 a second: p99 2.2 times the prototype's, limit 2",
        "the receipt *sequenced* at 500 a second: p99 8.2 times the prototype's, limit 8",
        "the receipt *recorded* at 2000 a second: p99 21.0 ms, limit 20 ms",
        "the display message at 2000 a second: p99 301.0 ms, limit 300 ms",
    ]
    assert all(
        row.count("|") == 8 for row in latency.render({**late, "seconds": 1, "repeats": 1})[2:]
    )


@pytest.mark.parametrize(("ours", "missed"), [(30_000.0, 0), (29_999.0, 1), (100.0, 3)])
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
    def run(seconds: float, recorded_ms: float) -> list[dict[str, Any]]:
        return [{"seconds": seconds, "live": {"recorded": {"p99_ms": recorded_ms}}}]

    away = {
        "poster": run(60, 1_000),
        "intake": run(61, 9_000),
        catching_up.SECOND: run(60, 1_001),
    }
    assert catching_up.misses({"away": away}) == [
        "behind the intake caught up in 61 s, limit 60 s",
        "beside the second intake live p99 to recorded 1,001 ms, limit 1,000 ms",
    ]
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
        ({"rows": ENOUGH | {"payouts": 99}}, ["payouts of a month: 99 rows, 100 are wanted"]),
    ],
)
def test_reports_have_their_limits(more: dict[str, Any], missed: list[str]) -> None:
    figures = {"seconds": {"meters": 1.0}, "times": 2.0, "megabytes": 199.0, "rows": ENOUGH}
    assert reports_of_months.misses(figures | more) == missed


def test_a_part_replaces_its_section_of_the_document_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = tmp_path / "figures.md"
    first, second, *_ = [part.title for part in pipeline.PARTS.values()]
    old = (
        f"{pipeline.BEGIN}\n\n### {first}\n\nold\n\n| a |\n\n### {second}\n\nkept\n\n{pipeline.END}"
    )
    document.write_text(f"# Figures\n\n{old}\n\nThe rest.\n")
    monkeypatch.setattr(pipeline, "DOCUMENT", document)
    pipeline.write(first, ["new", "", "| b |"])
    new = old.replace("old\n\n| a |", "new\n\n| b |")
    assert document.read_text() == f"# Figures\n\n{new}\n\nThe rest.\n"
