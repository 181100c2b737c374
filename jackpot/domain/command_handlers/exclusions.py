"""A player who is on a list of excluded persons is paid all the same, by two people's decision.

Who is on a list the order does not know: the floor above asks for this before it queues a payment
(`settlement/sql/excluded_is_not_paid.sql`). It moves nothing. What it leaves is which matches with
the lists the two looked at, and why they do not keep the payment back.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from jackpot.domain.command_handlers.basis import (
    STATE_WORDS,
    Body,
    Reason,
    Refused,
    hit_of,
    two_people,
)
from jackpot.domain.state.books import Books
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.hits.states import STANDING


class ReleaseExcluded(Body, frozen=True, kw_only=True):
    """`matches`: the numbers of what was looked at; a later one stops the payment again."""

    hit: int
    seat: Annotated[int, Meta(ge=1, le=23)]
    matches: Annotated[tuple[Annotated[int, Meta(ge=1)], ...], Meta(min_length=1, max_length=500)]
    reason: Reason


def release_excluded(books: Books, entry: CommandEntry, body: ReleaseExcluded) -> Outcome:
    """Two people let the payment to the player of a seat go on; nothing moves."""
    two_people(entry)
    hit = hit_of(books, body.hit)
    if hit.state not in STANDING:
        raise Refused(f"This claim has been {STATE_WORDS[hit.state]} already: nothing was changed.")
    return {"hit": hit.number, "seat": body.seat}
