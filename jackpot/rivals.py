"""Which earlier open claims may change what a later one comes to.

A claim is for its prize, and as long as nobody has read the hand, or figures of its round may come
that a posted minimum asks for (rule 10), perhaps for another: it then counts for that one too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from jackpot.books import Books, Hit, Round
from jackpot.hits import is_level
from jackpot.terms import JackpotTerms, TierTerms
from jackpot.verdicts import hand_report, is_missing, is_unjudged, judged


def rivals_of(books: Books, hit: Hit) -> list[Hit]:
    """Open hits at earlier places whose decision may change what this one comes to."""
    tier = hit.tier or ""
    found = [
        other
        for other in books.hits.values()
        if other.state == "held"
        and (other.acts_on(tier) < hit.acts_at or is_level(other, hit))
        and (other.tier == hit.tier or may_be_for(books, other, hit.tier))
    ]
    return sorted(found, key=lambda other: other.acts_on(tier))


def may_be_for(books: Books, hit: Hit, tier: str | None) -> bool:
    """Whether an open claim may turn out to be for that prize instead of its own, or too."""
    prizes = books.prizes_for(hit)
    if all(found.code != tier for found in prizes):
        return False
    if hit.tier is None or hit.report is None or is_unjudged(hit.stops):
        return is_called_beside(books.terms_at(hit.terms), hit.tier, tier)
    hand = books.hand_of(hit)
    if any(claim.tier == tier and claim.state != "withdrawn" for claim in hand):
        return False  # the hand has its claim for that prize
    # One of its claims counts for them all: at most one is opened or moves.
    is_first = hit is next((claim for claim in hand if claim.state == "held"), None)
    if not is_first:
        return False
    found_round, possible = books.rounds[hit.table, hit.round], None
    if hand[0].number not in books.without_verdict:
        possible = still_possible(hit.report, found_round, prizes, books.digits)
    if possible is None:
        books.unjudged.add(hand[0].number)
    return possible is None or tier in possible


def is_called_beside(terms: Iterable[JackpotTerms], called: str | None, tier: str | None) -> bool:
    """Whether a hand called for one prize, that nobody has read, may be for the other (too).

    Of a jackpot whose highest prize alone is won it is for the prize that was called, or for a
    lower one if a minimum of that is not met.
    """
    for jackpot in terms:
        posted = {found.code: found for found in jackpot.tiers}
        if jackpot.hand_wins == "highest" and called in posted and tier in posted:
            own, other = posted[called], posted[tier]
            return _has_minimum(own) and own.rank < other.rank
    return True


def still_possible(
    report: dict[str, Any], found: Round, prizes: Iterable[TierTerms], digits: int
) -> set[str] | None:
    """The prizes that a read hand may be for, whatever figures of its round still come; None
    where the rules fail on it.

    The completion has the last word on the pot. The players dealt in are as the report says, or
    else as the last of start and completion says.
    """
    is_counted = bool(report.get("seats_dealt")) or None not in (found.started, found.completed)
    asked = list(prizes)
    if (found.completed is not None and is_counted) or not any(map(_has_minimum, asked)):
        return set()
    known = hand_report(report, found, digits)
    known = replace(
        known,
        pot_minor=known.pot_minor if found.completed is not None else None,
        players_dealt=known.players_dealt if is_counted else None,
    )
    verdict = judged(known, {tier.code: tier.qualifies() for tier in asked}, digits)
    if is_missing(verdict):
        return None
    return {tier.code for tier in asked if verdict.qualifying(tier.code)}


def _has_minimum(tier: TierTerms) -> bool:
    asked = tier.qualifies()
    return asked.pot_min_minor is not None or asked.players_dealt_min is not None
