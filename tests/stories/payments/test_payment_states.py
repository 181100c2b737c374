"""A prize nobody can be paid: withheld, released, unclaimed, and in the end forfeited by two."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from settlement.claims import services as claims
from settlement.core.errors import PartsDoNotAddUp, WrongState
from settlement.models import Payout
from settlement.payments import services as payments
from settlement.payments import slips
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.claims.slips import read
from tests.support.cases.hands.worked_example import BOARD
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


def test_part_paid_withheld_unclaimed_forfeited(open_room: OpenRoom, settings: Settings) -> None:
    room = open_room(royal_terms())
    three = room.unit(3)
    room.play(three, 2)
    room.posted(three, three.call_hand([3], "royal"))
    hand = {"seat": 3, "hole": ["As", "Ks"]}
    room.posted(three, three.report_hand([BOARD], [hand], round_number=three.round))
    room.verify()
    room.confirm(by="david")
    held, pool = room.hit().held, room.pool()
    claim, people = room.claim(), room.people
    with acting_as("web"):
        claims.pay(claim, Reauthenticated(people["lucia"]), 1, {"chips": money(100)})
        payments.withhold(claim, people["lucia"], 1, "No passport yet")
        with pytest.raises(WrongState, match="released first"):
            claims.pay(claim, Reauthenticated(people["lucia"]), 1, {"chips": money(100)})
        payments.release(claim, people["anna"], 1, "The passport is here")
        with pytest.raises(WrongState, match="are not over"):
            payments.book_unclaimed(claim, people["anna"], 1)
        settings.UNCLAIMED_AFTER_DAYS = 0
        payments.book_unclaimed(claim, people["anna"], 1)
    assert room.balance("unclaimed") == held - money(100)
    with acting_as("web"):
        claims.pay(
            claim, Reauthenticated(people["lucia"]), 1, {"cash": money(50)}
        )  # the player came after all
        proposal = payments.propose_forfeit(claim, people["anna"], 1, "Barred by law")
        payments.agree_forfeit(proposal, Reauthenticated(people["david"]))
    assert room.hit().payees[0]["state"] == "forfeited"
    assert room.hit().state == "paid"
    assert room.pool() == pool + held - money(150)
    assert room.balance("unclaimed") == 0
    room.balanced()


def test_19_15_two_parts_in_three_ways_each_with_its_slip(open_room: OpenRoom) -> None:
    """1,002.00: 400 in chips and 200 in cash now, the rest later as a cheque."""
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 3)
    room.posted(unit, unit.report_hand([BOARD], [{"seat": 3, "hole": ["As", "Ks"]}]))
    room.verify()
    room.confirm()
    room.pay(chips=money(400), cash=money(200))
    assert (room.hit().payees[0]["state"], room.hit().standing) == ("part_paid", "confirmed")
    with pytest.raises(PartsDoNotAddUp):
        room.pay(equivalent=money(403))
    room.pay(equivalent=money(402))
    ways = ("paid_chips", "paid_cash", "paid_equivalent", "payable", "royal:held")
    assert [room.balance(way) // money(1) for way in ways] == [400, 200, 402, 0, 0]
    first, second = Payout.objects.select_related("claim__system__casino").order_by("part")
    lucia, anna = room.people["lucia"], room.people["anna"]
    with acting_as("web"):
        slip, copy, rest = (
            read(slips.print_slip(payout, person)[0])
            for payout, person in ((first, lucia), (first, anna), (second, lucia))
        )
    assert "NZD six hundred and 00/100" in slip
    assert "still due 402.00" in slip
    assert "ORIGINAL" in slip
    assert "COPY 1" in copy
    assert "four hundred and two" in rest
    assert "still due 0.00" in rest
    room.balanced()
