"""The claims of one hand: one for each prize that it is for, all at the hand's place (rule 9).

A hand opens a claim whatever its cards say. Where a jackpot posts that a hand wins each prize that
it qualifies for, its report opens the others; an amended report moves, opens or withdraws them.
"""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.domain.state.books import Books, Hit
from jackpot.domain.state.rebalance import reassign_tier, rebalance
from jackpot.hits.states import UNDECIDED, HitState


def sort_out(
    books: Books, hit: Hit, won: Sequence[str], seq: int, *, is_back: bool = False
) -> None:
    """Let the undecided claims of the hand be for the prizes that it wins, the highest first.

    A claim that fits stays. One that does not moves to a prize that has none yet; what is left
    over is withdrawn, and comes back if the report is amended again. What people decided stands:
    there is no second claim for that prize. A hand that wins nothing keeps its claims as they
    are, for people to decide. `is_back`: see `reassign_tier`.
    """
    hand = books.hand_of(hit)
    decided = {claim.tier for claim in hand if claim.state not in UNDECIDED}
    open_tiers = [tier for tier in won if tier not in decided]
    if not won:
        return
    held = [claim for claim in hand if claim.state == HitState.HELD]
    held_tiers = {claim.tier for claim in held if claim.tier in open_tiers}
    stale = [claim for claim in held if claim.tier not in held_tiers]
    withdrawn = {claim.tier: claim for claim in hand if claim.state == HitState.WITHDRAWN}
    for tier in open_tiers:
        if tier in held_tiers:
            continue
        if tier in withdrawn:
            _join(books, withdrawn[tier], tier, seq, is_back)
        elif stale:
            reassign_tier(books, stale.pop(0), tier, seq, is_back=is_back)
        else:
            _join(books, _beside(books, hand[0]), tier, seq, is_back)
    for claim in stale:
        _withdraw(books, claim, seq)


def _beside(books: Books, first: Hit) -> Hit:
    """One more claim of the hand, at its place."""
    books.hit_number += 1
    claim = Hit(
        number=books.hit_number,
        place=first.place,
        table=first.table,
        round=first.round,
        terms=first.terms,
        fed=first.fed,
        values=first.values,
        shown=first.shown,
        shown_seq=first.shown_seq,
        state=HitState.WITHDRAWN,
        called_seats=first.called_seats,
        pairing=first.pairing,
        clock=first.clock,
    )
    report = next(each for each in books.hand_of(first) if each.state in UNDECIDED)
    claim.report, claim.report_entry = report.report, report.report_entry
    books.hits[claim.number] = claim
    return claim


def hold_again(books: Books, claim: Hit, seq: int) -> None:
    """A claim that held nothing acts at its place; if everything up to there is decided, here."""
    held = (hit for hit in books.hits.values() if hit.state == HitState.HELD)
    earliest = min((hit.acts_at for hit in held), default=seq)
    if claim.acts_at < earliest:
        claim.act_at(seq, books.fed)
    claim.state, claim.tier = HitState.HELD, None
    books.dirty_hits.add(claim.number)


def _join(books: Books, claim: Hit, tier: str, seq: int, is_back: bool) -> None:
    if is_back:
        claim.state, claim.tier = HitState.HELD, None
        books.dirty_hits.add(claim.number)
    else:
        hold_again(books, claim, seq)
    reassign_tier(books, claim, tier, seq, is_back=is_back)


def _withdraw(books: Books, claim: Hit, seq: int) -> None:
    if claim.tier is not None:
        rebalance(books, claim.tier, seq, without=[claim])
    claim.state, claim.held, claim.before = HitState.WITHDRAWN, 0, None
    if claim.strength is not None:  # a candidate for a high hand
        claim.strength = claim.closing = claim.moved_to = None
    books.dirty_hits.add(claim.number)
