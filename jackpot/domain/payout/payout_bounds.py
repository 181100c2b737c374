"""What a claim may still come to while earlier claims of its tier are open."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jackpot.domain.payout.competing_claims import CompetingClaims
from jackpot.domain.payout.outcomes import decisive, outcomes
from jackpot.domain.state.books import Books, Hit
from jackpot.domain.state.hits import PlacedHit
from jackpot.domain.state.placed_hits import placed_hit_of
from jackpot.domain.state.rebalance import start_of, timeline
from jackpot.hits.states import HitState

HIGHEST = (11,)  # above every category of hands


@dataclass(frozen=True, slots=True)
class PayoutBounds:
    """`safe` is the least over all outcomes of earlier open claims, `most` the highest; micros.

    `waits_for`: the hits whose decision makes the difference. `confirmed`: what has been confirmed
    so far. `is_nothing`: it won an empty pool, nothing can change that any more, and nobody has
    confirmed it yet.
    """

    safe: int
    most: int
    waits_for: tuple[int, ...]
    confirmed: int = 0
    is_nothing: bool = False

    @property
    def due(self) -> int:
        """What may be confirmed now: the whole, the safe amount, or a supplement."""
        return self.safe - self.confirmed


def bounds_of(books: Books, hit: Hit) -> PayoutBounds:
    """The payout bounds of a hit that holds a prize and was neither rejected nor reversed."""
    tier = hit.tier or ""
    if hit.strength is not None and hit.closing is None:
        return PayoutBounds(0, 0, (), 0)  # its period runs
    competing_claims = CompetingClaims(books).before(hit)
    if not competing_claims:
        return _settled(hit)
    rest = [
        other for other in books.hits_of(tier) if other is not hit and other not in competing_claims
    ]
    # An earlier hand may turn out to be for this prize.
    maybe = [_worst_for_others(placed_hit_of(books, other, tier)) for other in competing_claims]
    arguments = (
        start_of(books, tier),
        maybe,
        timeline(books, tier, rest),
        placed_hit_of(books, hit, tier),
    )
    safe, most = outcomes(*arguments)
    if safe < most:
        return PayoutBounds(safe, most, tuple(decisive(*arguments)), hit.confirmed)
    if most or hit.strength is None:
        return _settled(hit)
    # Nothing of a period may still be the better hand's.
    numbers = sorted(other.number for other in competing_claims)
    return PayoutBounds(0, 0, tuple(numbers), hit.confirmed)


def _settled(hit: Hit) -> PayoutBounds:
    """Nothing earlier can change what it comes to."""
    wins = hit.strength is None or hit.before is not None  # of a period only the best
    is_nothing = hit.held == 0 and hit.state == HitState.HELD and wins
    return PayoutBounds(hit.held, hit.held, (), hit.confirmed, is_nothing)


def _worst_for_others(placed_hit: PlacedHit) -> PlacedHit:
    """A hand that nobody has read may be the highest of its period."""
    return replace(placed_hit, strength=HIGHEST) if placed_hit.strength == () else placed_hit
