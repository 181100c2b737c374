"""Decisions that move nothing and leave a word in the order: whose, or why there is none."""

from typing import Any

import pytest

from jackpot.domain.command_handlers.claims import rejection_words
from jackpot.terms.money import MICROS
from tests.support.play.books import Floor, royal_terms

ABROAD: dict[str, Any] = {"person": "kim", "capacity": "manager", "reason": "all were dealt in"}
RELEASED: dict[str, Any] = {"seat": 3, "matches": [4], "reason": "another person of that name"}
FILE: dict[str, Any] = {"sha256": "0" * 64, "size": 7}
COUNT: dict[str, Any] = {
    "day": "2026-11-20",
    "expected": 7,
    "file": "",
    "corrects": None,
    "note": "",
}


@pytest.fixture
def floor() -> Floor:
    """Hit 1 is open."""
    floor = Floor(royal_terms())
    floor.open("t3")
    floor.press("t3")
    floor.call("t3")
    return floor


def moved(floor: Floor, kind: str, **body: Any) -> tuple[dict[str, Any], bool]:
    """The outcome, and whether any balance moved."""
    before = dict(floor.books.balances)
    return floor.decide(kind, **body), floor.books.balances != before


def test_a_decision_is_delegated(floor: Floor) -> None:
    delegated = moved(floor, "delegate_claim", hit=1, **ABROAD)
    assert delegated == ({"hit": 1, "delegate": "kim"}, False)


@pytest.mark.parametrize("person", ["mere", "david"])
def test_nobody_delegates_to_themselves(floor: Floor, person: str) -> None:
    outcome = floor.decide("delegate_claim", hit=1, **ABROAD | {"person": person})
    assert (
        outcome["refused"]
        == "You cannot delegate a decision to yourself. Two other people must do it."
    )


def test_a_payment_is_let_go_on(floor: Floor) -> None:
    assert moved(floor, "release_excluded", hit=1, **RELEASED) == ({"hit": 1, "seat": 3}, False)


@pytest.mark.parametrize(
    ("kind", "body"), [("delegate_claim", ABROAD), ("release_excluded", RELEASED)]
)
def test_of_a_claim_that_is_open_and_by_two(floor: Floor, kind: str, body: dict[str, Any]) -> None:
    assert "refused" in floor.decide(kind, "mere", None, hit=1, **body)
    floor.decide("reject_claim", hit=1, reason="R11", evidence="camera 1", affected=False)
    late = floor.decide(kind, hit=1, **body)
    assert late["refused"] == "This claim has been rejected already: nothing was changed."


@pytest.mark.parametrize(
    ("kind", "body"),
    [("attach_file", FILE), ("delegate_claim", ABROAD), ("release_excluded", RELEASED)],
)
def test_of_a_claim_that_there_is(floor: Floor, kind: str, body: dict[str, Any]) -> None:
    assert "refused" in floor.decide(kind, hit=2, **body)


def test_a_file_is_attached(floor: Floor) -> None:
    assert moved(floor, "attach_file", hit=1, **FILE) == ({"hit": 1}, False)


@pytest.mark.parametrize(
    ("kind", "body", "says"),
    [
        ("count_drop", {"table": "t3", "amount": 7}, {"table": "t3", "day": "2026-11-20"}),
        ("enter_balance", {"amount": -7}, {"day": "2026-11-20"}),
    ],
)
def test_what_was_counted_is_said_with_its_day(
    floor: Floor, kind: str, body: dict[str, Any], says: dict[str, Any]
) -> None:
    body = COUNT | body
    assert moved(floor, kind, **body) == (says, False)
    assert floor.decide(kind, **body | {"corrects": floor.books.seq}) == says
    nowhere = floor.decide(kind, **body | {"corrects": floor.books.seq + 1})
    assert nowhere["refused"] == "It corrects a count that was not there before it."
    never = floor.decide(kind, **body | {"day": "2026-11-31"})
    assert never["refused"] == "There is no day 2026-11-31."


def test_a_session_of_a_foreign_boot_is_overtaken_no_more(floor: Floor) -> None:
    body: dict[str, Any] = {"table": "t3", "reason": "a unit was cloned"}
    floor.books.session_at["t3"] = (4, 9)
    floor.books.dirty_sessions.clear()
    assert "refused" in floor.decide("reset_boots", "mere", None, boot=1, **body)
    assert floor.decide("reset_boots", boot=4, **body) == {"boot": 4}
    assert (floor.books.session_at["t3"], floor.books.dirty_sessions) == ((4, 9), set())
    assert floor.decide("reset_boots", boot=3, **body) == {"boot": 3}
    assert "t3" not in floor.books.session_at
    assert floor.books.dirty_sessions == {"t3"}
    assert floor.decide("reset_boots", boot=3, **body | {"table": "t9"}) == {"boot": 3}


def test_a_reason_is_read_with_what_was_named() -> None:
    rule, words = rejection_words("R11")
    assert (rule, str(words)) == ("19.11", "Called in error, or called twice")
    rule, words = rejection_words("R10", "not_discarded")
    assert (str(rule), str(words)) == ("20.33", "The hand was dead: did not discard in time")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"tier": "quads"}, "There is no tier quads on this system."),
        ({"reason": "A11"}, "Choose one of the closed reasons A01 to A10."),
        ({"amount": 0}, "Enter an amount other than zero."),
    ],
)
def test_an_adjustment_that_is_none_is_refused(
    floor: Floor, body: dict[str, Any], why: str
) -> None:
    usual: dict[str, Any] = {
        "tier": "royal",
        "source": "operator",
        "reason": "A05",
        "evidence": "notice 3",
        "amount": MICROS,
    }
    outcome, has_moved = moved(floor, "adjust_pool", **usual | body)
    assert (outcome["refused"], has_moved) == (why, False)
