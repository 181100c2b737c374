"""What people counted outside the books: the drop of a table, the balance at the bank.

Neither moves anything: the order keeps the figure, what the books expected, and who says so. A
later one corrects an earlier one by its number, and both stay. That the row behind it says the same
the database asks (`settlement/sql/command_has_its_count.sql`).
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from msgspec import Meta

from jackpot.domain.command_handlers.basis import Body, Refused
from jackpot.domain.state.books import Books
from jackpot.domain.state.entries import CommandEntry, Outcome

MOST = 10**17  # micros; sums of many stay within a bigint


class _Count(Body, frozen=True, kw_only=True):
    """`amount` was counted and `expected` stood in the books, in micros, at the end of the gaming
    day. `file`: SHA-256 of what it was imported from, or nothing. `corrects`: the command of the
    count that was wrong, `note` why."""

    day: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}(?![\s\S])")]
    expected: Annotated[int, Meta(ge=-MOST, le=MOST)]
    file: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?(?![\s\S])")]
    corrects: Annotated[int, Meta(ge=1)] | None
    note: Annotated[str, Meta(max_length=500)]


class CountDrop(_Count, frozen=True, kw_only=True):
    """The counted drop of one table."""

    table: Annotated[str, Meta(min_length=1, max_length=32)]
    amount: Annotated[int, Meta(ge=0, le=MOST)]


class EnterBalance(_Count, frozen=True, kw_only=True):
    """The bank account of the system's players' money; below zero it is overdrawn."""

    amount: Annotated[int, Meta(ge=-MOST, le=MOST)]


def count_drop(_books: Books, entry: CommandEntry, body: CountDrop) -> Outcome:
    """Somebody counted the drop of a table and gaming day; nothing moves."""
    _possible(entry, body)
    return {"table": body.table, "day": body.day}


def enter_balance(_books: Books, entry: CommandEntry, body: EnterBalance) -> Outcome:
    """Somebody entered the bank's balance at the end of a gaming day; nothing moves."""
    _possible(entry, body)
    return {"day": body.day}


def _possible(entry: CommandEntry, body: _Count) -> None:
    try:
        dt.date.fromisoformat(body.day)
    except ValueError as fault:
        raise Refused(f"There is no day {body.day}.") from fault
    if body.corrects is not None and body.corrects >= entry.number:
        raise Refused("It corrects a count that was not there before it.")
