"""When a slide is shown, in its casino's zone: dayparts, midnight, the change to summer time."""

import datetime as dt
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from jackpot.screens.schedule import Schedule

AUCKLAND = ZoneInfo("Pacific/Auckland")
FRIDAY = dt.date(2026, 11, 27)


def at(day: dt.date, clock: str) -> dt.datetime:
    return dt.datetime.combine(day, dt.time.fromisoformat(clock), AUCKLAND)


EVENING = Schedule((5, 6), dt.time(18), dt.time(2), FRIDAY, FRIDAY + dt.timedelta(days=7))


@pytest.mark.parametrize(
    ("days_on", "clock", "is_on"),
    [
        (0, "17:59", False),
        (0, "18:00", True),
        (1, "01:59", True),  # Friday's evening
        (1, "02:00", False),
        (1, "23:00", True),
        (2, "01:00", True),  # Saturday's
        (2, "18:30", False),
        (-1, "19:00", False),  # Thursday
        (-7, "19:00", False),  # before the first day
        (7, "19:00", True),  # the last day
        (8, "01:00", True),  # its night
        (8, "19:00", False),
    ],
)
def test_an_evening_on_two_days_of_the_week(days_on: int, clock: str, is_on: bool) -> None:
    moment = at(FRIDAY + dt.timedelta(days=days_on), clock)
    assert EVENING.is_on(AUCKLAND, moment.astimezone(dt.UTC)) is is_on


def test_without_limits_it_is_always_on() -> None:
    now = at(FRIDAY, "03:00")
    windows = Schedule().windows(AUCKLAND, now, now + dt.timedelta(days=2))
    assert all(one[1] == other[0] for one, other in pairwise(windows))
    assert windows[0][0] <= now
    assert windows[-1][1] >= now + dt.timedelta(days=2)


def test_clocks_that_go_forward_make_the_day_shorter() -> None:
    change = dt.date(2026, 9, 27)  # at 2:00 in Auckland
    ((since, until),) = Schedule(starts=dt.time(0), ends=dt.time(6), first_day=change).windows(
        AUCKLAND, at(change, "00:30"), at(change, "05:00")
    )
    assert until - since == dt.timedelta(hours=5)
