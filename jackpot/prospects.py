"""What a claim may still come to while earlier claims of its tier are open."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jackpot.books import Books, Hit
from jackpot.hits import Mark, outcomes
from jackpot.marks import mark_of
from jackpot.resettle import start_of, story
from jackpot.rivals import rivals_of

HIGHEST = (11,)  # above every category of hands


@dataclass(frozen=True, slots=True)
class Prospect:
    """`safe` is the least over all outcomes of earlier open claims, `most` the highest; micros.

    `safe` is None where too many are open to try every outcome. `waits_for`: the hits whose
    decision makes the difference. `confirmed`: what has been confirmed so far. `is_nothing`: it
    won an empty pool, nothing can change that any more, and nobody has confirmed it yet.
    """

    safe: int | None
    most: int
    waits_for: tuple[int, ...]
    confirmed: int = 0
    is_nothing: bool = False

    @property
    def due(self) -> int:
        """What may be confirmed now: the whole, the safe amount, or a supplement."""
        return 0 if self.safe is None else self.safe - self.confirmed


def prospect_of(books: Books, hit: Hit) -> Prospect:
    """The prospect of a hit that holds a prize and was neither rejected nor reversed."""
    tier = hit.tier or ""
    if hit.strength is not None and hit.closing is None:
        return Prospect(0, 0, (), 0)  # its period runs
    maybe = rivals_of(books, hit)
    if not maybe:  # nothing earlier can change it any more
        wins = hit.strength is None or hit.before is not None  # of a period only the best
        is_nothing = hit.held == 0 and hit.state == "held" and wins
        return Prospect(hit.held, hit.held, (), hit.confirmed, is_nothing)
    rest = [found for found in books.hits_of(tier) if found is not hit and found not in maybe]
    # An earlier hand may turn out to be for this prize.
    safe, most = outcomes(
        start_of(books, tier),
        [_worst_for_others(mark_of(books, found, tier)) for found in maybe],
        story(books, tier, rest),
        mark_of(books, hit, tier),
    )
    safe = safe if safe is None else max(safe, hit.least)  # what is confirmed never falls
    return Prospect(
        safe, max(most, hit.least), tuple(sorted(found.number for found in maybe)), hit.confirmed
    )


def _worst_for_others(mark: Mark) -> Mark:
    """A hand that nobody has read may be the highest of its period."""
    return replace(mark, strength=HIGHEST) if mark.strength == () else mark
