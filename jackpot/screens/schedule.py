"""When a slide is shown: by days, weekdays and times of the casino's zone. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

EVERY_DAY = (1, 2, 3, 4, 5, 6, 7)  # of the week, 1 is Monday


@dataclass(frozen=True, slots=True)
class Schedule:
    """Between which times on which days; what is None has no limit.

    A daypart that ends no later than it begins goes past midnight, and is of the day on which it
    begins.
    """

    days: Sequence[int] = EVERY_DAY
    starts: dt.time | None = None
    ends: dt.time | None = None
    first_day: dt.date | None = None
    last_day: dt.date | None = None

    def windows(
        self, zone: ZoneInfo, start: dt.datetime, end: dt.datetime
    ) -> list[tuple[dt.datetime, dt.datetime]]:
        """The spans in which it is shown that touch these instants, the first first."""
        return [each for each in self._spans(zone, start, end) if each[1] > start and each[0] < end]

    def is_on(self, zone: ZoneInfo, at: dt.datetime) -> bool:
        """Whether it is shown then."""
        return any(
            since <= at < until
            for since, until in self.windows(zone, at, at + dt.timedelta(seconds=1))
        )

    def _spans(
        self, zone: ZoneInfo, start: dt.datetime, end: dt.datetime
    ) -> Iterator[tuple[dt.datetime, dt.datetime]]:
        day = start.astimezone(zone).date() - dt.timedelta(days=1)  # it may go past midnight
        while day <= end.astimezone(zone).date():
            if self._is_day(day):
                since, until = self.starts or dt.time(), self.ends or dt.time()
                last = day + dt.timedelta(days=until <= since)
                yield tuple(  # type: ignore[misc]
                    dt.datetime.combine(date, time, zone).astimezone(dt.UTC)
                    for date, time in ((day, since), (last, until))
                )
            day += dt.timedelta(days=1)

    def _is_day(self, day: dt.date) -> bool:
        return (
            day.isoweekday() in self.days
            and (self.first_day is None or self.first_day <= day)
            and (self.last_day is None or day <= self.last_day)
        )
