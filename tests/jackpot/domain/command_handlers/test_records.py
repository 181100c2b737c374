"""What the order keeps of players, files and counts moves nothing; what cannot be is refused."""

from typing import Any

import pytest

from tests.support.play.books import Floor, royal_terms

HIT = {"hit": 1}
PLAYER = {**HIT, "seat": 3, "player": 5, "other": 6, "is_one": True, "reason": "the same face"}
RELEASE = {**HIT, "seat": 3, "matches": [7], "reason": "it is another person"}
DELEGATE = {**HIT, "person": "sione", "capacity": "manager", "reason": "nobody is here"}
FILE = {**HIT, "sha256": "ab" * 32, "size": 1}
BALANCE = {
    "day": "2026-10-31",
    "expected": -5,
    "amount": -6,
    "file": "",
    "corrects": None,
    "note": "",
}
DROP = BALANCE | {"table": "t3", "amount": 0}
ALONE: dict[str, dict[str, Any]] = {
    "attach_file": FILE,
    "count_drop": DROP,
    "enter_balance": BALANCE,
    "seal_records": {},
}
BY_TWO: dict[str, dict[str, Any]] = {
    "same_player": PLAYER,
    "release_excluded": RELEASE,
    "delegate_claim": DELEGATE,
}
GOOD = [
    ("same_player", {"is_one": False}, {"hit": 1, "seat": 3}),
    ("same_player", {"seat": 23, "player": 1}, {"hit": 1, "seat": 23}),
    ("release_excluded", {"seat": 1, "matches": [1, 2]}, {"hit": 1, "seat": 1}),
    ("delegate_claim", {"capacity": "supervisor"}, {"hit": 1, "delegate": "sione"}),
    ("delegate_claim", {"left": ["aroha"]}, {"hit": 1, "delegate": "sione"}),
    ("attach_file", {}, {"hit": 1}),
    ("count_drop", {"file": "0f" * 32, "corrects": 1}, {"table": "t3", "day": "2026-10-31"}),
    ("count_drop", {"amount": 10**17}, {"table": "t3", "day": "2026-10-31"}),
    ("enter_balance", {"note": "x" * 500}, {"day": "2026-10-31"}),
    ("enter_balance", {"amount": -(10**17), "expected": 10**17}, {"day": "2026-10-31"}),
    ("seal_records", {}, {}),
]


def each_of(kind: str, *changes: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(kind, each) for each in changes]


WRONG: list[tuple[str, dict[str, Any]]] = [
    *each_of("same_player",
        {"other": 5}, {"player": 0}, {"other": 0}, {"seat": 0}, {"seat": 24}, {"is_one": 1},
        {"hit": 2}, {"reason": ""}, {"more": 1}, {"second": None}, {"second": "mere"}),
    *each_of("release_excluded",
        {"matches": []}, {"matches": [0]}, {"matches": [1] * 501}, {"seat": 24}, {"seat": 0},
        {"hit": 2}, {"second": "mere"}),
    *each_of("delegate_claim",
        {"capacity": "cashier"}, {"person": ""}, {"person": "mere"}, {"person": "david"},
        {"hit": 2}, {"second": None}),
    *each_of("attach_file",
        {"sha256": "ab" * 31}, {"sha256": "AB" * 32}, {"sha256": "zz" * 32}, {"size": 0},
        {"hit": 2}),
    *each_of("count_drop",
        {"day": "2026-02-30"}, {"day": "20261031"}, {"day": "2026-W44-6"}, {"file": "0f"},
        {"file": "zz" * 32}, {"corrects": 0}, {"corrects": 900}, {"table": ""},
        {"table": "t" * 33}, {"amount": -1}, {"amount": 10**17 + 1}, {"note": "x" * 501},
        {"expected": -(10**17) - 1}),
    *each_of("enter_balance",
        {"amount": 10**17 + 1}, {"amount": -(10**17) - 1}, {"table": "t3"},
        {"day": "2026-W44-6"}),
    ("seal_records", {"note": "x"}),
]  # fmt: skip


@pytest.fixture
def floor() -> Floor:
    floor = Floor(royal_terms())
    floor.open("t3")
    floor.press("t3")
    floor.call("t3")
    return floor


def decided(floor: Floor, kind: str, changes: dict[str, Any]) -> Any:
    before = dict(floor.books.balances)
    second = "david" if kind in BY_TWO else None
    body = (ALONE | BY_TWO)[kind] | {"second": second} | changes
    outcome = floor.decide(kind, **body)
    assert floor.books.balances == before
    return outcome


@pytest.mark.parametrize(("kind", "changes", "outcome"), GOOD)
def test_what_is_kept(floor: Floor, kind: str, changes: dict[str, Any], outcome: Any) -> None:
    assert decided(floor, kind, changes) == outcome


@pytest.mark.parametrize(("kind", "changes"), WRONG)
def test_what_cannot_be(floor: Floor, kind: str, changes: dict[str, Any]) -> None:
    assert "refused" in decided(floor, kind, changes)


def test_a_claim_that_was_rejected_is_neither_released_nor_delegated(floor: Floor) -> None:
    floor.decide("reject_claim", hit=1, reason="R01", evidence="x", affected=False)
    for kind in ("release_excluded", "delegate_claim"):
        assert "refused" in decided(floor, kind, {})
