"""From the jackpot button to a paid jackpot, for each source of funding (19.2, 19.9, 19.10)."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from jackpot.models import Entry
from settlement.claims import services as claims
from settlement.core.errors import SamePerson, WrongState
from settlement.models import Payout
from settlement.people.rights.permissions import Reauthenticated
from tests.support.houses.button_to_paid import BOARD, ROYAL
from tests.support.play.books import royal_terms
from tests.support.suite.waiting import wait_until
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


def funded_by(*increments: dict[str, Any], **more: Any) -> dict[str, Any]:
    funding = "operator" if increments[0]["source"] == "per_round" else "players"
    return {**royal_terms(increments=list(increments)), "funding": funding, **more}


def settle(room: CardRoom, unit: Any, expected: int) -> None:
    """Report a royal flush on the round that is open and follow it to the paid slip."""
    result = room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    assert result.hit == [1]
    assert room.hit().held == expected
    assert room.pool() == money(1000)
    assert (
        room.display()["messages"][0]["text"] == "JACKPOT REPORTED, TABLE 3, AWAITING CONFIRMATION"
    )
    room.verify()
    assert room.hit().standing == "verified"
    room.confirm()
    assert room.hit().standing == "confirmed"
    assert f"WIN, TABLE 3: NZD {expected / money(1):,.2f}" in room.display()["messages"][0]["text"]
    room.pay(chips=money(1), cash=expected - money(1))
    assert room.hit().standing == "closed"
    payout = Payout.objects.get()
    assert (payout.seat, payout.amount, payout.chips, payout.cashier) == (
        3,
        expected,
        money(1),
        "lucia",
    )
    assert room.balance("paid_cash") + room.balance("paid_chips") == expected
    assert room.balance("payable") == 0
    assert room.balance("royal:held") == 0
    room.balanced()


def test_19_3_operator_funded_per_round_at_the_commencement(open_room: OpenRoom) -> None:
    room = open_room(funded_by({"source": "per_round", "amount": money(0.5)}))
    unit = room.unit(3)
    room.play(unit, 3)
    assert room.pool() == money(1001.50)
    assert [t["value"] for t in room.display()["tiers"]] == [100150]
    settle(room, unit, money(1002))
    assert room.balance("rounding") == -money(0.50)


def test_19_10_basis_points_of_the_called_pot_at_the_completion(open_room: OpenRoom) -> None:
    room = open_room(funded_by({"source": "pot", "basis_points": 150, "cap": money(5)}))
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.complete(pot=12_345, uncalled=345))  # 120.00 called: 1.80
    assert room.pool() == money(1001.80)
    room.play(unit, 1)
    room.posted(unit, unit.complete(pot=90_000))  # 900.00: 13.50, capped at 5.00
    assert room.pool() == money(1006.80)
    room.play(unit, 1)
    settle(room, unit, money(1007))
    assert room.balance("pot") == -money(6.80)


def test_19_10_basis_points_of_the_commission(open_room: OpenRoom) -> None:
    room = open_room(funded_by({"source": "commission", "basis_points": 2500}))
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.complete(pot=12_000, commission=603))
    assert room.pool() == money(1000) + 1_507_500  # a quarter of 6.03, to the micro
    room.play(unit, 1)
    settle(room, unit, money(1002))


def test_19_2_stepped_drop_is_credited_as_it_was_taken(open_room: OpenRoom) -> None:
    steps = [
        {"pot_from": money(20), "take": money(1)},
        {"pot_from": money(50), "take": money(2)},
    ]
    room = open_room(funded_by({"source": "drop", "basis_points": 10_000}, drop_steps=steps))
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.complete(pot=6_000, jackpot_drop=200))
    assert room.pool() == money(1002)
    room.play(unit, 1)
    short = room.posted(unit, unit.complete(pot=6_000, jackpot_drop=100))
    assert room.pool() == money(1003)
    room.play(unit, 1)
    settle(room, unit, money(1003))
    entry = Entry.objects.get(system=room.system, seq=short.system_seq)
    assert entry.outcome["flags"] == ["drop_variance"]


def test_19_2_a_mix_into_pool_and_reserve(open_room: OpenRoom) -> None:
    terms = funded_by(
        {"source": "pot", "basis_points": 100},
        {"source": "per_round", "amount": money(0.25), "players_min": 4},
        {"source": "commission", "basis_points": 1000, "into": "reserve"},
    )
    room = open_room(terms)
    unit = room.unit(3)
    room.posted(unit, unit.press([1, 2, 3]))  # three players: no operator money
    room.posted(unit, unit.complete(pot=10_000, commission=500))
    assert room.pool() == money(1001)
    assert room.balance("royal:reserve") == money(0.50)
    room.posted(unit, unit.press([1, 2, 3, 4]))
    assert room.pool() == money(1001.25)
    operator = room.balance("operator")
    room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    assert room.hit().held == money(1002)
    assert room.balance("royal:reserve") == 0  # the reset comes from the reserve first
    assert room.balance("operator") == operator - money(999.50)
    room.balanced()


def test_19_12_nobody_is_paid_before_two_people(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    with pytest.raises(WrongState, match="not verified"):
        room.confirm()
    room.verify(by="mere")
    mere = room.people["mere"]
    mere.groups.set(room.people["david"].groups.all())  # even with both roles
    room.people["mere"] = type(mere).objects.get(pk=mere.pk)
    with pytest.raises(SamePerson):
        room.confirm(by="mere")
    with pytest.raises(WrongState, match="Only a confirmed claim is paid"):
        claims.pay(
            room.claim(), Reauthenticated(room.people["lucia"]), 1, {"cash": room.hit().held}
        )
    room.confirm()
    room.pay()
    with pytest.raises(WrongState, match="paid already"):
        claims.pay(
            room.claim(), Reauthenticated(room.people["lucia"]), 1, {"cash": room.hit().held}
        )
    room.balanced()


def test_a_later_claim_is_paid_what_is_safe_then_the_supplement(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    first, second = room.unit(3), room.unit(7)
    for unit in (first, second):
        room.play(unit, 3)
        room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    room.verify(2)
    with pytest.raises(WrongState, match="amount changed"):
        room.confirm(2, amount=money(1003))
    room.confirm(2)
    room.pay(2)
    assert (room.hit(2).state, room.hit(2).confirmed) == ("paid", money(1002))
    room.reject(1, "R11", by=("mere", "anna"))
    assert (room.hit(2).state, room.hit(2).held) == ("confirmed", money(1003))
    room.confirm(2)
    room.pay(2, chips=money(1))
    assert room.hit(2).state == "paid"
    assert room.balance("royal:held") == room.balance("payable") == 0
    room.balanced()


def test_a_display_follows_the_press_through_the_broker(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3, display="d-03")
    room.play(unit, 1)
    room.display()
    panel = unit.panel
    assert panel is not None

    def reads() -> bool:
        reading = panel.reading(timezone.now())
        return reading is not None and json.loads(reading)["shown"][0]["value"] == 100_050

    wait_until(reads, what="the hardware display to show 1,000.50")
