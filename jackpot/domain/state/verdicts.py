"""What the rules say of a hit's report; and that they say nothing, where they fail on it.

One hand never halts a system. Whatever `rules` raises on a report, the hand keeps its place, wins
nothing that the rules would have to find, and its claims are stopped until a report of it is
judged: a stop of the kind `verdict`, opened and lifted by the fold. The outcome of the entry names
such hands, by their first claim, as `no_verdict`. That is a fact of the moment, as what displays
showed: whoever folds the order again, perhaps with the fault fixed, takes it from there.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from jackpot.domain.state.books import Books, BooksError, Hit, Round
from jackpot.hits.columns import is_unjudged
from jackpot.hits.states import UNDECIDED, StopKind
from jackpot.terms.money import micros_to_minor
from rules.phrases import Phrase
from rules.reasons import Reason
from rules.report import HandReport, ReportedSeat
from rules.tiers import TierTerms
from rules.verdict import SeatVerdict, Verdict, judge

log = logging.getLogger(__name__)

STOP = StopKind.VERDICT.value
NO_VERDICT = Reason(
    "19.20",
    Phrase(
        "The console cannot judge this hand: its rules fail on the report. The hand keeps its"
        " place. Call technical support. Once that is fixed, send the report again unchanged;"
        " amend it if it contains an error."
    ),
    against=True,
    seat=None,
    tier=None,
    code="no_verdict",
)


def verdict_of(books: Books, hit: Hit) -> Verdict:
    """What the rules say of the hit's report."""
    if hit.report is None:
        raise BooksError(f"hit {hit.number} has no report to judge")
    return verdict_on(books, hit, hit.report)


def verdict_on(books: Books, hit: Hit, body: dict[str, Any]) -> Verdict:
    """What the rules say of a report of the hit's hand; noted for this entry where they fail."""
    report = hand_report(body, books.rounds[(hit.table, hit.round)], books.digits)
    first = books.hand_of(hit)[0].number
    if first in books.without_verdict:
        verdict = _no_verdict(report)
    else:
        verdict = judged(report, tiers_for(books, hit), books.digits)
    if is_missing(verdict):
        books.unjudged.add(first)
    return verdict


def judged(report: HandReport, tiers: Mapping[str, TierTerms], digits: int) -> Verdict:
    """The rules' verdict, or one that says that they have none."""
    try:
        return judge(report, tiers, digits)
    except MemoryError:  # says nothing of the hand
        raise
    except Exception:
        log.exception("the rules fail on a report")
        return _no_verdict(report)


def is_missing(verdict: Verdict) -> bool:
    """Whether the rules failed on the report."""
    return NO_VERDICT in verdict.reasons


def stop_or_go_on(books: Books, hit: Hit, verdict: Verdict) -> None:
    """Stop the undecided claims of a hand that has no verdict; let them go on when it has one."""
    for claim in books.hand_of(hit):
        if claim.state not in UNDECIDED:
            continue
        if not is_missing(verdict):
            lift(books, claim)
        elif not is_unjudged(claim.stops):
            claim.stops.append({"entry": books.seq, "kind": STOP, "lifted": None})
            books.dirty_hits.add(claim.number)


def lift(books: Books, claim: Hit) -> None:
    """The claim does not wait for a verdict any more."""
    for stop in claim.stops:
        if (stop["kind"], stop["lifted"]) == (STOP, None):
            stop["lifted"] = books.seq
            books.dirty_hits.add(claim.number)


def hand_report(body: dict[str, Any], round_: Round, digits: int) -> HandReport:
    """The report in the form that the rules judge, with what is known of its round."""
    pot = body.get("pot")
    if round_.pot is not None:
        pot = micros_to_minor(round_.pot, digits)
    dealt = body.get("seats_dealt")
    return HandReport(
        game=round_.game or "",
        deck=round_.deck or 0,
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
                dead=hand.get("dead"),
            )
            for hand in body["hands"]
        ),
        players_dealt=len(set(dealt)) if dealt else round_.dealt,
        pot_minor=pot,
        round_void=round_.void is not None,
    )


def _no_verdict(report: HandReport) -> Verdict:
    seats = tuple(SeatVerdict(each.seat, None, Phrase.joined([]), ()) for each in report.seats)
    return Verdict(seats, (NO_VERDICT,), faults=True)


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
