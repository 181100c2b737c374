"""A table that moved, as a few rows of both systems: each sentence that is said, whole."""

from typing import Any

import pytest

from tests.support.proof.rows_by_hand import decision
from verifier.database.report import Report, Scope
from verifier.database.rows import System
from verifier.order import table_transfers as checked

SYSTEM = System(7, "main", 2, era=1)
MOVED = decision(9, "move_table", {}, table="t3", to_system="high", to_table="h1",
                 receipted=[[1, 5], [2, 3]])  # fmt: skip
ARRIVAL = decision(9, "receive_table", {}, table="h1", from_system="low", from_table="t3", entry=4)
LEFT = (4, "t3", "h1", "main", None, "mere", "david")  # by the order of the other system
ARRIVED = (6, "h1", "t3", "main", 9, "mere", "david")


class _Answers:
    """Both orders. It notes what it was asked."""

    def __init__(self, rows: list[Any], other: list[Any], behind: list[Any]) -> None:
        self._by_query = {checked._ROWS: rows, checked._OTHER_SIDE: other, checked._BEHIND: behind}
        self.questions: list[Any] = []
        self._rows: list[Any] = []

    def execute(self, query: str, values: Any) -> "_Answers":
        self.questions.append(values)
        self._rows = self._by_query[query]
        return self

    def fetchall(self) -> list[Any]:
        return self._rows


def verdict(
    *decisions: Any, rows: tuple[Any, ...] = (), other: tuple[Any, ...] = (),
    behind: tuple[Any, ...] = (), settled: bool = True,
) -> tuple[list[str], list[str], list[Any]]:  # fmt: skip
    """Findings, remarks, and what was asked."""
    report = Report()
    answers: Any = _Answers(list(rows), list(other), list(behind))
    checked.table_transfers(
        answers, Scope(report, "main"), SYSTEM, list(decisions), settled=settled
    )
    assert {kind for kind, _ in report.findings} <= {checked.KIND}
    findings = [each.removeprefix("system main, ") for _, each in report.findings]
    return findings, report.remarks, answers.questions


def test_a_table_that_left_has_arrived() -> None:
    findings, remarks, questions = verdict(MOVED, rows=(("t3", 9, "high/h1"),), other=(ARRIVED,))
    assert (findings, remarks) == ([], [])
    assert questions == [
        [7],
        {"system": 7, "table": "t3", "entry": 9, "boots": [1, 2], "seqs": [5, 3]},
        [7],
        {"system": "high", "type": "receive_table", "other_table": "from_table",
         "other_system": "from_system"},
    ]  # fmt: skip


def test_what_is_said_of_a_table_that_left() -> None:
    row = ("t3", 9, "high/h1")
    remark = "system main: table t3 left at entry 9; high/h1 has it not yet"
    assert verdict(MOVED)[:2] == ([], [remark])
    for wrong, there in ((("t3", 8, "high/h1"), "high/h1 at 8"), (("t3", 9, "x/h1"), "x/h1 at 9")):
        says = f"table t3: it left for high/h1 at entry 9, its row says {there}"
        assert verdict(MOVED, rows=(wrong,), settled=False)[0] == [says]
    assert verdict(rows=(row,), other=(ARRIVED,))[0] == [
        "table t3: it is said to be high/h1 since entry 9, of no order"
    ]
    behind = "entry 9: event 1/6 was receipted before, and has its place behind it"
    assert verdict(MOVED, rows=(row,), other=(ARRIVED,), behind=((1, 6),))[0] == [behind]
    nowhere = "table t3: it went to high/h1, whose order says so {} times"
    assert verdict(MOVED, rows=(row,))[0] == [nowhere.format(0)]
    assert verdict(MOVED, rows=(row,), settled=False)[0] == []
    assert verdict(MOVED, rows=(row,), other=(ARRIVED, ARRIVED))[0] == [nowhere.format(2)]
    for place, value in ((1, "h2"), (2, "t4"), (3, "x"), (4, 8)):
        wrong_one = (*ARRIVED[:place], value, *ARRIVED[place + 1 :])
        assert verdict(MOVED, rows=(row,), other=(wrong_one,))[0] == [nowhere.format(0)]


def test_a_table_that_came_had_left() -> None:
    findings, remarks, questions = verdict(ARRIVAL, other=(LEFT,))
    assert (findings, remarks) == ([], [])
    assert questions[1] == {"system": "low", "type": "move_table", "other_table": "to_table",
                        "other_system": "to_system"}  # fmt: skip
    assert verdict(ARRIVAL, other=((3, *LEFT[1:]), LEFT))[0] == []


@pytest.mark.parametrize(
    ("place", "value"), [(0, 3), (1, "t4"), (2, "h2"), (3, "x"), (5, "x"), (6, "x")]
)
def test_a_table_that_nobody_gave_away(place: int, value: Any) -> None:
    wrong = (*LEFT[:place], value, *LEFT[place + 1 :])
    never = "entry 9: table h1 came from low, which never gave it away"
    assert verdict(ARRIVAL, other=(wrong,))[0] == verdict(ARRIVAL)[0] == [never]
