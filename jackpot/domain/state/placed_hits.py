"""A hit in the replay of a tier: where it acts there, and with which terms."""

from __future__ import annotations

from jackpot.domain.state.books import Books, BooksError, Hit
from jackpot.domain.state.hits import Closing, PlacedHit


def closing_of(books: Books, hit: Hit, tier: str) -> Closing | None:
    """Where the hit acts as a candidate for that high hand; None while its period runs."""
    closings = (step for step in books.steps.get(tier, []) if isinstance(step, Closing))
    if hit.closing is not None and hit.tier == tier:
        return next(step for step in closings if step.place == hit.closing)
    return next((step for step in closings if step.place > hit.acts_on(tier)), None)


def placed_hit_of(books: Books, hit: Hit, tier: str) -> PlacedHit:
    """The hit in the replay of that tier, which it is for or may turn out to be for."""
    terms = books.tier_terms(tier, hit.terms)
    high_hand = terms.high_hand()
    if high_hand is None:
        return hit.placed_hit(terms)
    end = closing_of(books, hit, tier)
    if end is None:
        raise BooksError(f"hit {hit.number} acts on {tier} before its period has ended")
    return PlacedHit(
        hit.number,
        end.place,
        end.fed,
        terms.reset,
        terms.payable_unit,
        terms.share,
        end.shown,
        end.shown_at,
        terms.prize,
        strength=tuple(hit.strength or ()),
        shared=high_hand.ties == "shared",
        least=hit.least,
    )
