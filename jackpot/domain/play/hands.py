"""Hands in the fold: a call or a report takes a place, holds a prize, is amended at its place.

A hand opens a hit whatever its cards say (19.11); what the rules say of the cards decides only
which prize it is for. Whether it is paid is for people.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from jackpot.domain.play.clock_disputes import clock_of
from jackpot.domain.play.hand_claims import sort_out
from jackpot.domain.play.rounds import remarks, round_of
from jackpot.domain.state.books import Books, Hit
from jackpot.domain.state.entries import EventEntry, Outcome
from jackpot.domain.state.rebalance import reassign_tier, weigh
from jackpot.domain.state.verdicts import stop_or_go_on, tiers_for, verdict_on
from jackpot.hits.columns import HandClock
from jackpot.hits.states import DECIDED, UNDECIDED
from rules.dead_hands import DEAD_HANDS
from rules.faults import MOST_BOARDS
from tables.protocol.messages import (
    Amount,
    CardText,
    HandCalled,
    HandReported,
    ReportedHand,
    Seat,
    Seats,
)

DeadHand = Annotated[str, msgspec.Meta(pattern=rf"^({'|'.join(DEAD_HANDS)})(?![\s\S])")]


class TypedHand(ReportedHand, frozen=True, kw_only=True, omit_defaults=True):
    """A seat's hand as typed on the console: a supervisor may have ruled it dead (20)."""

    dead: DeadHand | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The report part of `hand_reported`, from a unit or typed on the console."""

    boards: Annotated[list[list[CardText]], msgspec.Meta(max_length=MOST_BOARDS)]
    hands: list[TypedHand]
    flop_on_request: bool = False
    seats_dealt: Seats | None = None
    button_seat: Seat | None = None
    pot: Amount | None = None


def call(books: Books, entry: EventEntry, event: HandCalled) -> Outcome:
    """Three taps hold the place (19.11, 19.14(b))."""
    round_ = books.rounds.get((entry.table, event.round))
    if round_ is not None and round_.hit is not None:
        return {"flags": ["repeat"], "hit": round_.hit}
    hit, flags = open_hit(books, entry.seq, entry.table, event.round, clock=clock_of(entry))
    hit.called_seats = sorted(set(event.seats))
    if event.tier is not None:
        if is_played(books, hit, event.tier):
            reassign_tier(books, hit, event.tier, entry.seq)
        else:
            flags.append("unknown_tier")
    return opened(books, hit, flags)


def report(books: Books, entry: EventEntry, event: HandReported) -> Outcome:
    """The hand as the dealer typed it: a first report, or an amendment of the one before."""
    round_ = books.rounds.get((entry.table, event.round))
    flags: list[str] = []
    if round_ is not None and round_.hit is not None:
        hit = books.hits[round_.hit]
        if not any(each.state in UNDECIDED for each in books.hand_of(hit)):
            keep_beside(books, hit, report_in(event), entry.seq)
            return {"flags": ["after_decision"], "hit": hit.number}
        is_new = False
    else:
        place = (books, entry.seq, entry.table, event.round)
        hit, flags = open_hit(*place, dealt=event.seats_dealt, clock=clock_of(entry))
        is_new = True
    take_report(books, hit, report_in(event), entry.seq)
    return opened(books, hit, flags) if is_new else outcome_of(books, hit)


def report_in(event: HandReported) -> dict[str, Any]:
    """The report part of what a dealer typed."""
    hand_report = Report(**{field: getattr(event, field) for field in Report.__struct_fields__})
    document: dict[str, Any] = msgspec.to_builtins(hand_report)
    return document


def is_played(books: Books, hit: Hit, tier: str) -> bool:
    """Whether the hand may be called for that prize."""
    return tier in books.fed and tier in tiers_for(books, hit)


def take_report(books: Books, hit: Hit, body: dict[str, Any], seq: int) -> None:
    """Put a report in the place of the one before; the right tiers are found at the hit's place.

    Claims of the hand that people decided keep the report that they were decided on.
    """
    for claim in books.hand_of(hit):
        if claim.state in UNDECIDED:
            claim.report, claim.report_entry = body, seq
            books.dirty_hits.add(claim.number)
    keep_beside(books, hit, body, seq)
    sort_out(books, hit, won(books, hit, body), seq)
    weigh(books, books.hand_of(hit), seq)


def keep_beside(books: Books, hit: Hit, body: dict[str, Any], seq: int) -> None:
    """Keep what was reported since beside the decided claims of the hand: people look at it."""
    for claim in books.hand_of(hit):
        if claim.state not in UNDECIDED:
            claim.corrected = {"entry": seq, "report": body}
            books.dirty_hits.add(claim.number)


def judge_again(books: Books, table: str, number: int, seq: int) -> Outcome:
    """A figure of the round is known now: a minimum is judged, at the hand's place (rule 10).

    Empty where that changes no claim.
    """
    round_ = books.rounds[table, number]
    if round_.hit is None:
        return {}
    first = books.hits[round_.hit]
    hand = books.hand_of(first)
    report = next((claim.report for claim in hand if claim.state in UNDECIDED), None)
    before = [(claim.tier, claim.state) for claim in hand]
    if report is None or first.is_required:
        return {}
    sort_out(books, first, won(books, first, report), seq)
    weigh(books, books.hand_of(first), seq)
    hand = books.hand_of(first)
    if before == [(claim.tier, claim.state) for claim in hand]:
        return {}
    return outcome_of(books, first)


def won(books: Books, hit: Hit, body: dict[str, Any]) -> list[str]:
    """The prizes that the hand as reported is for, the highest first (rule 9).

    Of each jackpot the highest, or all of them, as it is posted. Where the highest alone wins and
    one is confirmed, that one: people reverse it before the hand is for another. None where the
    rules fail on the report: its claims are stopped.
    """
    tiers, verdict = tiers_for(books, hit), verdict_on(books, hit, body)
    stop_or_go_on(books, hit, verdict)
    qualifies = [code for code in tiers if verdict.qualifying(code)]
    granted = [claim for claim in books.hand_of(hit) if claim.state in DECIDED]
    confirmed = [claim.tier for claim in granted if claim.tier is not None]
    prizes: list[str] = []
    for terms in books.terms_at(hit.terms):
        if terms.is_at(hit.table):
            codes = {tier.code for tier in terms.tiers}
            wins = [code for code in qualifies if code in codes]
            if wins and terms.hand_wins == "highest":
                wins = [code for code in confirmed if code in codes] or wins[:1]
            prizes += wins
    return prizes


def open_hit(
    books: Books,
    seq: int,
    table: str,
    number: int,
    *,
    dealt: list[int] | None = None,
    clock: HandClock | None = None,
) -> tuple[Hit, list[str]]:
    """A hand takes the next number and the place of the entry `seq`; flags of its round."""
    round_ = round_of(books, table, number, dealt)
    books.hit_number += 1
    hit = Hit(
        number=books.hit_number,
        place=seq,
        table=table,
        round=number,
        terms=round_.terms,
        fed=dict(books.fed),
        values={tier: books.value(tier) for tier in books.fed},
        shown={tier: value for tier, value in books.displayed.items() if tier in books.fed},
        shown_seq=books.displayed_seq,
        clock=clock,
    )
    round_.hit = hit.number
    books.hits[hit.number] = hit
    books.dirty_hits.add(hit.number)
    # A winning hand in a round whose button was not pressed is valid (19.19).
    return hit, ([] if round_.started is not None else ["no_start"]) + remarks(round_)


def outcome_of(books: Books, hit: Hit) -> Outcome:
    """Where the hit stands after an entry that touched it; with others of its hand, all of them."""
    outcome: Outcome = {"hit": hit.number, "tier": hit.tier, "held": hit.held}
    hand = books.hand_of(hit)
    if len(hand) > 1:
        outcome["claims"] = [[claim.number, claim.tier, claim.state, claim.held] for claim in hand]
    return outcome


def opened(books: Books, hit: Hit, flags: list[str]) -> Outcome:
    """The entry that opened a hit keeps what counted at the time for settlement (19.8)."""
    here = [terms for terms in books.terms_at(hit.terms) if terms.is_at(hit.table)]
    if any(terms.is_suspended(hit.table, hit.tier) for terms in here):
        flags.append("suspended")  # it holds its prize all the same: people decide
    outcome = outcome_of(books, hit)
    outcome["values"] = hit.values
    outcome["shown"] = {"seq": hit.shown_seq, "values": hit.shown}
    if flags:
        outcome["flags"] = flags
    return outcome
