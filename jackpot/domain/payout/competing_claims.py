"""Which earlier open claims may change what a later one comes to (19.14).

A claim is for its prize, and the first open one of a hand may turn out to be for another, or
another claim of the hand may be opened beside it (`jackpot.domain.payout.possible_prizes`): it
counts there too. The writer asks this of its books, a list of claims of books that hold no more
than open claims (`jackpot.queries.open_claims`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jackpot.domain.payout.possible_prizes import Hand
from jackpot.domain.state.books import Books, Hit
from jackpot.domain.state.hits import is_level
from jackpot.hits.columns import is_unjudged
from jackpot.hits.states import HitState


@dataclass(slots=True)
class CompetingClaims:
    """Asked of books that do not change meanwhile: each hand is judged once.

    `decided`: by tier, where the last decided hit acts, for books that hold open claims alone.
    """

    books: Books
    decided: Mapping[str, int] | None = None
    _possible: dict[int, set[str] | None] = field(default_factory=dict)  # by a hand's first claim

    def before(self, hit: Hit) -> list[Hit]:
        """Open hits at earlier places whose decision may change what this one comes to."""
        tier, held = hit.tier or "", HitState.HELD  # looked up once: there may be many hits
        open_hits = [
            other
            for other in self.books.hits.values()
            if other.state == held
            and (other.acts_on(tier) < hit.acts_at or is_level(other, hit))
            and (other.tier == hit.tier or self._may_come(other, tier))
        ]
        return sorted(open_hits, key=lambda other: other.acts_on(tier))

    def may_be_for(self, hit: Hit, tier: str) -> bool:
        """Whether an open claim may turn out to be for that prize instead of its own, or too."""
        books = self.books
        if all(prize.code != tier for prize in books.prizes_for(hit)):
            return False
        hand = books.hand_of(hit)
        # One of its claims counts for them all: at most one is opened or moves.
        if hit is not next(claim for claim in hand if claim.state == HitState.HELD):
            return False
        if hit.number not in self._possible:
            self._possible[hit.number] = self._prizes(hit, hand)
        possible = self._possible[hit.number]
        return possible is None or tier in possible

    def _may_come(self, hit: Hit, tier: str) -> bool:
        """Whether it may act on that tier at its own place: where a later hit is confirmed it would
        act where its prize becomes known, behind that (0006). A high hand has rules of its own."""
        if tier not in self.books.periods and self._last_decided(tier) > hit.acts_on(tier):
            return False
        return self.may_be_for(hit, tier)

    def _last_decided(self, tier: str) -> int:
        if self.decided is not None:
            return self.decided.get(tier, 0)
        held = HitState.HELD
        places = (hit.acts_at for hit in self.books.hits_of(tier) if hit.state != held)
        return max(places, default=0)

    def _prizes(self, hit: Hit, hand: list[Hit]) -> set[str] | None:
        """What the hand may still be for; None where the rules fail on its report."""
        reported, first = _reported_hand(self.books, hit, hand), hand[0].number
        possible = None
        if reported.report is None or first not in self.books.without_verdict:
            possible = reported.may_be_for()
        if possible is None:
            self.books.unjudged.add(first)
        return possible


def _reported_hand(books: Books, hit: Hit, hand: list[Hit]) -> Hand:
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
