"""The days of a place that are no working days, by rules of its pack.

What counts as a working day a law says for itself, and seldom as the list of public holidays: New
Zealand leaves out all days between Christmas and New Year. So a pack has rules of its own.
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from django.utils.translation import gettext as _
from msgspec import Meta

from settlement.core.gaming_day import DAY

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
Text = Annotated[str, Meta(min_length=1)]
MonthAndDay = Annotated[str, Meta(pattern=r"^\d\d-\d\d$")]
_SATURDAY, _SUNDAY = 5, 6
_LAST = -1


class Holiday(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A holiday of each year from `since` to `until`, by one of four ways.

    `date`: month and day, with `through` all days from there to that one; the `nth` `weekday` of a
    `month`, -1: the last; `easter`: so many days after Easter Sunday; `dates`: day by day.
    `observed`: what becomes of a Saturday or Sunday: `monday`, the next Monday, or the day after
    where that is a holiday; `nearest`, the Friday before or the Monday after. Left out: nothing.
    """

    name: Text
    date: MonthAndDay | None = None
    through: MonthAndDay | None = None
    month: Annotated[int, Meta(ge=1, le=12)] | None = None
    weekday: Weekday | None = None
    nth: Literal[1, 2, 3, 4, 5, -1] | None = None
    easter: Annotated[int, Meta(ge=-60, le=60)] | None = None
    dates: tuple[dt.date, ...] = ()
    observed: Literal["monday", "nearest"] | None = None
    since: Annotated[int, Meta(ge=1900, le=2999)] | None = None
    until: Annotated[int, Meta(ge=1900, le=2999)] | None = None

    @property
    def fault(self) -> str:
        """What is wrong with it, and what to correct; else empty."""
        parts = [self.month, self.weekday, self.nth]
        ways = [self.date, any(part is not None for part in parts), self.easter is not None]
        if sum(map(bool, [*ways, self.dates])) != 1:
            return _("needs one of date, month and weekday and nth, easter, dates: keep one")
        if ways[1] and None in parts:
            return _("needs month, weekday and nth together: add the others")
        if self.through and not self.date:
            return _("says through, and no date from which on")
        if self.observed and not self.date:
            return _("says observed, which is for a date alone: take it out")
        try:
            for text in filter(None, (self.date, self.through)):
                dt.date.fromisoformat(f"2001-{text}")
        except ValueError:
            return _("names a day that no year has: correct date and through")
        return ""

    def days_in(self, year: int) -> list[dt.date]:
        """Those that begin in that year, before any is moved."""
        if (self.since or year) > year or (self.until or year) < year:
            return []
        if self.date is not None:
            return self._span(year, self.date)
        if self.easter is not None:
            return [easter_sunday(year) + self.easter * DAY]
        if self.month is not None and self.weekday is not None and self.nth is not None:
            day = _nth_weekday(year, self.month, WEEKDAYS.index(self.weekday), self.nth)
            return [day] if day is not None else []
        return [each for each in self.dates if each.year == year]

    def _span(self, year: int, date: str) -> list[dt.date]:
        first = dt.date.fromisoformat(f"{year}-{date}")
        through = self.through or date
        last = dt.date.fromisoformat(f"{year + (through < date)}-{through}")
        return [first + DAY * n for n in range((last - first).days + 1)]


class Holidays(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The holidays of a place. `checked`: on which day somebody compared them with the source."""

    source: Text
    days: Annotated[tuple[Holiday, ...], Meta(min_length=1)]
    checked: dt.date | None = None

    @property
    def fault(self) -> str:
        """What is wrong with one of them; else empty."""
        faults = ((each.name, each.fault) for each in self.days)
        return next((f"{name}: {fault}" for name, fault in faults if fault), "")


def is_working(day: dt.date, holidays: Holidays | None) -> bool:
    """Whether it is a Monday to Friday, and no holiday."""
    if day.weekday() >= _SATURDAY:
        return False
    return holidays is None or day not in days_off(holidays, day.year)


@lru_cache(maxsize=256)
def days_off(holidays: Holidays, year: int) -> frozenset[dt.date]:
    """The holidays of that year as they are observed."""
    plain = [
        (day, each.observed)
        for each in holidays.days
        for of_year in (year - 1, year, year + 1)  # one may be moved over the new year
        for day in each.days_in(of_year)
    ]
    off = {day for day, _observed in plain}
    for day, observed in sorted(plain, key=lambda one: one[0]):
        if observed is not None and day.weekday() >= _SATURDAY:
            off.add(_moved(day, observed, off))
    return frozenset(day for day in off if day.year == year)


def _moved(day: dt.date, observed: str, off: set[dt.date]) -> dt.date:
    if observed == "nearest":
        return day - DAY if day.weekday() == _SATURDAY else day + DAY
    while day.weekday() >= _SATURDAY or day in off:
        day += DAY
    return day


def _nth_weekday(year: int, month: int, weekday: int, nth: int) -> dt.date | None:
    """None where the month has no fifth one.

    >>> _nth_weekday(2026, 11, 3, 4), _nth_weekday(2026, 5, 0, -1)
    (datetime.date(2026, 11, 26), datetime.date(2026, 5, 25))
    """
    if nth == _LAST:
        last = dt.date(year + month // 12, month % 12 + 1, 1) - DAY
        return last - (last.weekday() - weekday) % 7 * DAY
    first = dt.date(year, month, 1)
    day = first + ((weekday - first.weekday()) % 7 + 7 * (nth - 1)) * DAY
    return day if day.month == month else None


def easter_sunday(year: int) -> dt.date:
    """Of the Gregorian calendar, by the method of Meeus, Jones and Butcher.

    >>> easter_sunday(2026), easter_sunday(2038)
    (datetime.date(2026, 4, 5), datetime.date(2038, 4, 25))
    """
    century, of_century = divmod(year, 100)
    leaps, rest = divmod(century, 4)
    shift = (century - (century + 8) // 25 + 1) // 3
    moon = (19 * (year % 19) + century - leaps - shift + 15) % 30
    quads, left = divmod(of_century, 4)
    to_sunday = (32 + 2 * rest + 2 * quads - moon - left) % 7
    late = (year % 19 + 11 * moon + 22 * to_sunday) // 451
    month, day = divmod(moon + to_sunday - 7 * late + 114, 31)
    return dt.date(year, month, day + 1)
