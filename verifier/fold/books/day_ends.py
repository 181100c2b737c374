"""What every account held at the end of each gaming day, as the fold came by."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import date, timedelta

from verifier.fold.books.state import State
from verifier.fold.terms.calendar import Calendar


@dataclass(frozen=True, slots=True)
class DayEnd:
    """The last entry and transfer of a day, and the balances there in micros by account."""

    day: date
    seq: int
    transfer: int
    balances: dict[str, int]


class DayEnds:
    """The ends of all days that had entries, in order."""

    def __init__(self, calendar: Calendar) -> None:
        self._calendar = calendar
        self._ends: list[DayEnd] = []
        self._day: date | None = None
        self._over = ""  # when that day is over, as instants stand in the order
        self.first: date | None = None

    def is_over(self, at: str) -> bool:
        """Whether the day of the entry before is over then."""
        return at >= self._over

    def next_day(self, seq: int, at: str, state: State) -> None:
        """The first entry of a day, before it is folded."""
        if self._day is not None:
            balances = {code: held for code, held in state.balances.items() if held}
            self._ends.append(DayEnd(self._day, seq - 1, state.transfers, balances))
        self._day = self._calendar.read(at)
        self.first = self.first or self._day
        self._over = self._calendar.text_of(self._day + timedelta(days=1))

    def of(self, day: date) -> DayEnd | None:
        """The end of that day; None where it was not over, or before the first entry."""
        if self._day is None or day >= self._day:
            return None
        place = bisect_right(self._ends, day, key=lambda end: end.day)
        return self._ends[place - 1] if place else None
