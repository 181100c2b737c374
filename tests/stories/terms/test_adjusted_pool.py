"""A pool is adjusted by two people between two hits, and the hit before it does not change."""

from collections.abc import Callable

import pytest

from jackpot.models import Tier
from settlement.core.errors import BadReason
from settlement.pools import adjustments
from tests.support.cases.terms.adjusted_pool import adjust
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


def test_up_and_down_at_its_own_place(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 2)
    room.posted(three, three.call_hand([3], "royal"))
    first = room.hit(1).held
    start = room.pool()
    adjust(room, 40, "A02")
    assert room.pool() == start + money(40)
    room.play(seven, 1)
    room.posted(seven, seven.call_hand([3], "royal"))
    assert room.hit(1).held == first
    assert room.hit(2).held >= start + money(40)
    # More than the pool has is refused; all that it has takes a reason of its own.
    before = room.pool()
    with pytest.raises(BadReason, match="cannot be taken back"):
        adjust(room, -5000, "A09")
    with pytest.raises(BadReason, match="below its reset amount"):
        adjust(room, -before / money(1), "A09")
    adjust(room, -before / money(1), "A09", below_reset="the jackpot moves to another casino")
    assert room.pool() == 0
    (down, up) = adjustments.adjustments_of(Tier.objects.get(system=room.system), 5)
    assert (up.before, up.after) == (start, start + money(40))
    assert (down.before, down.after) == (before, 0)
    room.reject(1, "R04")
    assert room.hit(1).held == 0
    room.balanced()
