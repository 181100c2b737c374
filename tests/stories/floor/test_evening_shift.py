"""An evening: a supervisor who played, a prize for two managers, a shift handed over."""

from collections.abc import Callable
from typing import Any

import pytest

from jackpot.labels.claim_names import claim_name
from settlement.claims import services as claims
from settlement.core.errors import OwnHand, SamePerson, SecondManagerNeeded
from settlement.floor import handover
from settlement.models import SecondManagerLimit
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
ROYAL = {"seat": 3, "hole": ["As", "Ks"]}
BOARD = ["Qs", "Js", "Ts", "2d", "3c"]


def approve(room: CardRoom, by: str) -> None:
    with acting_as("web"):
        again = Reauthenticated(room.people[by])
        claims.approve(room.claim(), again, room.hit().held)


def test_who_was_dealt_in_decides_nothing_and_a_large_prize_takes_two_managers(
    open_room: OpenRoom,
) -> None:
    """Mere plays at table 3 on her evening off. The royal flush there is 1,002.00; above 1,000.00
    this house wants two managers."""
    room = open_room(royal_terms())
    SecondManagerLimit.objects.create(
        casino=room.casino, amount=money(1000), first="david", second="anna"
    )
    unit = room.unit(3)
    with acting_as("web"):
        play = staff_play.sit_down(room.people["mere"], room.tables[3], room.people["mere"])
    room.play(unit, 3)
    room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    with acting_as("web"):
        staff_play.leave(play, room.people["mere"])
    with pytest.raises(OwnHand, match="Mere Tane was dealt in"):
        room.verify(by="mere")
    room.verify(by="tom")
    with pytest.raises(SecondManagerNeeded, match="two managers"):
        room.confirm(by="david")
    approve(room, "david")
    with pytest.raises(SamePerson, match="another manager"):
        room.confirm(by="david")
    assert room.hit().state == "held"
    room.confirm(by="anna")
    room.pay(by="lucia")
    assert room.hit().standing == "closed"
    assert room.balance("paid_cash") == money(1002)
    room.balanced()


def test_the_shift_is_handed_over_with_what_it_leaves_open(open_room: OpenRoom) -> None:
    """Tom goes home with a claim open; Mere signs that she has read of it."""
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    room.claim()

    def signed(read: str) -> Any:
        with acting_as("web"):
            tom, mere = (Reauthenticated(room.people[name]) for name in ("tom", "mere"))
            return handover.sign(room.casino, tom, mere, read=read, remarks="Seat 3 is waiting")

    signed_handover = signed(handover.digest(handover.gather(room.casino)))
    claim = claim_name(room.system.code, 1)
    texts = [item["text"] for section in signed_handover.body for item in section["items"]]
    assert f"Main floor, claim {claim}, Table 3: Reported, NZD 1,001.00" in texts
    assert "Table 7, Main floor" in texts  # its unit has never been heard
    room.verify(by="mere")
    later = handover.gather(room.casino)
    assert f"Main floor, claim {claim}, Table 3: Verified, NZD 1,001.00" in str(later)
    assert signed_handover == handover.handovers(room.casino).get()  # as it was signed
