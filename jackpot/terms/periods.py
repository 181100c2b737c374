"""The periods of high hands: where they end.

Periods are cut from the start of the gaming day in the casino's time zone, by the minutes that
pass: a day of 23 or 25 hours has fewer or more of them, and the last of a day ends with it. The
writer closes a period in the order before anything that was received after its end; where
nothing comes, Celery's beat calls for it (`period_calls`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from jackpot.terms.document import JackpotTerms
from tables.models import Casino

DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class GamingDay:
    """Where the gaming days of a casino begin."""

    zone: ZoneInfo
    starts: dt.time

    @classmethod
    def of(cls, casino: Casino) -> GamingDay:
        return cls(ZoneInfo(casino.timezone), casino.day_starts)

    def start_of(self, day: dt.date) -> dt.datetime:
        """The instant at which a gaming day begins."""
        return dt.datetime.combine(day, self.starts, self.zone).astimezone(dt.UTC)

    def next_end(self, after: dt.datetime, minutes: int) -> dt.datetime:
        """The first end of a period of so many minutes behind an instant.

        >>> night = dt.datetime(2026, 11, 21, 17, 50, tzinfo=dt.UTC)
        >>> GamingDay(ZoneInfo("UTC"), dt.time(6)).next_end(night, 30).isoformat()
        '2026-11-21T18:00:00+00:00'
        """
        day = after.astimezone(self.zone).date()
        if after < self.start_of(day):
            day -= DAY
        start, length = self.start_of(day), dt.timedelta(minutes=minutes)
        passed = (after.astimezone(dt.UTC) - start) // length
        return min(start + (passed + 1) * length, self.start_of(day + DAY))


@dataclass(frozen=True, slots=True, order=True)
class Ended:
    """A period that is over and not closed in the order yet."""

    ends: dt.datetime
    tier: str


def ended(
    began: Mapping[str, dt.datetime],
    terms: list[JackpotTerms],
    day: GamingDay,
    now: dt.datetime,
) -> list[Ended]:
    """All periods that ended until now, each at its own boundary, in their order.

    `began`: when each tier's present period did; `terms`: those in force.
    """
    if not began:
        return []
    high_hands = {tier.code: tier.high_hand() for posted in terms for tier in posted.tiers}
    periods: list[Ended] = []
    for tier, start in began.items():
        posted = high_hands.get(tier)
        if posted is not None:
            periods += [Ended(ends, tier) for ends in _ends(start, posted.period_minutes, day, now)]
    return sorted(periods)


def _ends(
    start: dt.datetime, minutes: int, day: GamingDay, now: dt.datetime
) -> Iterator[dt.datetime]:
    while (start := day.next_end(start, minutes)) <= now:
        yield start
