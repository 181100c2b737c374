"""Where periods of a gaming day end, in the casino's own time."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_FORM = "%Y-%m-%dT%H:%M:%S.%fZ"


class Calendar:
    """The gaming days of a casino. Instants are texts in UTC, as in the order."""

    def __init__(self, zone: str, day_starts: str) -> None:
        self._zone, self._starts = ZoneInfo(zone), time.fromisoformat(day_starts)

    def next_end(self, began: str, minutes: int) -> str:
        """The end of the period that runs behind that instant: so many minutes each, counted from
        the day's start; the day's own end cuts the last one short."""
        behind = datetime.strptime(began, _FORM).replace(tzinfo=UTC)
        day = behind.astimezone(self._zone).date() - timedelta(days=1)
        while self._start(day + timedelta(days=1)) <= behind:
            day += timedelta(days=1)
        end = self._start(day)
        while end <= behind:
            end += timedelta(minutes=minutes)
        return min(end, self._start(day + timedelta(days=1))).strftime(_FORM)

    def text_of(self, day: date) -> str:
        """When that day begins, as instants stand in the order."""
        return self._start(day).strftime(_FORM)

    def read(self, instant: str) -> date:
        """The gaming day in which an instant of the order lies."""
        return self.day_of(datetime.strptime(instant, _FORM).replace(tzinfo=UTC))

    def day_of(self, instant: datetime) -> date:
        """The gaming day in which that lies."""
        day = instant.astimezone(self._zone).date()
        return day if self._start(day) <= instant else day - timedelta(days=1)

    def _start(self, day: date) -> datetime:
        return datetime.combine(day, self._starts, self._zone).astimezone(UTC)
