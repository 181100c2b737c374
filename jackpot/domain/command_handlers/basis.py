"""What all decisions share: their bodies, their refusals, two people, the claim they are about."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from jackpot.domain.state.books import Books, Hit
from jackpot.domain.state.entries import CommandEntry
from jackpot.hits.states import HitState


class Refused(Exception):
    """The decision cannot take effect; the message tells the person why and what to do."""


Reason = Annotated[str, Meta(min_length=1, max_length=500)]


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a command says. One that cannot be read is refused, and never halts its system."""


def two_people(entry: CommandEntry) -> None:
    """Refuse what one person would decide alone."""
    if entry.second is None or entry.second == entry.first:
        raise Refused("This takes two different people.")


def hit_of(books: Books, number: int) -> Hit:
    """The hit that a decision names."""
    hit = books.hits.get(number)
    if hit is None:
        raise Refused(f"There is no hit {number} on this system.")
    return hit


def open_hit(books: Books, number: int) -> Hit:
    """A hit of which nothing is decided yet."""
    hit = hit_of(books, number)
    if hit.state != HitState.HELD:
        raise Refused(f"This claim has been {STATE_WORDS[hit.state]} already: nothing was changed.")
    return hit


STATE_WORDS = {
    HitState.CONFIRMED: "confirmed",
    HitState.PAID: "confirmed and paid",
    HitState.REJECTED: "rejected",
    HitState.REVERSED: "reversed",
    HitState.WITHDRAWN: "withdrawn by an amended report",
    HitState.PAIRED: "found to be another claim's hand",
    HitState.OUTRANKED: "outranked: a better hand won its period",
}
