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
from jackpot.domain.state.books import OUT, UNDECIDED, Books, Hit, Round
from jackpot.domain.state.entries import EventEntry, Outcome
from jackpot.domain.state.rebalance import retier
from tables.protocol.messages import HandCalled, HandReported

Report = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """What a unit said of a hand, by one event or by all so far; `clock`: of the first."""

    seats: frozenset[int]
    tier: str | None = None
    report: Report | None = None
    clock: dict[str, int] | None = None


def hand_of_unit(books: Books, entry: EventEntry, event: HandCalled | HandReported) -> Outcome:
    """A hand from a table: paired, kept for a person to say, or taken as any hand."""
    known = books.rounds.get((entry.table, event.round))
    hit = books.hits.get(known.hit) if known is not None and known.hit is not None else None
    told = told_by(entry, event)
    if hit is not None and hit.is_entered:
        if hit.pairing["unit"] is not None or not _is_another(hit, told):
            differs = meet(books, hit, told, entry.seq)
            is_open = any(claim.state in UNDECIDED for claim in books.hand_of(hit))
            flags = ["paired"] if is_open else ["paired", "after_decision"]
            return (
                outcome_of(books, hit)
                | {"flags": flags, "differs": differs}
                | taken(hit, entry.seq)
            )
        move_to(books, hit, -hit.number)  # the number that was typed is another hand's
        note(books, hit, waits=True)
        hit = None
    if hit is None and any(_waits_at(each, entry.table) for each in books.hits.values()):
        return _ask(books, entry, event, told)
    if hit is not None and hit.is_asked:
        return _more(books, hit, told, entry.seq)
    if isinstance(event, HandCalled):
        return call(books, entry, event)
    return report(books, entry, event)


def told_by(entry: EventEntry, event: HandCalled | HandReported) -> Told:
    """One event, as far as it can be compared."""
    if isinstance(event, HandCalled):
        return Told(frozenset(event.seats), event.tier, clock=clock_of(entry))
    said = report_in(event)
    return Told(_seats_in(said), None, said, clock_of(entry))


def meet(books: Books, hit: Hit, told: Told, seq: int) -> list[str]:
    """Pair what the unit said with a hand that was entered; where they differ.

    A report is taken as the hand's first one if none was typed and no money moves by it. The
    unit's first word tells when the hand was recorded at the table.
    """
    if hit.pairing["unit"] is None:
        for claim in books.hand_of(hit):
            claim.clock = told.clock
            books.joined.add(claim.number)
    is_open = any(claim.state in UNDECIDED for claim in books.hand_of(hit))
    differs = _differences(books, hit, told)
    if told.report is not None and hit.report is None and hit.state == "held":
        if won(books, hit, told.report) in ([], [hit.tier]):
            take_report(books, hit, told.report, seq)
        else:
            differs.append("tier")
    note(books, hit, unit=seq, waits=False)
    if differs and is_open:
        note(books, hit, differs=seq)
    elif told.report is not None and not is_open:
        keep_beside(books, hit, told.report, seq)
    return differs


def note(books: Books, hit: Hit, **changes: Any) -> None:
    """Change the pairing of a hand, on all its claims."""
    for claim in books.hand_of(hit):
        claim.pairing = {**claim.pairing, **changes}
        books.dirty_hits.add(claim.number)


def taken(hit: Hit, seq: int) -> Outcome:
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


def act_by_itself(books: Books, hit: Hit, seq: int) -> None:
    """The hand is one of its own: it acts at its place on the prizes that it is for."""
    called = hit.pairing["tier"]
    note(books, hit, waits=False)
    wins = won(books, hit, hit.report) if hit.report is not None else []
    if wins:
        sort_out(books, hit, wins, seq)
    elif called is not None and is_played(books, hit, called):
        retier(books, hit, called, seq)


def _waits_at(hit: Hit, table: str) -> bool:
    return hit.table == table and hit.is_entered and bool(hit.pairing["waits"])


def _ask(books: Books, entry: EventEntry, event: HandCalled | HandReported, told: Told) -> Outcome:
    dealt = getattr(event, "seats_dealt", None)
    place = (books, entry.seq, entry.table, event.round)
    hit, flags = open_hit(*place, dealt=dealt, clock=told.clock)
    hit.pairing = {"tier": told.tier, "waits": True, "same": None}
    if isinstance(event, HandCalled):
        hit.called_seats = sorted(told.seats)
    else:
        hit.report, hit.report_entry = told.report, entry.seq
    return opened(books, hit, ["perhaps_entered", *flags])


def _more(books: Books, hit: Hit, told: Told, seq: int) -> Outcome:
    """What else the unit says of a hand that a person has to place."""
    if told.report is None:
        return {"flags": ["repeat"], "hit": hit.number}
    hit.report, hit.report_entry = told.report, seq
    books.dirty_hits.add(hit.number)
    return outcome_of(books, hit)


def _is_another(hit: Hit, told: Told) -> bool:
    """Whether not one seat, or not one card, is the same: one round has one hand, so the number
    that somebody typed must be wrong."""
    known = {*hit.called_seats} | (_seats_in(hit.report) if hit.report else frozenset())
    if known and told.seats and not known & told.seats:
        return True
    if hit.report is None or told.report is None:
        return False
    return not _cards_in(hit.report) & _cards_in(told.report)


def _differences(books: Books, hit: Hit, told: Told) -> list[str]:
    found = []
    tiers = {claim.tier for claim in books.hand_of(hit) if claim.state not in OUT}
    if told.tier is not None and told.tier not in tiers:
        found.append("tier")
    known = {*hit.called_seats} | (_seats_in(hit.report) if hit.report else frozenset())
    if known and not told.seats <= known:
        found.append("seats")
    if hit.report is not None and told.report is not None:
        ours, theirs = _comparable(hit.report), _comparable(told.report)
        found += [name for name in ours if _says_otherwise(ours[name], theirs[name])]
    return found


def _says_otherwise(ours: Any, theirs: Any) -> bool:
    return ours is not None and theirs is not None and ours != theirs


def _comparable(said: Report) -> dict[str, Any]:
    """A report by what it says, whatever the order of cards and hands."""
    dealt = said.get("seats_dealt")
    return {
        "boards": [sorted(board) for board in said["boards"]],
        "hands": sorted(
            ({**hand, "hole": sorted(hand["hole"])} for hand in said["hands"]),
            key=lambda hand: (hand["seat"], hand["hole"]),
        ),
        "flop_on_request": bool(said.get("flop_on_request")),
        "seats_dealt": sorted(set(dealt)) if dealt else None,
        "button_seat": said.get("button_seat"),
        "pot": said.get("pot"),
    }


def _seats_in(said: Report) -> frozenset[int]:
    """The seats whose cards lie on the table."""
    return frozenset(hand["seat"] for hand in said["hands"] if hand["hole"])


def _cards_in(said: Report) -> frozenset[str]:
    board = said["boards"][0] if said["boards"] else []
    return frozenset([*board, *(card for hand in said["hands"] for card in hand["hole"])])
