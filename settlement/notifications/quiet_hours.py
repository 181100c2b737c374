"""Quiet hours: from one time of day to another in a casino's zone, across midnight as well."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo


def end_of_quiet(
    now: dt.datetime, zone: ZoneInfo, first: dt.time | None, last: dt.time | None
) -> dt.datetime | None:
    """When the quiet that holds now is over; None where none holds.

    A day may have a time of day twice, or not at all: quiet holds through both, and ends where the
    clock passes its end.

    >>> auckland, night = ZoneInfo("Pacific/Auckland"), (dt.time(22), dt.time(7))
    >>> now = dt.datetime(2026, 11, 26, 23, 30, tzinfo=auckland)
    >>> end_of_quiet(now, auckland, *night).astimezone(auckland).isoformat()
    '2026-11-27T07:00:00+13:00'
    >>> end_of_quiet(dt.datetime(2026, 11, 26, 8, tzinfo=auckland), auckland, *night)
    """
    if first is None or last is None or first == last:
        return None
    local = now.astimezone(zone)
    time = local.time()
    across = last < first
    if not (time >= first or time < last if across else first <= time < last):
        return None
    day = local.date() + dt.timedelta(days=1 if across and time >= first else 0)
    for fold in (0, 1):
        end = dt.datetime.combine(day, last, zone).replace(fold=fold).astimezone(dt.UTC)
        if end > now:
            return end
    return None
