"""Claims that depend on each other: paid, rejected and amended while others are open."""

from collections.abc import Callable

from jackpot.queries.payout_bounds import bounds_of_claim
from settlement.claims import services as claims
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.hands import BOARD, ROYAL, typed
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


def test_five_claims(open_room: OpenRoom) -> None:
    """Reset 1,000.00, 0.50 a round. The second hand is mistyped and for no prize yet."""
    room = open_room(royal_terms(), tables=4)
    units = {number: room.unit(number) for number in (3, 7, 8, 9)}
    rounds = {}
    hands = [(3, 3), (7, 4), (8, 1), (9, 6), (3, 1)]
    for number, (table, played) in enumerate(hands, 1):
        unit = units[table]
        room.play(unit, played)
        rounds[number] = (unit, unit.round)
        if number == 2:
            room.posted(unit, unit.report_hand([BOARD], [{"seat": 3, "hole": ["As", "Xs"]}]))
        else:
            room.posted(unit, unit.call_hand([3], "royal"))

    def amounts() -> list[int]:
        return [room.hit(number).held // money(1) for number in rounds]

    assert amounts() == [1002, 0, 1003, 1003, 1001]
    payout_bounds = bounds_of_claim(room.system, 5)
    assert payout_bounds is not None
    # Least where the fourth stands; most where none does: 1,000.00 and 15 rounds, rounded up.
    assert (payout_bounds.safe, payout_bounds.most) == (money(1001), money(1008))
    assert payout_bounds.waits_for == (1, 2, 3, 4)
    for number in (4, 5):
        unit, played = rounds[number]
        room.posted(unit, unit.report_hand([BOARD], [ROYAL], round_number=played))
    room.verify(5)
    room.confirm(5)
    room.pay(5)

    room.reject(3, "R04")
    assert amounts() == [1002, 0, 0, 1006, 1001]  # the fourth has 2.50 and its own 3.00
    room.play(units[8], 4)
    with acting_as("web"):
        claims.amend(room.claim(2), room.people["tom"], typed(ROYAL))
    # At its own place the fifth would lose nothing, but what is confirmed is not touched: it acts
    # here, on the 1,002.00 of the present pool, and its place stays as evidence.
    assert amounts() == [1002, 1002, 0, 1006, 1001]
    assert room.hit(2).acts_at > room.hit(5).place > room.hit(2).place
    room.reject(1, "R04")
    assert amounts() == [0, 1002, 0, 1007, 1001]  # 1,000.00 and 14 rounds for the fourth
    assert room.hit(5).standing == "closed"
    for number in (4, 2):
        room.verify(number)
        room.confirm(number)
        room.pay(number)
    assert room.balance("paid_cash") == money(1001 + 1007 + 1002)
    assert (room.pool(), room.balance("royal:held")) == (money(1000), 0)
    room.balanced()


def test_behind_twelve_open_claims(open_room: OpenRoom) -> None:
    """Nobody waits for them: 1,001.00 are safe by 4,096 outcomes, up to 1,007.00 may come."""
    room = open_room(royal_terms(), tables=4)
    units = [room.unit(number) for number in (3, 7, 8, 9)]
    for number in range(12):
        unit = units[number % 3]
        room.play(unit, 1)
        room.posted(unit, unit.call_hand([3], "royal"))
    last = units[3]
    room.play(last, 1)
    room.posted(last, last.report_hand([BOARD], [ROYAL]))
    payout_bounds = bounds_of_claim(room.system, 13)
    assert payout_bounds is not None
    assert (payout_bounds.safe, payout_bounds.most) == (money(1001), money(1007))
    assert payout_bounds.waits_for == tuple(range(1, 13))
    room.verify(13)
    room.confirm(13)
    room.pay(13)
    assert room.balance("paid_cash") == money(1001)
    for number in range(12, 1, -1):
        room.reject(number, "R11")
    payout_bounds = bounds_of_claim(room.system, 13)
    assert payout_bounds is not None
    assert (payout_bounds.safe, payout_bounds.most, payout_bounds.waits_for) == (
        money(1006),
        money(1007),
        (1,),
    )
    room.reject(1, "R11")
    room.confirm(13)  # the supplement
    room.pay(13)
    assert room.balance("paid_cash") == money(1007)
    assert (room.pool(), room.balance("royal:held")) == (money(1000), 0)
    room.balanced()
