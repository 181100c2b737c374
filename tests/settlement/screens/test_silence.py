"""A screen that is not heard while its casino is open raises an alarm, once for each silence."""

import datetime as dt

import pytest
from django.utils import timezone
from pytest_django import Settings

from jackpot.models import Screen, ScreenReport, TableState
from settlement.screens import silence
from settlement.tasks import watch_screens
from tables.alarms import clear_alarm
from tables.intake.reception import receive
from tables.models import Alarm
from tables.protocol import messages, topics
from tables.protocol.inbound_message import InboundMessage
from tests.support.pages.page_staff import page_of
from tests.support.pages.screens import paired
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


@pytest.fixture
def screen(settings: Settings) -> Screen:
    settings.SCREEN_SILENT_AFTER_S = 600
    open_table(ClaimHouse(), dt.timedelta(hours=2))
    _, screen = paired()
    return screen


def open_table(house: ClaimHouse, ago: dt.timedelta) -> None:
    """It opened then, and its seats change since."""
    opening, seats = messages.SessionOpened, messages.SessionChanged
    for type_, at in ((opening, ago), (seats, dt.timedelta(0))):
        body = house.event("t3", type_, game="holdem", deck=52, dealer="d", seats_in_play=[1, 2])
        topic = topics.events(house.system.code, "t3")
        receive([InboundMessage.of(topic, body)], timezone.now() - at)
    house.post()


def heard(screen: Screen, ago: dt.timedelta) -> None:
    ScreenReport.objects.update_or_create(
        screen=screen, defaults={"at": timezone.now() - ago, "body": {"version": 1}}
    )


def alarms() -> list[Alarm]:
    return list(Alarm.objects.filter(kind=silence.ALARM).order_by("id"))


def test_a_silent_screen_raises_one_alarm_for_each_silence(screen: Screen) -> None:
    heard(screen, dt.timedelta(minutes=9))
    watch_screens()
    assert alarms() == []
    heard(screen, dt.timedelta(minutes=11))
    with acting_as("worker"):
        watch_screens()
        watch_screens()
    (alarm,) = alarms()
    assert (alarm.count, alarm.system) == (1, screen.casino.systems.get())
    last_at = screen.casino.local_minute(ScreenReport.objects.get().at)
    assert f"Lobby 1 (Entrance) was heard last at {last_at}: see" in alarm.message
    assert "Screen not responding" in page_of("mere", "/reconciliation/")
    clear_alarm(alarm, "mere", "The plug was out.")
    watch_screens()
    assert len(alarms()) == 1  # it is the same silence
    later = timezone.now() + dt.timedelta(hours=1)
    heard(screen, dt.timedelta(seconds=-60))
    silence.raise_for_silent(later)
    assert len(alarms()) == 2


def test_a_second_silence_counts_once_on_an_alarm_that_nobody_cleared(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    heard(screen, dt.timedelta(hours=1))
    watch_screens()
    heard(screen, dt.timedelta(seconds=-60))
    for minutes in (12, 13, 14):
        later = now + dt.timedelta(minutes=minutes)
        monkeypatch.setattr(timezone, "now", lambda at=later: at)
        watch_screens()
    (alarm,) = alarms()
    assert alarm.count == 2


def test_one_that_never_spoke_is_silent_since_it_was_paired(screen: Screen) -> None:
    silence.raise_for_silent(timezone.now())
    assert alarms() == []
    silence.raise_for_silent(timezone.now() + dt.timedelta(minutes=11))
    assert len(alarms()) == 1
    assert screen


def test_nobody_asks_while_the_casino_is_closed_or_the_screen_is_removed(screen: Screen) -> None:
    heard(screen, dt.timedelta(hours=1))
    Screen.objects.update(ended_at=timezone.now())
    assert not silence.silent(timezone.now())
    Screen.objects.update(ended_at=None)
    assert silence.silent(timezone.now())
    TableState.objects.update(session=None)
    assert not silence.silent(timezone.now())


def test_one_that_was_off_overnight_has_time_to_wake_when_tables_open(settings: Settings) -> None:
    settings.SCREEN_SILENT_AFTER_S = 600
    open_table(ClaimHouse(), dt.timedelta(minutes=2))
    _, screen = paired()
    heard(screen, dt.timedelta(hours=9))
    assert not silence.silent(timezone.now())
    assert silence.silent(timezone.now() + dt.timedelta(minutes=9))
