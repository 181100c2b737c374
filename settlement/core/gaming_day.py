"""Gaming days: a day runs from the casino's start of day to the next one's, in its own zone; and an
instant as the casino's clocks show it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.utils import dateformat, timezone
from django.utils.translation import pgettext

from tables.models import Casino

DAY = dt.timedelta(days=1)
# The writer's clock gives entries their times, may be behind others, and commits a moment later.
SETTLES_WITHIN = dt.timedelta(minutes=1)


def start_of(day: dt.date, casino: Casino) -> dt.datetime:
    """The instant at which a gaming day begins."""
    starts = dt.datetime.combine(day, casino.day_starts, ZoneInfo(casino.timezone))
    return starts.astimezone(dt.UTC)


def day_of(instant: dt.datetime, casino: Casino) -> dt.date:
    """The gaming day to which an instant belongs."""
    day = instant.astimezone(ZoneInfo(casino.timezone)).date()
    return day if instant >= start_of(day, casino) else day - DAY


def local_time(instant: dt.datetime, casino: Casino) -> str:
    """For papers, in the language of now: `21 November 2026, 03:14:05 NZDT`."""
    local = instant.astimezone(ZoneInfo(casino.timezone))
    # Letters of Django's date format.
    return dateformat.format(local, pgettext("format of a time on a slip", "j F Y, H:i:s T"))


def today(casino: Casino) -> dt.date:
    return day_of(timezone.now(), casino)


def running_day(casino: Casino) -> dt.date:
    """The first gaming day that may still get entries."""
    return day_of(timezone.now() - SETTLES_WITHIN, casino)


@dataclass(frozen=True, slots=True)
class Days:
    """Gaming days from `first` to `last`, both included; None is open."""

    first: dt.date | None = None
    last: dt.date | None = None

    def start(self, casino: Casino) -> dt.datetime | None:
        return None if self.first is None else start_of(self.first, casino)

    def end(self, casino: Casino) -> dt.datetime | None:
        """The instant at which the day after the last begins."""
        return None if self.last is None else start_of(self.last + DAY, casino)

    @property
    def slug(self) -> str:
        """For the name of a file: `2026-11-01-to-2026-11-30`."""
        match self.first, self.last:
            case None, None:
                return "all"
            case first, None:
                return f"from-{first}"
            case None, last:
                return f"until-{last}"
            case first, last:
                return f"{first}" if first == last else f"{first}-to-{last}"


@dataclass(frozen=True, slots=True)
class Month:
    """A calendar month of gaming days."""

    year: int
    number: int

    @classmethod
    def of(cls, day: dt.date) -> Month:
        return cls(day.year, day.month)

    @classmethod
    def parse(cls, text: str) -> Month:
        """From `2026-11`. ValueError for anything else."""
        return cls.of(dt.datetime.strptime(f"{text}-01", "%Y-%m-%d").date())  # noqa: DTZ007

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.number:02d}"

    @property
    def name(self) -> str:
        return dateformat.format(self.first, "F Y")

    @property
    def first(self) -> dt.date:
        return dt.date(self.year, self.number, 1)

    @property
    def last(self) -> dt.date:
        return self.next.first - DAY

    @property
    def next(self) -> Month:
        return Month.of(self.first + dt.timedelta(days=31))

    @property
    def previous(self) -> Month:
        return Month.of(self.first - DAY)

    def days(self) -> Iterator[dt.date]:
        day = self.first
        while day.month == self.number:
            yield day
            day += DAY
