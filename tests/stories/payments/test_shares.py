"""Who is paid what: several seats of one hand, a share plan, part of a pool, a fixed prize."""

from collections.abc import Callable
from typing import Any

import pytest

from settlement.claims import services as claims
from settlement.core.errors import HandDoesNotQualify
from settlement.payments import services as payments
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.claims.shares import lines
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.hands import typed
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
BOARD = ["Ad", "Ac", "Kd", "2d", "3c"]
ACES_FULL = {
    "weakest": {"category": "full_house", "ranks": ["A"]},
    "hole_cards_playing": 2,
    "games": ["holdem"],
}
THREE: dict[str, Any] = {"seat": 3, "hole": ["Ah", "Kh"]}
FIVE: dict[str, Any] = {"seat": 5, "hole": ["As", "Ks"], "won_pot": False}
OUT: dict[str, Any] = {
    "seat": 6,
    "hole": [],
    "exposed": "not_requested",
    "folded": True,
    "participating": False,
    "won_pot": False,
}


def aces_full(**changes: Any) -> dict[str, Any]:
    return royal_terms(**{"code": "aces", "name": "Aces Full", "qualifying": ACES_FULL, **changes})


def test_two_seats_of_one_hand_have_a_line_each(open_room: OpenRoom) -> None:
    """1,001.00: 500 each, and the odd one to the ace of spades (16.5(e))."""
    room = open_room(aces_full())
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.report_hand([BOARD], [THREE, FIVE]))
    assert room.hit().held == money(1001)
    room.verify()
    room.confirm()
    assert lines(room) == [(3, "winner", 500), (5, "winner", 501)]
    claim, people = room.claim(), room.people
    with acting_as("web"):
        claims.pay(claim, Reauthenticated(people["lucia"]), 2, {"cash": money(501)})
        payments.withhold(claim, people["lucia"], 1, "No passport yet")
    assert [line["state"] for line in room.hit().payees] == ["withheld", "paid"]
    assert room.hit().standing == "confirmed"
    with acting_as("web"):
        payments.release(claim, people["anna"], 1, "The passport is here")
        claims.pay(claim, Reauthenticated(people["lucia"]), 1, {"chips": money(500)})
    assert room.hit().standing == "closed"
    room.balanced()


def test_the_table_has_its_part_and_a_supplement_its_own_lines(open_room: OpenRoom) -> None:
    """A winner has 70% and the table 30%, of a part of 90% of the pool. The second claim is paid
    its safe amount; when the first is rejected everybody is brought up to the part of the whole."""
    plan = {"winner": 7_000, "table": 3_000}
    room = open_room(aces_full(plan=plan, share=9_000, reset=money(100)))
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 3)
    room.posted(three, three.call_hand([3], "aces"))
    # 101.50 is 102; of it 91.80, so 92; of the pool 91.35; the rest is filled up to 100
    assert (room.hit(1).held, room.pool("aces")) == (money(92), money(100))
    room.play(seven, 5)
    body: dict[str, Any] = {"seats_dealt": [1, 2, 3, 4, 6], "button_seat": 1}
    room.posted(seven, seven.report_hand([BOARD], [THREE, OUT]))
    # 102.50 is 103; of it 92.70, so 93
    assert room.hit(2).held == money(93)
    with pytest.raises(HandDoesNotQualify, match="seats dealt in"):
        room.verify(2)
    report = {**typed(THREE, OUT, board=BOARD), **body}
    with acting_as("web"):
        claims.amend(room.claim(2), room.people["tom"], report)
    room.verify(2)
    room.confirm(2)
    # 30% of 93 is 27: nine each for seats 1, 2 and 4
    assert lines(room, 2) == [(3, "winner", 66), (1, "table", 9), (2, "table", 9), (4, "table", 9)]
    room.pay(2)
    room.reject(1, "R04")
    # 101.50 and 2.50 is 104; of it 93.60, so 94: the table 28, the odd one next to the button
    assert room.hit(2).held == money(94)
    assert room.hit(2).standing == "confirmed"
    room.confirm(2)
    assert lines(room, 2)[4:] == [(2, "table", 1)]
    room.pay(2)
    assert room.hit(2).standing == "closed"
    assert room.balance("paid_cash") == money(94)
    room.balanced()


def test_a_fixed_prize_comes_from_the_pool_and_then_from_the_operator(open_room: OpenRoom) -> None:
    """500.00 fixed on a pool of 200.50: the operator adds 299.50, and 200 to start again."""
    room = open_room(aces_full(prize=money(500), reset=money(200)))
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 1)
    assert room.display()["tiers"][0]["value"] == 50_000  # a display shows the prize
    room.posted(three, three.report_hand([BOARD], [THREE]))
    assert (room.hit().held, room.pool("aces")) == (money(500), money(200))
    assert room.hit().values == {"aces": money(500)}
    assert room.balance("operator") == -money(200 + 0.5 + 299.5 + 200)
    room.play(seven, 1)
    room.posted(seven, seven.report_hand([BOARD], [THREE, FIVE]))
    room.verify(2)
    room.confirm(2)  # whatever becomes of the first it is the same
    assert lines(room, 2) == [(3, "winner", 250), (5, "winner", 250)]
    room.reject(1, "R04")
    assert (room.hit(2).held, room.pool("aces")) == (money(500), money(200))
    # opening, two rounds, one prize less the 201 that were there, one reset
    assert room.balance("operator") == -money(200 + 1 + 299 + 200)
    assert room.balance("rounding") == 0
    room.balanced()
