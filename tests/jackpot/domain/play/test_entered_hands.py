"""A hand entered on the console while its unit is offline, and what the unit says later (19.20)."""

from typing import Any

import pytest

from jackpot.terms.money import MICROS
from tables.protocol import messages
from tests.support.cases.claims.several_prizes import each_terms
from tests.support.cases.hands.entered_hands import (
    enter,
    floor,
    name,
    report_of,
    separate,
    unit_calls,
    unit_reports,
)
from tests.support.play.books import Floor

__all__ = ["floor"]


def test_the_entry_on_the_console_is_its_place(floor: Floor) -> None:
    outcome = enter(floor, round=4)
    assert (outcome["hit"], outcome["tier"], outcome["held"]) == (1, "royal", 1002 * MICROS)
    assert outcome["values"] == {"royal": 1002 * MICROS}
    assert outcome["flags"] == ["no_start"]
    hit = floor.books.hits[1]
    assert (hit.place, hit.round, hit.called_seats) == (floor.books.seq, 4, [3])
    assert hit.pairing["who"] == "mere"
    # Table 7 hits the same prize afterwards: it comes second.
    floor.press("t7")
    assert floor.call("t7")["held"] == 1001 * MICROS


def test_the_units_late_events_are_paired_by_their_round(floor: Floor) -> None:
    enter(floor, round=4)
    before = dict(floor.books.balances)
    called = unit_calls(floor, 4)
    assert (called["hit"], called["flags"]) == (1, ["paired"])
    outcome = unit_reports(floor, 4)  # nothing was typed yet: the unit's report is the first one
    assert outcome["flags"] == ["paired"]
    assert floor.books.hits[1].report is not None
    assert (len(floor.books.hits), floor.books.balances) == (1, before)
    assert floor.books.hits[1].pairing["differs"] is None


def test_a_prize_that_nobody_plays_is_flagged(floor: Floor) -> None:
    outcome = enter(floor, round=4, tier="nothing")
    assert (outcome["tier"], outcome["flags"]) == (None, ["no_start", "unknown_tier"])


def test_what_differs_waits_for_an_amendment_and_moves_nothing(floor: Floor) -> None:
    enter(floor, round=4, report=report_of())
    before = dict(floor.books.balances)
    outcome = unit_reports(floor, 4, hole="As 9s")
    assert (outcome["flags"], outcome["differs"]) == (["paired"], ["hands"])
    assert floor.books.balances == before
    hit = floor.books.hits[1]
    assert hit.report is not None
    assert hit.report["hands"][0]["hole"] == ["As", "Ks"]
    payees = [{"seat": 3, "amount": 1002 * MICROS}]
    refused = floor.decide("confirm_claim", hit=1, amount=1002 * MICROS, payees=payees)
    assert "differs" in refused["refused"]
    floor.decide("amend_hand", second=None, hit=1, report=report_of())
    confirmed = floor.decide("confirm_claim", hit=1, amount=1002 * MICROS, payees=payees)
    assert confirmed["confirmed"] == 1002 * MICROS


def test_a_units_report_that_is_for_another_prize_is_a_difference(floor: Floor) -> None:
    enter(floor, round=4, tier=None)
    assert floor.books.hits[1].tier is None
    outcome = unit_reports(floor, 4)
    assert outcome["differs"] == ["tier"]
    assert (floor.books.hits[1].tier, floor.books.hits[1].report) == (None, None)
    floor.decide("amend_hand", second=None, hit=1, report=report_of())
    assert floor.books.hits[1].held == 1002 * MICROS


def test_after_payment_the_late_event_opens_nothing(floor: Floor) -> None:
    enter(floor, round=4, report=report_of())
    amount = 1002 * MICROS
    floor.decide("confirm_claim", hit=1, amount=amount, payees=[{"seat": 3, "amount": amount}])
    floor.decide("pay", hit=1, line=1, parts={"cash": amount})
    outcome = unit_reports(floor, 4)
    assert (outcome["hit"], outcome["flags"]) == (1, ["paired", "after_decision"])
    assert len(floor.books.hits) == 1


def test_without_a_round_the_units_hand_waits_and_holds_nothing(floor: Floor) -> None:
    assert enter(floor)["hit"] == 1
    assert floor.books.hits[1].round < 0
    before = dict(floor.books.balances)
    called = unit_calls(floor, 4)
    assert (called["hit"], called["held"]) == (2, 0)
    assert "perhaps_entered" in called["flags"]
    assert unit_reports(floor, 4)["held"] == 0
    assert floor.books.balances == before
    outcome = name(floor, 4)
    assert (outcome["hit"], outcome["paired"]) == (1, 2)
    assert floor.books.balances == before
    one, two = floor.books.hits[1], floor.books.hits[2]
    assert (one.round, one.report is not None, two.state) == (4, True, "paired")
    assert unit_calls(floor, 4)["hit"] == 1  # what else comes of it is the first one's
    assert "refused" in separate(floor, 2)


def test_kept_apart_a_hand_holds_what_was_there_at_its_own_place(floor: Floor) -> None:
    """Table 7's claim came between: what it holds falls to what is left (rule 4)."""
    enter(floor)
    unit_calls(floor, 4)
    floor.press("t7")
    floor.press("t7")
    assert floor.call("t7")["held"] == 1001 * MICROS
    outcome = separate(floor, 2)
    assert (outcome["hit"], outcome["held"]) == (2, 1000 * MICROS)
    assert floor.held(3) == 1001 * MICROS
    assert floor.books.hits[1].pairing["waits"]  # it is still to be found


def test_a_hand_without_a_report_kept_apart_is_for_what_its_cards_win(floor: Floor) -> None:
    enter(floor)
    floor.say("t3", messages.HandCalled, round=4, tier=None, seats=[3])
    unit_reports(floor, 4)
    assert separate(floor, 2)["tier"] == "royal"


def test_the_round_is_named_before_the_unit_comes_back(floor: Floor) -> None:
    enter(floor)
    assert "refused" not in name(floor, 5)
    assert unit_calls(floor, 5)["flags"] == ["paired"]
    assert "refused" in name(floor, 6)  # it is known now


def test_a_unit_that_recorded_nothing_is_waited_for_no_longer(floor: Floor) -> None:
    enter(floor)
    assert "refused" not in name(floor, None)
    assert unit_calls(floor, 4)["held"] == 1000 * MICROS


def test_a_round_with_a_hand_of_its_own_is_no_other_hands(floor: Floor) -> None:
    floor.call("t3")  # round 3, by the unit
    enter(floor)
    assert "claim 1" in name(floor, 3, hit=2)["refused"]
    assert "claim 1" in enter(floor, round=3)["refused"]


def test_another_seat_in_that_round_is_no_pair_before_a_person_says_so(floor: Floor) -> None:
    """The supervisor typed a wrong round: a unit's hand of seat 5 is not that of seat 3."""
    enter(floor, round=4, report=report_of())
    before = dict(floor.books.balances)
    called = unit_calls(floor, 4, seat=5)
    assert (called["hit"], called["held"]) == (2, 0)
    one, two = floor.books.hits[1], floor.books.hits[2]
    assert one.round < 0
    assert two.round == 4
    assert floor.books.balances == before
    assert separate(floor, 2)["held"] == 1000 * MICROS
    assert "refused" not in name(floor, 5)
    assert unit_reports(floor, 5)["flags"] == ["paired"]


def test_other_cards_at_the_same_seat_are_no_pair_either(floor: Floor) -> None:
    enter(floor, round=4, report=report_of())
    assert unit_reports(floor, 4, hole="Ah Kh", board="Qh Jh Th 2c 3d")["hit"] == 2


def test_tables_are_never_mixed_up(floor: Floor) -> None:
    enter(floor)
    floor.press("t7")
    assert floor.call("t7")["held"] == 1001 * MICROS  # table 7 was not offline
    refused = floor.decide("name_round", second=None, hit=1, table="t7", round=2, note="?")
    assert "refused" in refused


def test_a_hand_that_came_meanwhile_is_looked_at_first(floor: Floor) -> None:
    """The unit was quicker by a moment: the supervisor sees its claim before he enters another."""
    floor.press("t3")
    floor.call("t3")
    assert "claim 1" in enter(floor, seen=0)["refused"]
    assert enter(floor, seen=1)["hit"] == 2


def test_a_waiting_hand_is_neither_amended_nor_confirmed(floor: Floor) -> None:
    enter(floor)
    unit_calls(floor, 4)
    for kind, body in (
        ("amend_hand", {"report": report_of()}),
        ("confirm_claim", {"amount": 1, "payees": [{"seat": 3, "amount": 1}]}),
    ):
        assert "refused" in floor.decide(kind, hit=2, **body)


@pytest.mark.parametrize(
    "fields", [{"table": "t99"}, {"game": "whist"}, {"seats": [99]}, {"note": ""}, {"seen": None}]
)
def test_what_cannot_be_read_is_refused(floor: Floor, fields: dict[str, Any]) -> None:
    table = fields.pop("table", "t3")
    assert "refused" in enter(floor, table, **fields)
    assert not floor.books.hits


def test_a_late_start_finds_the_round_of_the_hand(floor: Floor) -> None:
    enter(floor, round=4)
    floor.press("t3")
    assert floor.pool() == 1000 * MICROS + MICROS // 2
    assert floor.books.rounds["t3", 4].hit == 1


def test_19_6_a_hand_with_several_prizes_has_one_pairing() -> None:
    """Royal flush and straight flush at once: what the unit says otherwise stops both claims."""
    floor = Floor(each_terms())
    floor.open("t3")
    floor.press("t3")
    assert len(enter(floor, round=2, report=report_of())["claims"]) == 2
    before = dict(floor.books.balances)
    assert unit_reports(floor, 2, hole="As 9s")["differs"] == ["hands"]
    assert floor.books.balances == before
    held = floor.held(2)
    body: dict[str, Any] = {"amount": held, "payees": [{"seat": 3, "amount": held}]}
    assert "differs" in floor.decide("confirm_claim", hit=2, **body)["refused"]
    floor.decide("amend_hand", second=None, hit=2, report=report_of())
    assert floor.decide("confirm_claim", hit=2, **body)["confirmed"] == held
    assert "differs" not in unit_calls(floor, 3).get("flags", [])


def test_19_6_kept_apart_a_hand_holds_each_of_its_prizes() -> None:
    floor = Floor(each_terms())
    floor.open("t3")
    floor.press("t3")
    enter(floor)
    unit_calls(floor, 4, tier=None)
    unit_reports(floor, 4)
    outcome = separate(floor, 2)
    assert [claim[1] for claim in outcome["claims"]] == ["royal", "steel"]
    assert "refused" not in name(floor, 9)
    assert floor.books.rounds["t3", 9].hit == 1
