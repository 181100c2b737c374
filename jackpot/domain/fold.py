"""The fold: one entry after the other moves the books. Deterministic, no I/O, no clock.

This file says what is whose: rounds are folded in `play.rounds`, hands in `play.hands`
(and in `play.pairing`, where people entered them before their unit did), what people
decided in `command_handlers`, and hands whose clocks suggest a different order in
`play.clock_disputes`.
"""

from __future__ import annotations

from jackpot.domain.command_handlers import decide
from jackpot.domain.command_handlers.lifecycle import suspend_dark
from jackpot.domain.play.clock_disputes import put_in_question
from jackpot.domain.play.hands import judge_again
from jackpot.domain.play.high_hands import close_period
from jackpot.domain.play.pairing import hand_of_unit
from jackpot.domain.play.rounds import change_session, close_session, complete, start
from jackpot.domain.state.books import Books, BooksError
from jackpot.domain.state.entries import (
    AnyEntry,
    CommandEntry,
    EventEntry,
    FactEntry,
    Outcome,
    SkippedEntry,
)
from tables.protocol.messages import (
    HandCalled,
    HandReported,
    HandWithdrawn,
    RoundCompleted,
    RoundsMissed,
    RoundStarted,
    SessionChanged,
    SessionClosed,
    SessionOpened,
    VoidRequested,
)

FOLD_VERSION = 4
"""Raised whenever a change here could fold an entry that was recorded before differently."""


def apply(books: Books, entry: AnyEntry) -> Outcome:
    """Move the books by one entry; the outcome goes into the entry and its block's hash.

    Raises BooksError for a fault of the fold itself: nothing of the entry may then be kept.
    """
    if entry.seq != books.seq + 1:
        raise BooksError(f"entry {entry.seq} does not follow {books.seq}")
    books.seq = entry.seq
    books.joined.clear()
    books.unjudged.clear()
    books.without_verdict = getattr(entry, "without_verdict", frozenset())
    outcome = _folded(books, entry)
    if questioned := put_in_question(books, entry.seq):
        outcome["flags"] = [*outcome.get("flags", []), "in_question"]
        outcome["in_question"] = questioned
    if books.unjudged:
        outcome["flags"] = [*outcome.get("flags", []), "no_verdict"]
        outcome["no_verdict"] = sorted(books.unjudged)
    return outcome


def _folded(books: Books, entry: AnyEntry) -> Outcome:
    match entry:
        case EventEntry():
            outcome = _flagged(_event(books, entry), entry.how)
            if entry.table in books.moved:  # sent before its unit heard of it
                outcome["flags"] = [*outcome.get("flags", []), "moved"]
            return outcome
        case CommandEntry():
            return decide(books, entry)
        case SkippedEntry():
            return _flagged(_skipped(entry), entry.how)
        case FactEntry():
            carry_out = _FACTS.get(entry.kind)
            return carry_out(books, entry) if carry_out is not None else {}


_FACTS = {"period_closed": close_period, "display_dark": suspend_dark}


def _flagged(outcome: Outcome, how: str) -> Outcome:
    flags = {"ahead": ["ahead_of_gap"], "late": ["late"]}.get(how, [])
    if flags:
        outcome["flags"] = [*outcome.get("flags", []), *flags]
    return outcome


def _skipped(entry: SkippedEntry) -> Outcome:
    people = {"first": entry.first, "second": entry.second, "reason": entry.reason}
    outcome: Outcome = {"flags": ["set_aside"], "set_aside": people}
    if entry.kind == "command":  # whoever waits for it is notified
        outcome["refused"] = f"It was set aside by {entry.first} and {entry.second}: {entry.reason}"
    return outcome


def _event(books: Books, entry: EventEntry) -> Outcome:
    event = entry.event
    if event.test:
        return {"flags": ["test"]}  # a unit in test mode moves nothing and opens nothing
    match event:
        case RoundStarted():
            return _judged(books, entry, event, start(books, entry, event))
        case RoundCompleted():
            return _judged(books, entry, event, complete(books, entry, event))
        case SessionOpened() | SessionChanged():
            return change_session(books, entry, event)
        case SessionClosed():
            return close_session(books, entry)
        case HandCalled() | HandReported():
            return hand_of_unit(books, entry, event)
        case RoundsMissed() | VoidRequested() | HandWithdrawn():
            return {"flags": ["request"]}  # a supervisor decides
        case _:
            return {}


def _judged(
    books: Books, entry: EventEntry, event: RoundStarted | RoundCompleted, outcome: Outcome
) -> Outcome:
    """A figure that came may decide which prizes the round's hand is for."""
    return outcome | judge_again(books, entry.table, event.round, entry.seq)
