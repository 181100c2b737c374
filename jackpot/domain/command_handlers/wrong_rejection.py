"""Reversing the rejection of a claim that was wrong (19.12): the hand acts again at its own place.

Every account is then what it is without that rejection. What was confirmed for others meanwhile
stays theirs: what the tier does not give for it the operator covers.
"""

from __future__ import annotations

from jackpot.domain.command_handlers.basis import Body, Reason, Refused, hit_of, two_people
from jackpot.domain.play.hand_claims import sort_out
from jackpot.domain.play.hands import outcome_of, won
from jackpot.domain.state.books import Books, Hit
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.domain.state.rebalance import reassign_tier, weigh
from jackpot.hits.states import HitState


class ReverseRejection(Body, frozen=True, kw_only=True):
    """Why the rejection was wrong, on the newest report as both people read it."""

    hit: int
    report_entry: int | None
    reason: Reason
    evidence: Reason


def reverse_rejection(books: Books, entry: CommandEntry, body: ReverseRejection) -> Outcome:
    """Two people take a rejection back; the hand is judged by its newest report."""
    two_people(entry)
    hit = hit_of(books, body.hit)
    if hit.state != HitState.REJECTED:
        raise Refused("This claim is not rejected: nothing was changed.")
    report_entry, report = hit.newest_report
    if body.report_entry != report_entry:
        raise Refused("The report was corrected since the proposal: read it and propose again.")
    if hit.tier in books.closed:
        raise Refused("The prize of this claim was closed, and its pool is gone.")
    hit.state, hit.corrected = HitState.HELD, None
    hit.report, hit.report_entry = report, report_entry
    books.dirty_hits.add(hit.number)
    if hit.is_required:  # it holds nothing before somebody has said whose hand it is
        return outcome_of(books, hit)
    wins = won(books, hit, report) if report is not None else []
    tier = _prize(books, hit, wins)
    hit.tier = None
    reassign_tier(books, hit, tier, entry.seq, is_back=True)
    if report is not None:
        sort_out(books, hit, wins, entry.seq, is_back=True)
        weigh(books, books.hand_of(hit), entry.seq)
    return outcome_of(books, hit)


def _prize(books: Books, hit: Hit, wins: list[str]) -> str | None:
    """The prize that it was for; if the hand wins others, the first that no claim of it has."""
    if not wins or hit.tier in wins:
        return hit.tier
    claimed_tiers = {claim.tier for claim in books.hand_of(hit) if claim is not hit}
    return next((tier for tier in wins if tier not in claimed_tiers), None)
