"""Where a pool starts again from: overflow of a limit, reserve, operator; and back again."""

from collections.abc import Callable

from tests.support.cases.terms.adjusted_pool import adjust
from tests.support.play.books import royal_terms
from tests.support.play.hands import BOARD, ROYAL
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


def test_a_limit_its_overflow_and_the_reserve(open_room: OpenRoom) -> None:
    """0.50 a round up to 1,002.00, a tenth of the commission into the reserve."""
    increments = [
        {"source": "per_round", "amount": money(0.5)},
        {"source": "commission", "basis_points": 1000, "into": "reserve"},
    ]
    terms = royal_terms(increments=increments, limit=money(1002))
    room = open_room(terms | {"funding": "players"})
    three, seven = room.unit(3), room.unit(7)
    accounts = ("royal:pool", "royal:overflow", "royal:reserve", "operator")

    def has() -> list[float]:
        return [room.balance(account) / money(1) for account in accounts]

    room.play(three, 6)
    room.posted(three, three.complete(pot=20_000, commission=1_000))
    assert has() == [1002, 1, 1, -1003]
    room.play(three, 1)
    room.posted(three, three.call_hand([3], "royal"))
    assert room.hit(1).held == money(1002)
    # 1.50 of the overflow first, then the 1.00 of the reserve, then 997.50 of the operator.
    assert has() == [1000, 0, 0, -1003.5 - 997.5]
    room.play(seven, 2)
    assert has() == [1001, 0, 0, -1003.5 - 997.5 - 1]
    room.reject(1, "R04")
    # Everything is back where it came from; the two rounds found the pool at its limit.
    assert has() == [1002, 2.5, 1, -1003.5 - 1]
    room.balanced()


def test_19_14_a_a_display_that_stood_higher_is_paid_by_the_operator(open_room: OpenRoom) -> None:
    """1,002.00 was shown when the pool was taken down by 10.00; then the hand was called."""
    room = open_room(royal_terms())
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 4)
    assert room.display()["tiers"][0]["value"] == 100_200
    adjust(room, -10, "A05", below_reset="the notice was wrong")
    assert room.pool() == money(992)
    room.posted(three, three.report_hand([BOARD], [ROYAL]))
    assert room.hit(1).held == money(1002)
    assert room.balance("rounding") == -money(10)
    # A message from before that hand says nothing about the next one.
    room.play(seven, 1)
    room.posted(seven, seven.call_hand([3], "royal"))
    assert room.hit(2).held == money(1001)
    room.balanced()


def test_what_comes_after_the_hand_is_for_the_next_one(open_room: OpenRoom) -> None:
    """The round of the hand is completed later: its 3.00 are in the new pool (posted)."""
    sources = [{"source": "pot", "basis_points": 100}]
    room = open_room(royal_terms(increments=sources) | {"funding": "players"})
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 1)
    room.posted(three, three.report_hand([BOARD], [ROYAL]))
    room.posted(three, three.complete(pot=30_000))
    assert (room.hit(1).held, room.pool()) == (money(1000), money(1003))
    repeat = three.complete(pot=90_000)
    room.posted(three, repeat)  # once for each table and round
    room.play(seven, 1)
    room.posted(seven, seven.report_hand([BOARD], [ROYAL]))
    assert (room.hit(1).held, room.hit(2).held) == (money(1000), money(1003))
    room.balanced()
