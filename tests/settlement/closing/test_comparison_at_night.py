"""Closed days are compared once a night, by the clock of the casino; not whenever beat begins."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from pytest_django import Settings

from settlement.models import ClosedDayCheck
from settlement.tasks import compare_closed_days
from tables.models import Alarm, Casino, JackpotSystem
from tests.support.pages.page_ledger import Clock
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.house import House

pytestmark = pytest.mark.django_db

AUCKLAND, BERLIN, NEW_YORK = "Pacific/Auckland", "Europe/Berlin", "America/New_York"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Two casinos, each with a system, twelve hours apart; a third system is a rehearsal."""
    for code, zone in (("harbour", AUCKLAND), ("spree", BERLIN)):
        casino = Casino.objects.create(code=code, name=code, currency="NZD", timezone=zone)
        JackpotSystem.objects.create(casino=casino, code=f"of-{code}", name=code)
    casino = Casino.objects.get(code="harbour")
    JackpotSystem.objects.create(casino=casino, code="rehearsal-1", name="Rehearsal")
    return Clock(monkeypatch)


def compared(clock: Clock, zone: str, *local: int) -> list[str]:
    """The systems that the worker compares at that time of a zone."""
    clock.now = dt.datetime(*local, tzinfo=ZoneInfo(zone)).astimezone(dt.UTC)  # type: ignore[misc, arg-type]
    last = ClosedDayCheck.objects.count()
    with acting_as("worker"):
        compare_closed_days()
    return [each.system.code for each in ClosedDayCheck.objects.order_by("pk")[last:]]


def test_each_casino_is_compared_at_its_own_night(clock: Clock) -> None:
    assert compared(clock, AUCKLAND, 2026, 10, 30, 2, 59) == []
    assert compared(clock, AUCKLAND, 2026, 10, 30, 3, 0) == ["of-harbour"]
    assert compared(clock, BERLIN, 2026, 10, 30, 2, 59) == []
    assert compared(clock, BERLIN, 2026, 10, 30, 3, 0) == ["of-spree"]
    assert compared(clock, BERLIN, 2026, 10, 30, 4, 0) == []


def test_no_comparison_follows_a_young_one(clock: Clock) -> None:
    assert compared(clock, AUCKLAND, 2026, 10, 30, 3, 5) == ["of-harbour"]
    assert compared(clock, AUCKLAND, 2026, 10, 30, 3, 35) == []  # beat began again, say
    assert compared(clock, AUCKLAND, 2026, 10, 31, 3, 0) == ["of-harbour"]


def test_the_house_names_the_hour(clock: Clock, settings: Settings) -> None:
    settings.COMPARE_AT_HOUR = 5
    assert compared(clock, AUCKLAND, 2026, 10, 30, 3, 0) == []
    assert compared(clock, AUCKLAND, 2026, 10, 30, 5, 59) == ["of-harbour"]


def test_a_night_that_was_missed_is_one_alarm(clock: Clock) -> None:
    """The worker stands still at 03:00 of the 31st. What has no entry yet misses nothing."""
    clock.now = dt.datetime(2026, 10, 30, 2, tzinfo=ZoneInfo(AUCKLAND)).astimezone(dt.UTC)
    House(royal_terms())

    def alarms() -> list[tuple[str, int]]:
        rows = Alarm.objects.filter(kind="comparison_missed")
        return list(rows.values_list("subject", "count"))

    assert compared(clock, AUCKLAND, 2026, 10, 30, 3, 0) == ["of-harbour", "main"]
    assert compared(clock, AUCKLAND, 2026, 10, 31, 2, 30) == []
    assert alarms() == []
    for hour in (4, 9):
        assert compared(clock, AUCKLAND, 2026, 10, 31, hour, 30) == []
        assert alarms() == [("main 2026-10-31", 1)]
    assert compared(clock, AUCKLAND, 2026, 11, 1, 3, 0) == ["of-harbour", "main"]
    assert compared(clock, AUCKLAND, 2026, 11, 1, 4, 0) == []
    assert len(alarms()) == 1


@pytest.mark.parametrize("hour", [1, 2, 3])
@pytest.mark.parametrize(
    ("zone", "night"),
    [
        (AUCKLAND, (2026, 9, 27)),  # from 02:00 to 03:00
        (AUCKLAND, (2026, 4, 5)),  # from 03:00 back to 02:00
        (NEW_YORK, (2026, 3, 8)),  # from 02:00 to 03:00
        (NEW_YORK, (2026, 11, 1)),  # from 02:00 back to 01:00
    ],
)
def test_a_night_in_which_clocks_change_is_compared_once(
    clock: Clock, settings: Settings, zone: str, night: tuple[int, int, int], hour: int
) -> None:
    settings.COMPARE_AT_HOUR = hour
    Casino.objects.update(timezone=zone)
    day = dt.date(*night)
    first, behind = (
        dt.datetime.combine(day + dt.timedelta(days=days), dt.time(), ZoneInfo(zone))
        for days in (-1, 2)
    )
    clock.now = first.astimezone(dt.UTC)
    House(royal_terms())
    nights: list[int] = []

    def newest() -> int:
        return ClosedDayCheck.objects.order_by("-pk").values_list("pk", flat=True).first() or 0

    while clock.now < behind:
        clock.on(minutes=30)
        last = newest()
        with acting_as("worker"):
            compare_closed_days()
        if ClosedDayCheck.objects.filter(system__code="main", pk__gt=last).exists():
            nights.append((clock.now.astimezone(ZoneInfo(zone)).date() - day).days)
    assert nights == [-1, 0, 1]
    assert not Alarm.objects.filter(kind="comparison_missed").exists()
