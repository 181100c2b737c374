"""Order decides money: the worked example to entry 172 and on, through broker and database.

One tier, reset 1,000.00, payable unit 1.00, operator contribution 0.50 a round. The pool of
10,000.37 at the start comes from a round at the completion, so the numbers of entries differ.
"""

from collections.abc import Callable

import pytest

from jackpot.queries.payout_bounds import bounds_of_claim
from settlement.core.errors import WrongState
from tests.support.cases.hands.worked_example import BOARD
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


def two_royals(open_room: OpenRoom) -> CardRoom:
    """The example to entry 172: A is called at table 3, then B at table 7."""
    sources = [
        {"source": "per_round", "amount": money(0.5), "players_min": 3},
        {"source": "pot", "basis_points": 10_000},
    ]
    room = open_room({**royal_terms(increments=sources), "funding": "players"})
    three, seven = room.unit(3), room.unit(7)
    room.posted(three, three.press([1, 3]))  # two players: no operator money
    room.posted(three, three.complete(pot=900_037))
    assert room.pool() == money(10_000.37)
    room.posted(three, three.press([1, 3]))
    room.posted(three, three.call_hand([3], "royal"))  # 101: claim A
    assert room.hit(1).held == money(10_001)
    assert room.pool() == money(1000)
    room.play(seven, 50)  # 102-151
    assert room.pool() == money(1025)
    assert room.display()["tiers"][0]["value"] == 102_500
    room.posted(seven, seven.call_hand([3], "royal"))  # 152: claim B
    rounds = {three: three.round, seven: seven.round}
    assert room.hit(2).held == money(1025)
    assert room.pool() == money(1000)
    room.play(seven, 20)  # 153-172
    assert room.pool() == money(1010)
    payout_bounds = bounds_of_claim(room.system, 2)
    assert payout_bounds is not None
    assert (payout_bounds.safe, payout_bounds.most, payout_bounds.waits_for) == (
        money(1025),
        money(10_026),
        (1,),
    )
    for unit, number in rounds.items():
        hand = {"seat": 3, "hole": ["As", "Ks"]}
        room.posted(unit, unit.report_hand([BOARD], [hand], round_number=number))
    room.balanced()
    return room


def test_to_entry_172(open_room: OpenRoom) -> None:
    room = two_royals(open_room)
    assert [room.hit(number).held for number in (1, 2)] == [money(10_001), money(1025)]
    assert room.balance("rounding") == -money(0.63)


def test_entry_173_a_rejected_then_b_paid(open_room: OpenRoom) -> None:
    room = two_royals(open_room)
    operator = room.balance("operator")
    room.reject(1, "R04")
    assert room.hit(1).held == 0
    assert room.hit(2).held == money(10_026)
    assert room.pool() == money(1010)
    assert room.balance("operator") == operator + money(1000)
    messages = {m["hit"]: m["text"] for m in room.display()["messages"]}
    assert messages[1] == "ROYAL FLUSH, TABLE 3: NOT CONFIRMED"
    room.verify(2)
    with pytest.raises(WrongState, match="amount changed"):
        room.confirm(2, amount=money(1025))
    room.confirm(2)
    room.pay(2)
    assert room.balance("paid_cash") == money(10_026)
    assert room.pool() == money(1010)
    room.balanced()


def test_the_other_way_a_paid_then_b(open_room: OpenRoom) -> None:
    room = two_royals(open_room)
    room.verify(1)
    room.confirm(1)
    room.pay(1)
    room.verify(2)
    room.confirm(2, by="anna")
    room.pay(2)
    assert room.balance("paid_cash") == money(11_026)
    assert room.pool() == money(1010)
    room.balanced()


def test_b_is_paid_before_173_and_then_the_supplement(open_room: OpenRoom) -> None:
    room = two_royals(open_room)
    room.verify(2)
    room.confirm(2)
    room.pay(2)
    assert (room.balance("paid_cash"), room.hit(2).standing) == (money(1025), "closed")
    room.reject(1, "R04")
    assert (room.hit(2).standing, room.hit(2).held) == ("confirmed", money(10_026))
    room.show_more(2)  # above 5,000.00 the terms ask for more
    room.confirm(2, amount=money(9001))
    room.pay(2)
    assert [line["amount"] for line in room.hit(2).payees] == [money(1025), money(9001)]
    assert room.balance("paid_cash") == money(10_026)
    assert room.pool() == money(1010)
    room.balanced()
