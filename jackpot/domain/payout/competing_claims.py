"""Which earlier open claims may change what a later one comes to.

A claim is for its prize, and the first open one of a hand may turn out to be for another, or
another claim of the hand may be opened beside it (`jackpot.domain.payout.possible_prizes`): it
counts there too.
"""

from __future__ import annotations

from jackpot.domain.payout.possible_prizes import Hand
from jackpot.domain.state.books import Books, Hit
from jackpot.domain.state.hits import is_level
from jackpot.domain.state.verdicts import is_unjudged


def competing_claims_of(books: Books, hit: Hit) -> list[Hit]:
    """Open hits at earlier places whose decision may change what this one comes to."""
    tier = hit.tier or ""
    open_hits = [
        other
        for other in books.hits.values()
        if other.state == "held"
        and (other.acts_on(tier) < hit.acts_at or is_level(other, hit))
        and (other.tier == hit.tier or _may_come(books, other, tier))
    ]
    return sorted(open_hits, key=lambda other: other.acts_on(tier))


def _may_come(books: Books, hit: Hit, tier: str) -> bool:
    """Whether it may act on that tier at its own place: where a later hit is confirmed it would
    act where its prize becomes known, behind that (0006). A high hand has rules of its own."""
    places = [later.acts_at for later in books.hits_of(tier) if later.state != "held"]
    if tier not in books.periods and max(places, default=0) > hit.acts_on(tier):
        return False
    return may_be_for(books, hit, tier)


def may_be_for(books: Books, hit: Hit, tier: str) -> bool:
    """Whether an open claim may turn out to be for that prize instead of its own, or too."""
    if all(prize.code != tier for prize in books.prizes_for(hit)):
        return False
    hand = books.hand_of(hit)
    # One of its claims counts for them all: at most one is opened or moves.
    if hit is not next(claim for claim in hand if claim.state == "held"):
        return False
    known, possible = _known(books, hit, hand), None
    if known.report is None or hand[0].number not in books.without_verdict:
        possible = known.may_be_for()
    if possible is None:
        books.unjudged.add(hand[0].number)
    return possible is None or tier in possible


def _known(books: Books, hit: Hit, hand: list[Hit]) -> Hand:
    is_read = hit.tier is not None and not is_unjudged(hit.stops)
    return Hand(
        claims=tuple((claim.tier, claim.state) for claim in hand),
        report=hit.report if is_read else None,
        round=books.rounds[hit.table, hit.round],
        is_round_known=hit.round > 0,
        terms=tuple(books.terms_at(hit.terms)),
        prizes=tuple(books.prizes_for(hit)),
        digits=books.digits,
    )
