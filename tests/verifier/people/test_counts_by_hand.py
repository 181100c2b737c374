"""Counts of drop and bank as a few rows: each sentence that is said of them, whole."""

import datetime as dt
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.support.proof.rows_by_hand import decision, rows
from verifier.database.report import Report, Scope
from verifier.database.rows import System
from verifier.fold.folding import Fold
from verifier.people import counts as checked

DAY = dt.date(2026, 11, 21)
SYSTEM = System(7, "main", 2, era=1)
ENDS = {
    DAY: SimpleNamespace(transfer=9, balances={"royal:pool": 70, "payable": 5, "drop": -75,
                                               "withheld_tax": 2, "remitted_tax": 3}),
    DAY - dt.timedelta(days=1): SimpleNamespace(transfer=4, balances={}),
}  # fmt: skip


def row(**changes: Any) -> tuple[Any, ...]:
    """A count of the drop of t3, as command 1 took it into the order."""
    fields: dict[str, Any] = {
        "id": 5, "command": 1, "kind": "count_drop", "table": "t3", "day": str(DAY),
        "amount": 60, "expected": 50, "file": "", "corrects": None, "note": "", "person": "mere",
        "corrects_its_own": None, "has_finding": False, "limit": 10,
    } | changes  # fmt: skip
    return tuple(fields.values())


def verdict(
    *counts: tuple[Any, ...],
    ordered: list[dict[str, Any]] | None = None,
    settled: bool = True,
    is_broken: bool = False,
    drops: tuple[tuple[str, int], ...] = (("t3", 50), ("t7", 1)),
    signed: tuple[int, ...] = (),
) -> list[str]:
    """What is said of these rows; `ordered`: of each command what its body says otherwise."""
    decisions = [
        decision(number, changes.get("type", "count_drop"), {}, **{
            "day": str(DAY), "amount": 60, "expected": 50, "file": "", "corrects": None,
            "note": "", "table": "t3"} | changes)
        for number, changes in enumerate([{}] if ordered is None else ordered, 1)
    ]  # fmt: skip
    for each in decisions:
        object.__setattr__(each, "entry", each.entry._replace(second=None))
        each.body.pop("type", None)
        if each.body["table"] is None:
            del each.body["table"]
    ends = SimpleNamespace(of=ENDS.get, first=DAY - dt.timedelta(days=1))
    fold = SimpleNamespace(decisions=decisions, day_ends=ends, is_broken=is_broken)
    connection = rows({
        checked._ROWS: counts, checked._DROP: drops,
        checked._SIGNED: [(each,) for each in signed],
    })  # fmt: skip
    report = Report()
    checked.counts(connection, Scope(report, "main"), SYSTEM, cast("Fold", fold), settled=settled)
    assert report.counts["counts"] == len(counts)
    assert {kind for kind, _ in report.findings} <= {"counts"}
    return [sentence.removeprefix("system main, ") for _, sentence in report.findings]


NOT_SO = "count 5: it is not what a command of its person took into the order"


def test_a_count_as_it_was_entered() -> None:
    assert verdict(row()) == []
    assert verdict(row(has_finding=True, amount=61), ordered=[{"amount": 61}]) == []


@pytest.mark.parametrize(
    "changes",
    [{"command": 2}, {"table": "t7", "expected": 1, "limit": 59}, {"amount": 59}, {"file": "x"},
     {"note": "x"}, {"person": "david"}, {"person": None}],
)  # fmt: skip
def test_a_row_that_no_command_says(changes: dict[str, Any]) -> None:
    behind = ["entry 1: the count behind it is gone"] if "command" in changes else []
    assert verdict(row(**changes)) == [NOT_SO, *behind]


def test_a_command_without_its_row() -> None:
    assert verdict() == ["entry 1: the count behind it is gone"]
    assert verdict(row(), row(id=6)) == [NOT_SO.replace("5", "6")]  # two of one command


def test_what_is_on_its_way() -> None:
    assert verdict(row(), row(id=6, command=2, expected=0), settled=False) == []
    assert verdict(row(), row(id=6), settled=False) == [NOT_SO.replace("5", "6")]


def test_what_a_count_corrects() -> None:
    wrong = "count 5: it corrects a count of another table, day or kind"
    for own, says in ((True, []), (False, [wrong]), (None, [wrong])):
        assert verdict(row(corrects=4, corrects_its_own=own), ordered=[{"corrects": 4}]) == says


def test_a_variance_above_the_limit_has_its_finding() -> None:
    above = ["count 5: its variance is above the limit, and has no finding"]
    for amount, limit, says in ((60, 9, above), (60, 10, []), (40, 10, []), (39, 10, above)):
        assert verdict(row(amount=amount, limit=limit), ordered=[{"amount": amount}]) == says


def test_what_was_expected() -> None:
    def of(day: dt.date, expected: int, **changes: Any) -> list[str]:
        text = {"day": str(day), "expected": expected}
        return verdict(row(limit=99, **text | changes), ordered=[text | changes])

    assert of(DAY, 51) == [f"count 5: 50 micros were expected of {DAY}, not 51"]
    assert verdict(row(expected=51), ordered=[{"expected": 51}], is_broken=True) == []
    before, after = DAY - dt.timedelta(days=2), DAY + dt.timedelta(days=1)
    assert of(before, 0) == []
    assert of(before, 1) == [f"count 5: 0 micros were expected of {before}, not 1"]
    assert of(after, 0) == [f"count 5: None micros were expected of {after}, not 0"]
    assert of(DAY, 0, table="t9") == []


def test_the_balance_of_the_bank() -> None:
    """All that is kept for players and their tax."""
    bank = {"kind": "enter_balance", "table": None, "amount": 77, "expected": 77}
    ordered = {"type": "enter_balance", "table": None, "amount": 77, "expected": 77}
    assert verdict(row(**bank), ordered=[ordered]) == []
    assert verdict(row(**bank | {"expected": 76}), ordered=[ordered | {"expected": 76}]) == [
        f"count 5: 77 micros were expected of {DAY}, not 76"
    ]


def test_who_explained_it_does_not_decide() -> None:
    assert verdict(row(), signed=(3,)) == ["finding 3: who explained it decided on the explanation"]
