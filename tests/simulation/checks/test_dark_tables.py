"""The plain reading of tables that are out of play, on rows made by hand."""

from typing import Any

from simulation.checks.dark_tables import Row, Tables


def read(*rows: Row) -> list[str]:
    tables = Tables()
    tables.read(rows)
    return tables.findings


def entry(seq: int, type_: str, number: int | None = None, added: int = 0, *flags: str) -> Row:
    outcome: dict[str, Any] = {"flags": list(flags)} if flags else {}
    return ("north", seq, type_, "n1", number, outcome, None, added)


RESUMED: Row = ("north", 9, "resume", None, None, {}, {"table": "n1"}, 0)


def test_a_round_that_begins_out_of_play_adds_nothing() -> None:
    assert read(entry(1, "display_dark"), entry(2, "round_started", 1)) == []
    assert len(read(entry(1, "display_dark"), entry(2, "round_started", 1, 1))) == 1
    late = entry(3, "round_completed", 1, 1)
    assert len(read(entry(1, "display_dark"), entry(2, "round_started", 1), RESUMED, late)) == 1


def test_one_in_play_adds_and_finishes_as_it_began() -> None:
    started, end = entry(1, "round_started", 1, 1), entry(3, "round_completed", 1, 1)
    assert read(started, entry(2, "display_dark"), end) == []
    assert len(read(entry(1, "round_started", 1))) == 1
    assert read(entry(1, "display_dark", None, 0, "moot"), entry(2, "round_started", 1, 1)) == []
