"""High hands in the fold: a period ends, its best candidates hold the prize (19.5, 19.6).

A candidate acts at the closing of the period in which its place lies. Everything else is as with
any hit: a rejection or an amendment is the difference between two replays of the tier, so that the
prize goes to the next best of the period, or stays in the pool for the period after it.
"""

from __future__ import annotations

import datetime as dt

from jackpot.domain.state.blocks import instant
from jackpot.domain.state.books import Books, BooksError, Hit
from jackpot.domain.state.entries import FactEntry, Outcome
from jackpot.domain.state.hits import Closing
from jackpot.domain.state.rebalance import rebalance
from jackpot.hits.states import HitState


def close_period(books: Books, entry: FactEntry) -> Outcome:
    """The writer recorded that a period has ended: `tier`, and `ends`, its boundary.

    The outcome keeps what counted at the time for settlement (19.8): the value, what the displays
    showed, and who holds what. Nobody: the prize rolls over.
    """
    tier, ends = entry.body["tier"], dt.datetime.fromisoformat(entry.body["ends"])
    if tier in books.closed:
        return {"tier": tier, "flags": ["closed"]}  # by a decision a moment before
    if tier not in books.periods or ends <= books.periods[tier]:
        raise BooksError(f"no period of {tier} ends at {instant(ends)}")
    values = {code: value for code, value in books.displayed.items() if code in books.fed}
    value = books.value(tier)
    showed = (values.get(tier, 0), books.displayed_seq or 0)
    at = Closing(entry.seq, books.fed[tier], *showed, _added_unclaimed(books, tier))
    candidates = [
        hit
        for hit in books.hits.values()
        if hit.tier == tier and hit.state == HitState.HELD and hit.closing is None
    ]
    books.periods[tier] = ends
    books.add_step(tier, at)
    for hit in candidates:
        hit.closing, hit.moved_to = entry.seq, None
        books.dirty_hits.add(hit.number)
    rebalance(books, tier, entry.seq, adding=candidates)
    return {
        "tier": tier,
        "value": value,
        "shown": {"seq": books.displayed_seq, "values": values},
        "candidates": [[hit.number, hit.held] for hit in candidates],
    }


def _added_unclaimed(books: Books, tier: str) -> int:
    """What the next prize is more by if nobody wins the one that is posted now.

    While the tier is suspended it conducts nothing, and no prize rolls over.
    """
    for terms in books.terms_at(books.terms_number):
        for tier_terms in terms.tiers:
            if tier_terms.code == tier and tier not in terms.suspended:
                high_hand = tier_terms.high_hand()
                is_added = high_hand is not None and high_hand.unclaimed == "added"
                return tier_terms.prize or 0 if is_added else 0
    return 0


def outrank(books: Books, winner: Hit) -> None:
    """A hand of the period is confirmed: those that it beat cannot win any more.

    An equal hand is none of them, whatever is left for it to share.
    """
    if winner.closing is None:
        return
    for hit in books.hits.values():
        of_period = (hit.tier, hit.closing) == (winner.tier, winner.closing)
        if of_period and hit.state == HitState.HELD and hit.before is None:
            hit.state = HitState.OUTRANKED
            books.dirty_hits.add(hit.number)
