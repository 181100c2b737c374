"""Two numbers of identified players are one player, or are not any more: by two people's decision.

Who players are the order does not know. It moves nothing; what it leaves is which numbers count as
one from this gaming day on, and why (`settlement/sql/players_as_one.sql`).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from jackpot.domain.command_handlers.basis import Body, Reason, Refused, hit_of, two_people
from jackpot.domain.state.books import Books
from jackpot.domain.state.entries import CommandEntry, Outcome

_Number = Annotated[int, Meta(ge=1)]


class SamePlayer(Body, frozen=True, kw_only=True):
    """`player`: the number of who won on the seat of that hit; `is_one`: whether `other` is a
    second number of the same player, or was said to be by mistake."""

    hit: int
    seat: Annotated[int, Meta(ge=1, le=23)]
    player: _Number
    other: _Number
    is_one: bool
    reason: Reason


def same_player(books: Books, entry: CommandEntry, body: SamePlayer) -> Outcome:
    """Two people state that two numbers are one player, or take that back; nothing moves."""
    two_people(entry)
    hit = hit_of(books, body.hit)
    if body.player == body.other:
        raise Refused("These are not two numbers: nothing was changed.")
    return {"hit": hit.number, "seat": body.seat}
