"""The dealer asks to withdraw a hand: that moves nothing before people have decided (19.11)."""

from collections.abc import Callable
from typing import Any

from settlement.claims import services as claims
from settlement.floor import rulings
from settlement.people.rights.permissions import Reauthenticated
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.hands import BOARD, ROYAL
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


def withdrawn(open_room: OpenRoom) -> tuple[CardRoom, Any]:
    """A royal flush of 1,001.00 is called, reported and taken back by the dealer."""
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 1)
    called = room.posted(unit, unit.call_hand([3], "royal"))
    room.posted(unit, unit.report_hand([BOARD], [ROYAL], called_seq=called.seq))
    room.posted(unit, unit.withdraw("Wrong table", called_seq=called.seq))
    assert (room.hit().standing, room.hit().held) == ("reported", money(1001))
    (request,) = rulings.withdrawals_of(room.claim())
    return room, request


def test_called_in_error_it_is_rejected_by_two_people(open_room: OpenRoom) -> None:
    room, request = withdrawn(open_room)
    with acting_as("web"):
        rulings.accept_withdrawal(room.claim(), request, room.people["mere"], "Camera 4: no royal")
        assert room.hit().held == money(1001)
        claims.second_rejection(room.claim(), Reauthenticated(room.people["david"]))
    assert room.hit().standing == "rejected"
    assert room.claim().actions.get(kind="propose_rejection").body["reason"] == "R11"
    assert room.pool() == money(1000.50)
    room.balanced()


def test_a_hand_that_lies_on_the_layout_goes_on(open_room: OpenRoom) -> None:
    """The dealer was talked into it: the player loses nothing."""
    room, request = withdrawn(open_room)
    with acting_as("web"):
        rulings.refuse(request, room.people["mere"], "The cards lie face up on the layout")
    room.verify(by="tom")
    room.confirm()
    room.pay()
    assert (room.hit().standing, room.balance("paid_cash")) == ("closed", money(1001))
    room.balanced()
