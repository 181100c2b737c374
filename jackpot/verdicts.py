"""What the rules say of a hit's report."""

from __future__ import annotations

from typing import Any

from jackpot.books import Books, BooksError, Hit, Round
from jackpot.money import micros_to_minor
from rules.report import HandReport, ReportedSeat
from rules.tiers import TierTerms
from rules.verdict import Verdict, judge


def verdict_of(books: Books, hit: Hit) -> Verdict:
    """What the rules say of the hit's report."""
    if hit.report is None:
        raise BooksError(f"hit {hit.number} has no report to judge")
    found = books.rounds[(hit.table, hit.round)]
    report = hand_report(hit.report, found, books.digits)
    return judge(report, tiers_for(books, hit), books.digits)


def hand_report(body: dict[str, Any], found: Round, digits: int) -> HandReport:
    """The report in the form that the rules judge, with what is known of its round."""
    pot = body.get("pot")
    if found.pot is not None:
        pot = micros_to_minor(found.pot, digits)
    dealt = body.get("seats_dealt")
    return HandReport(
        game=found.game or "",
        deck=found.deck or 0,
        boards=tuple(tuple(board) for board in body["boards"]),
        flop_on_request=bool(body.get("flop_on_request")),
        seats=tuple(
            ReportedSeat(
                seat=hand["seat"],
                hole=tuple(hand["hole"]),
                exposed=hand["exposed"],
                folded=hand["folded"],
                participating=hand["participating"],
                won_pot=hand["won_pot"],
            )
            for hand in body["hands"]
        ),
        players_dealt=len(set(dealt)) if dealt else found.dealt,
        pot_minor=pot,
        round_void=found.void is not None,
    )


def tiers_for(books: Books, hit: Hit) -> dict[str, TierTerms]:
    """What the hit's table could win in its round, the highest prize first."""
    return {tier.code: tier.qualifies() for tier in books.prizes_for(hit)}


def strength_of(books: Books, hit: Hit, tier: str) -> list[int]:
    """What the best hand of the report is worth that may win the tier, to be compared as a list.

    Empty while there is no report, or none of its hands may win.
    """
    if hit.report is None:
        return []
    hands = (seat.hand for seat in verdict_of(books, hit).qualifying(tier))
    return max((hand.value.strength for hand in hands if hand is not None), default=[])
