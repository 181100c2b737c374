"""A hand that was entered on the console, and what its table's unit says of it later (19.20).

The entry on the console is the hand's place. What the unit journalled meanwhile is paired with it
by table and round: no second hit is opened and nothing moves. Where nobody knows the round, or
seats and cards say that it is another hand, the unit's hand takes a place of its own, holds
nothing and waits for a person (`jackpot.domain.command_handlers.entered_hands`).

`Hit.pairing` as JSON, empty for every other hand. Of a hand entered on the console: `who` entered
it; `waits`, while nobody can say its round; `unit`, the newest entry of the unit that was paired
with it; `differs`, the one of these whose differences nobody has settled. Of a unit's hand that may
be one of those: `tier` as it was called; `waits`, until somebody has said; `same`, the hit that it
is. The round of a hand whose round nobody can say is its number below zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jackpot.domain.play.clock_disputes import clock_of
from jackpot.domain.play.hand_claims import sort_out
from jackpot.domain.play.hands import (
    call,
    is_played,
    keep_beside,
    open_hit,
    opened,
    outcome_of,
    report,
    report_in,
    take_report,
    won,
)
from jackpot.domain.state.books import Books, Hit, Round
from jackpot.domain.state.entries import EventEntry, Outcome
from jackpot.domain.state.rebalance import reassign_tier
from jackpot.hits.columns import HandClock
from jackpot.hits.states import OUT, UNDECIDED, HitState
from tables.protocol.messages import HandCalled, HandReported

Report = dict[str, Any]


@dataclass(frozen=True, slots=True)
class UnitReport:
    """What a unit said of a hand, by one event or by all so far; `clock`: of the first."""

    seats: frozenset[int]
    tier: str | None = None
    report: Report | None = None
    clock: HandClock | None = None


def hand_of_unit(books: Books, entry: EventEntry, event: HandCalled | HandReported) -> Outcome:
    """A hand from a table: paired, kept for a person to say, or taken as any hand."""
    round_ = books.rounds.get((entry.table, event.round))
    hit = books.hits.get(round_.hit) if round_ is not None and round_.hit is not None else None
    unit_report = unit_report_of(entry, event)
    if hit is not None and hit.is_entered:
        if hit.pairing["unit"] is not None or not _is_another(hit, unit_report):
            differs = match_report(books, hit, unit_report, entry.seq)
            is_open = any(claim.state in UNDECIDED for claim in books.hand_of(hit))
            flags = ["paired"] if is_open else ["paired", "after_decision"]
            return (
                outcome_of(books, hit)
                | {"flags": flags, "differs": differs}
                | report_flag(hit, entry.seq)
            )
        move_to(books, hit, -hit.number)  # the number that was typed is another hand's
        note(books, hit, waits=True)
        hit = None
    if hit is None and any(_waits_at(each, entry.table) for each in books.hits.values()):
        return _ask(books, entry, event, unit_report)
    if hit is not None and hit.is_required:
        return _more(books, hit, unit_report, entry.seq)
    if isinstance(event, HandCalled):
        return call(books, entry, event)
    return report(books, entry, event)


def unit_report_of(entry: EventEntry, event: HandCalled | HandReported) -> UnitReport:
    """One event, as far as it can be compared."""
    if isinstance(event, HandCalled):
        return UnitReport(frozenset(event.seats), event.tier, clock=clock_of(entry))
    hand_report = report_in(event)
    return UnitReport(_seats_in(hand_report), None, hand_report, clock_of(entry))


def match_report(books: Books, hit: Hit, unit_report: UnitReport, seq: int) -> list[str]:
    """Pair what the unit said with a hand that was entered; where they differ.

    A report is taken as the hand's first one if none was typed and no money moves by it. The
    unit's first word tells when the hand was recorded at the table.
    """
    if hit.pairing["unit"] is None:
        for claim in books.hand_of(hit):
            claim.clock = unit_report.clock
            books.joined.add(claim.number)
    is_open = any(claim.state in UNDECIDED for claim in books.hand_of(hit))
    differs = _differences(books, hit, unit_report)
    if unit_report.report is not None and hit.report is None and hit.state == HitState.HELD:
        if won(books, hit, unit_report.report) in ([], [hit.tier]):
            take_report(books, hit, unit_report.report, seq)
        else:
            differs.append("tier")
    note(books, hit, unit=seq, waits=False)
    if differs and is_open:
        note(books, hit, differs=seq)
    elif unit_report.report is not None and not is_open:
        keep_beside(books, hit, unit_report.report, seq)
    return differs


def note(books: Books, hit: Hit, **changes: Any) -> None:
    """Change the pairing of a hand, on all its claims."""
    for claim in books.hand_of(hit):
        claim.pairing = {**claim.pairing, **changes}
        books.dirty_hits.add(claim.number)


def report_flag(hit: Hit, seq: int) -> Outcome:
    """Says in the outcome of the entry `seq` that it brought the report that now counts."""
    return {"taken": True} if hit.report_entry == seq else {}


def move_to(books: Books, hit: Hit, number: int) -> None:
    """The hand's round has another number now: its own record, or that of what a unit sent."""
    hand, here = books.hand_of(hit), books.rounds[hit.table, hit.round]
    if (hit.table, number) not in books.rounds:
        fresh = Round(here.terms, here.game, here.deck, here.dealt)
        books.rounds[hit.table, number] = fresh
    books.rounds[hit.table, number].hit = hit.number
    if here.hit == hit.number:
        here.hit = None
    books.dirty_rounds |= {(hit.table, hit.round), (hit.table, number)}
    for claim in hand:
        claim.round = number
        books.dirty_hits.add(claim.number)


def stand_alone(books: Books, hit: Hit, seq: int) -> None:
    """The hand is one of its own: it acts at its place on the prizes that it is for."""
    called = hit.pairing["tier"]
    note(books, hit, waits=False)
    wins = won(books, hit, hit.report) if hit.report is not None else []
    if wins:
        sort_out(books, hit, wins, seq)
    elif called is not None and is_played(books, hit, called):
        reassign_tier(books, hit, called, seq)


def _waits_at(hit: Hit, table: str) -> bool:
    return hit.table == table and hit.is_entered and bool(hit.pairing["waits"])


def _ask(
    books: Books, entry: EventEntry, event: HandCalled | HandReported, unit_report: UnitReport
) -> Outcome:
    dealt = getattr(event, "seats_dealt", None)
    place = (books, entry.seq, entry.table, event.round)
    hit, flags = open_hit(*place, dealt=dealt, clock=unit_report.clock)
    hit.pairing = {"tier": unit_report.tier, "waits": True, "same": None}
    if isinstance(event, HandCalled):
        hit.called_seats = sorted(unit_report.seats)
    else:
        hit.report, hit.report_entry = unit_report.report, entry.seq
    return opened(books, hit, ["perhaps_entered", *flags])


def _more(books: Books, hit: Hit, unit_report: UnitReport, seq: int) -> Outcome:
    """What else the unit says of a hand that a person has to place."""
    if unit_report.report is None:
        return {"flags": ["repeat"], "hit": hit.number}
    hit.report, hit.report_entry = unit_report.report, seq
    books.dirty_hits.add(hit.number)
    return outcome_of(books, hit)


def _is_another(hit: Hit, unit_report: UnitReport) -> bool:
    """Whether not one seat, or not one card, is the same: one round has one hand, so the number
    that somebody typed must be wrong."""
    seats = {*hit.called_seats} | (_seats_in(hit.report) if hit.report else frozenset())
    if seats and unit_report.seats and not seats & unit_report.seats:
        return True
    if hit.report is None or unit_report.report is None:
        return False
    return not _cards_in(hit.report) & _cards_in(unit_report.report)


def _differences(books: Books, hit: Hit, unit_report: UnitReport) -> list[str]:
    differences = []
    tiers = {claim.tier for claim in books.hand_of(hit) if claim.state not in OUT}
    if unit_report.tier is not None and unit_report.tier not in tiers:
        differences.append("tier")
    seats = {*hit.called_seats} | (_seats_in(hit.report) if hit.report else frozenset())
    if seats and not unit_report.seats <= seats:
        differences.append("seats")
    if hit.report is not None and unit_report.report is not None:
        ours, theirs = _comparable(hit.report), _comparable(unit_report.report)
        differences += [name for name in ours if _says_otherwise(ours[name], theirs[name])]
    return differences


def _says_otherwise(ours: Any, theirs: Any) -> bool:
    return ours is not None and theirs is not None and ours != theirs


def _comparable(hand_report: Report) -> dict[str, Any]:
    """A report by what it says, whatever the order of cards and hands."""
    dealt = hand_report.get("seats_dealt")
    return {
        "boards": [sorted(board) for board in hand_report["boards"]],
        "hands": sorted(
            ({**hand, "hole": sorted(hand["hole"])} for hand in hand_report["hands"]),
            key=lambda hand: (hand["seat"], hand["hole"]),
        ),
        "flop_on_request": bool(hand_report.get("flop_on_request")),
        "seats_dealt": sorted(set(dealt)) if dealt else None,
        "button_seat": hand_report.get("button_seat"),
        "pot": hand_report.get("pot"),
    }


def _seats_in(hand_report: Report) -> frozenset[int]:
    """The seats whose cards lie on the table."""
    return frozenset(hand["seat"] for hand in hand_report["hands"] if hand["hole"])


def _cards_in(hand_report: Report) -> frozenset[str]:
    board = hand_report["boards"][0] if hand_report["boards"] else []
    return frozenset([*board, *(card for hand in hand_report["hands"] for card in hand["hole"])])
