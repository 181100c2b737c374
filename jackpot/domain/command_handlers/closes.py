"""Closing a gaming day or a month, by two people, with the balance of every account at its end.

It moves nothing. A day is closed once, and days follow each other; so do months, each when its last
day is closed. That the figures are the running balances the database asks
(`settlement/sql/close_has_its_figures.sql`): the fold knows the balances of its own place alone.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from msgspec import Meta

from jackpot.domain.command_handlers.basis import Body, Refused, two_people
from jackpot.domain.state.books import Books
from jackpot.domain.state.entries import CommandEntry, Outcome

_DAY = dt.timedelta(days=1)
Place = Annotated[int, Meta(ge=0)]


class _Figures(Body, frozen=True, kw_only=True):
    """`figures`: micros by account after transfer `through_transfer`, the last one of entry
    `through_seq` or before it, which is the last entry of the day or month."""

    through_seq: Place
    through_transfer: Place
    figures: dict[str, int]


class CloseDay(_Figures, frozen=True, kw_only=True):
    """`day`: a gaming day, `2026-11-21`."""

    day: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}(?![\s\S])")]


class CloseMonth(_Figures, frozen=True, kw_only=True):
    """`month`: of gaming days, `2026-11`."""

    month: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}(?![\s\S])")]


def close_day(books: Books, entry: CommandEntry, body: CloseDay) -> Outcome:
    """Two people close the day that follows the last one that was closed."""
    two_people(entry)
    day = _date(body.day)
    if books.day_closed:
        last = dt.date.fromisoformat(books.day_closed)
        if day <= last:
            raise Refused(f"{day} has been closed already: nothing was changed.")
        if day > last + _DAY:
            raise Refused(f"Days are closed in order: close {last + _DAY} first.")
    _possible(books, entry, body)
    books.day_closed = body.day
    return {"day": body.day, "through_seq": body.through_seq}


def close_month(books: Books, entry: CommandEntry, body: CloseMonth) -> Outcome:
    """Two people close the month that follows the last one, once its last day is closed."""
    two_people(entry)
    first = _date(f"{body.month}-01")
    last = _first_of_next(first) - _DAY
    if books.month_closed:
        due = _first_of_next(_date(f"{books.month_closed}-01"))
        if first < due:
            raise Refused(f"{body.month} has been closed already: nothing was changed.")
        if first > due:
            raise Refused(f"Months are closed in order: close {due:%Y-%m} first.")
    if books.day_closed < last.isoformat():
        raise Refused(f"A month is closed after its days: {last} is not closed.")
    _possible(books, entry, body)
    books.month_closed = body.month
    return {"month": body.month, "through_seq": body.through_seq}


def _possible(books: Books, entry: CommandEntry, body: _Figures) -> None:
    """Refuse figures that cannot be those of a place before this entry."""
    if body.through_seq >= entry.seq or body.through_transfer > books.transfer_number:
        raise Refused("These figures are of no place before this entry.")
    unknown = sorted(body.figures.keys() - books.balances.keys())
    if unknown:
        raise Refused(f"There is no account {unknown[0]} on this system.")
    if total := sum(body.figures.values()):
        raise Refused(f"All accounts together come to {total} micros, and not to nothing.")


def _date(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError as fault:
        raise Refused(f"There is no day {text}.") from fault


def _first_of_next(first: dt.date) -> dt.date:
    return (first + dt.timedelta(days=31)).replace(day=1)
