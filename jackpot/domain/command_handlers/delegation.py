"""A decision on one claim given to somebody whose role would not allow it, by two people.

Where everybody whose role decides was dealt in or has acted on the claim, a casino manager of
another house or compliance acts instead. It moves nothing. What it leaves is who was asked, in
which capacity, why, and who was left at that moment.
"""

from __future__ import annotations

from typing import Annotated, Literal

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

LogIn = Annotated[str, Meta(min_length=1, max_length=150)]


class DelegateClaim(Body, frozen=True, kw_only=True):
    """`person`, a log-in, acts on the claim as if in that capacity; `left`: log-ins of those whose
    role would have allowed it, and whom nothing kept from it."""

    hit: int
    person: LogIn
    capacity: Literal["manager", "supervisor"]
    reason: Reason
    left: tuple[LogIn, ...] = ()


def delegate_claim(books: Books, entry: CommandEntry, body: DelegateClaim) -> Outcome:
    """Two people gave a decision on a claim to a third; nothing moves."""
    two_people(entry)
    hit = hit_of(books, body.hit)
    if hit.state not in STANDING:
        raise Refused(f"This claim has been {STATE_WORDS[hit.state]} already: nothing was changed.")
    if body.person in (entry.first, entry.second):
        raise Refused("You cannot delegate a decision to yourself. Two other people must do it.")
    return {"hit": hit.number, "delegate": body.person}
