"""A pairing that was wrong is undone: the unit's hand has its own place again (19.20)."""

from typing import Any

import pytest

from jackpot.terms.money import MICROS
from tests.support.cases.claims.several_prizes import each_terms
from tests.support.cases.hands.entered_hands import (
    enter,
    name,
    report_of,
    separate,
    unit_calls,
    unit_reports,
)
from tests.support.play.books import royal_terms
from tests.support.play.high_hands import high_terms
from tests.support.proof.verified_books import Witnessed


@pytest.fixture
def floor() -> Witnessed:
    """Two tables; table 3 has played three rounds and is cut off. The pool is 1,002.00."""
    gaming_floor = Witnessed(royal_terms())
    for table, rounds in (("t3", 3), ("t7", 1)):
        gaming_floor.open(table)
        for _ in range(rounds):
            gaming_floor.press(table)
    return gaming_floor


def undo(floor: Witnessed, hit: int = 1) -> dict[str, Any]:
    return floor.decide("unpair_hand", second=None, hit=hit, note="camera 4")


def test_the_units_hand_holds_what_was_there_at_its_place(floor: Witnessed) -> None:
    """1,002.00 for the hand entered here, 1,000.00 for the unit's, 1,001.00 for table 7's: as if
    the hands had been kept separate at once."""
    enter(floor)
    unit_calls(floor, 4)
    floor.press("t7")
    floor.press("t7")
    name(floor, 4)
    floor.call("t7")
    assert [floor.held(hit) for hit in (1, 2, 3)] == [1002 * MICROS, 0, 1001 * MICROS]
    before = dict(floor.books.balances)
    outcome = undo(floor)
    assert (outcome["hit"], outcome["unpaired"], outcome["held"]) == (1, 2, 1000 * MICROS)
    assert [floor.held(hit) for hit in (1, 2, 3)] == [1002 * MICROS, 1000 * MICROS, 1001 * MICROS]
    changed = {name for name, held in floor.books.balances.items() if held != before[name]}
    assert changed == {"royal:held", "operator"}  # one reset more
    one, two = floor.books.hits[1], floor.books.hits[2]
    assert (one.round, one.pairing["waits"], one.pairing["unit"]) == (-1, True, None)
    assert (two.state, two.round, two.acts_at) == ("held", 4, two.place)
    assert "differs" not in outcome or outcome["differs"] == []
    # The round of the first is renamed; the unit's other events are those of the second.
    assert unit_calls(floor, 4)["flags"] == ["repeat"]
    assert "refused" not in name(floor, 5)
    assert unit_calls(floor, 5)["flags"] == ["paired"]


def test_kept_apart_and_undone_come_to_the_same() -> None:
    ends = []
    for way in ("apart", "undone"):
        floor = Witnessed(royal_terms())
        floor.open("t3")
        floor.open("t7")
        enter(floor)
        unit_calls(floor, 4)
        floor.press("t7")
        floor.call("t7")
        if way == "apart":
            separate(floor, 2)
        else:
            name(floor, 4)
            undo(floor)
        ends.append((floor.books.balances, [floor.held(hit) for hit in (1, 2, 3)]))
    assert ends[0] == ends[1]


def test_what_is_confirmed_for_a_later_claim_is_not_lowered(floor: Witnessed) -> None:
    """Table 7 was confirmed 1,001.00 while the hands were one: the undone one acts here (0006)."""
    enter(floor)
    unit_calls(floor, 4)
    name(floor, 4)
    floor.press("t7")
    floor.press("t7")
    hit = floor.call("t7")["hit"]
    amount = 1001 * MICROS
    floor.report("t7", "As Ks", "Qs Js Ts 2d 3c")
    payees = [{"seat": 3, "amount": amount}]
    assert floor.decide("confirm_claim", hit=hit, amount=amount, payees=payees)["confirmed"]
    floor.press("t7")
    assert undo(floor)["held"] == 1001 * MICROS  # 1,000.50 rounded up, at this entry
    assert floor.books.hits[2].acts_at == floor.books.seq
    assert floor.held(hit) == amount


def test_behind_a_decided_hand_it_acts_where_it_is_undone(floor: Witnessed) -> None:
    """Nothing before can change any more: all up to there is decided."""
    enter(floor, report=report_of())
    unit_calls(floor, 4)
    name(floor, 4)
    amount = 1002 * MICROS
    payees = [{"seat": 3, "amount": amount}]
    floor.decide("confirm_claim", hit=1, amount=amount, payees=payees)
    floor.decide("pay", hit=1, line=1, parts={"cash": amount})
    floor.press("t7")
    floor.press("t7")
    assert undo(floor)["held"] == 1001 * MICROS
    assert floor.books.hits[2].acts_at == floor.books.seq
    assert floor.books.hits[1].state == "paid"


def test_a_report_that_may_be_the_units_waits_for_an_amendment(floor: Witnessed) -> None:
    enter(floor)
    unit_calls(floor, 4)
    unit_reports(floor, 4)
    assert name(floor, 4)["taken"]
    assert undo(floor)["differs"] == ["report"]
    amount = 1002 * MICROS
    body: dict[str, Any] = {"hit": 1, "amount": amount, "payees": [{"seat": 3, "amount": amount}]}
    assert "differs" in floor.decide("confirm_claim", **body)["refused"]
    assert floor.books.hits[2].report is not None
    floor.decide("amend_hand", second=None, hit=1, report=report_of())
    assert "refused" not in floor.decide("confirm_claim", **body)


def test_a_report_that_was_typed_when_it_was_entered_stays(floor: Witnessed) -> None:
    enter(floor, report=report_of())
    unit_calls(floor, 4)
    name(floor, 4)
    assert undo(floor)["differs"] == []
    assert floor.books.hits[1].pairing["differs"] is None


def test_paired_by_its_round_the_units_hand_is_entered_anew(floor: Witnessed) -> None:
    """It opened nothing, so it has no place: the console gives it one, in that round."""
    enter(floor, round=4, report=report_of())
    assert unit_reports(floor, 4, hole="As 9s")["differs"] == ["hands"]
    before = dict(floor.books.balances)
    outcome = undo(floor)
    assert (outcome["hit"], "unpaired" in outcome) == (1, False)
    assert floor.books.balances == before
    assert floor.books.hits[1].round == -1
    assert enter(floor, round=4, seen=1)["hit"] == 2
    assert unit_calls(floor, 4)["hit"] == 2
    # The first one's difference is settled by an amendment, as before.
    assert floor.books.hits[1].pairing["differs"] is not None


def test_19_6_undone_a_hand_holds_each_of_its_prizes() -> None:
    floor = Witnessed(each_terms())
    floor.open("t3")
    floor.press("t3")
    enter(floor)
    unit_calls(floor, 4, tier=None)
    unit_reports(floor, 4)
    name(floor, 4)
    undo(floor)
    claims = [(c.number, c.tier, c.state) for c in floor.books.hand_of(floor.books.hits[2])]
    assert claims == [(2, "royal", "held"), (3, "steel", "held")]


def test_undone_a_candidate_is_of_the_period_of_its_place() -> None:
    floor = Witnessed(high_terms())
    floor.open("t3")
    floor.press("t3")
    enter(floor, tier="high")
    unit_calls(floor, 4, tier="high")
    unit_reports(floor, 4)
    name(floor, 4)
    undo(floor)
    hits = floor.books.hits
    assert [(hits[n].tier, hits[n].held, hits[n].closing) for n in (1, 2)] == [
        ("high", 0, None),
        ("high", 0, None),
    ]
    assert hits[2].strength is not None


def test_nothing_to_undo_is_refused(floor: Witnessed) -> None:
    assert "no hit" in str(undo(floor)["refused"])
    enter(floor)
    assert "paired" in str(undo(floor)["refused"])
    unit_calls(floor, 4)
    assert "refused" in undo(floor, 2)
    name(floor, 4)
    undo(floor)
    assert "refused" in undo(floor)  # once
    floor.press("t7")
    assert "refused" in undo(floor, floor.call("t7")["hit"])
