"""The last gaming day and month of a system that people closed, as the order says."""

from __future__ import annotations

from jackpot.domain.state.books import Books
from jackpot.models import Entry


def read_closes(books: Books, system_id: int) -> None:
    """Set the last gaming day and month that people closed; empty before the first."""
    books.day_closed = last_closed(system_id, "close_day", "day")
    books.month_closed = last_closed(system_id, "close_month", "month")


def last_closed(system_id: int, kind: str, name: str) -> str:
    """What the newest entry of that kind closed, by its outcome's `name`; empty before the first.

    Both kinds are named, so that their own small index serves.
    """
    closes = Entry.objects.filter(
        system=system_id, type=kind, type__in=["close_day", "close_month"]
    )
    newest = closes.exclude(outcome__has_key="refused").order_by("-seq").first()
    return "" if newest is None else str(newest.outcome[name])
