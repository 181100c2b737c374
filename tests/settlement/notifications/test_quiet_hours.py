"""Quiet hours across midnight, and on days on which the clock is changed."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from settlement.notifications.quiet_hours import end_of_quiet

AUCKLAND = ZoneInfo("Pacific/Auckland")
NIGHT = (dt.time(22), dt.time(7))
EARLY = (dt.time(1), dt.time(2, 30))


def end(text: str, hours: tuple[dt.time, dt.time], fold: int = 0) -> str | None:
    now = dt.datetime.fromisoformat(text).replace(tzinfo=AUCKLAND, fold=fold)
    over = end_of_quiet(now.astimezone(dt.UTC), AUCKLAND, *hours)
    return over.astimezone(AUCKLAND).isoformat() if over else None


@pytest.mark.parametrize(
    ("text", "hours", "over"),
    [
        ("2026-11-26T21:59", NIGHT, None),
        ("2026-11-26T22:00", NIGHT, "2026-11-27T07:00:00+13:00"),
        ("2026-11-27T00:00", NIGHT, "2026-11-27T07:00:00+13:00"),
        ("2026-11-27T06:59", NIGHT, "2026-11-27T07:00:00+13:00"),
        ("2026-11-27T07:00", NIGHT, None),
        ("2026-11-26T13:00", (dt.time(12), dt.time(14)), "2026-11-26T14:00:00+13:00"),
        ("2026-11-26T14:00", (dt.time(12), dt.time(14)), None),
        # The clock goes from 02:00 to 03:00: there is no 02:30.
        ("2026-09-26T23:00", NIGHT, "2026-09-27T07:00:00+13:00"),
        ("2026-09-27T01:30", EARLY, "2026-09-27T03:30:00+13:00"),
        # It goes from 03:00 back to 02:00: there are two.
        ("2026-04-04T23:00", NIGHT, "2026-04-05T07:00:00+12:00"),
        ("2026-04-05T01:30", EARLY, "2026-04-05T02:30:00+13:00"),
    ],
)
def test_when_quiet_is_over(text: str, hours: tuple[dt.time, dt.time], over: str | None) -> None:
    assert end(text, hours) == over


def test_the_second_of_two_equal_hours() -> None:
    assert end("2026-04-05T02:15", EARLY, fold=1) == "2026-04-05T02:30:00+12:00"
    assert end("2026-04-05T02:45", EARLY, fold=1) is None
