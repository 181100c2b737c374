"""A wave of alarms calls a person three times, not two hundred."""

import datetime as dt

import pytest
from django.utils import timezone
from pytest_django import Settings

from settlement.models import Notification, Occasion
from settlement.notifications import choices
from settlement.notifications.choices import Quiet
from settlement.notifications.notices import WAVE
from tables.alarms import raise_alarm
from tables.models import GamingTable, UnitPresence
from tests.support.cases.confirmed_house import person
from tests.support.houses.notified_house import a_house, beat, kinds_of, mailed
from tests.support.people.cast import ClaimHouse


@pytest.fixture
def house(db: None, no_writer: None, settings: Settings) -> ClaimHouse:
    return a_house(settings)


def silence(house: ClaimHouse, first: int, last: int, kind: str = "screen_silent") -> None:
    for number in range(first, last + 1):
        raise_alarm(kind, f"t{number}", f"Table {number} is silent.", house.system)


def test_of_one_kind_three_are_told_until_somebody_reads_them(house: ClaimHouse) -> None:
    choices.choose(person("mere"), {"alarm.raised": ["page", "mail"]}, Quiet())
    silence(house, 1, 200)
    beat()
    assert kinds_of("mere") == ["alarm.raised"] * 3
    assert mailed() == [("mere", "Alarm: MAIN")] * 3
    silence(house, 201, 210)
    beat()
    assert kinds_of("mere") == ["alarm.raised"] * 3
    Notification.objects.filter(person=person("mere")).update(read_at=timezone.now())
    silence(house, 211, 211)
    beat()
    assert kinds_of("mere") == ["alarm.raised"] * 4


def test_another_kind_is_told_beside_a_wave(house: ClaimHouse) -> None:
    silence(house, 1, 20)
    beat()
    silence(house, 1, 1, "system_halt")
    beat()
    assert kinds_of("mere") == ["alarm.raised"] * 4


def test_a_wave_ends(house: ClaimHouse) -> None:
    """Who reads no page, but mail alone, is told again."""
    choices.choose(person("mere"), {"alarm.raised": ["mail"]}, Quiet())
    silence(house, 1, 20)
    beat()
    assert kinds_of("mere") == ["alarm.raised"] * 3
    Notification.objects.update(at=timezone.now() - WAVE - dt.timedelta(seconds=1))
    silence(house, 21, 21)
    beat()
    assert kinds_of("mere") == ["alarm.raised"] * 4


def test_claims_are_no_wave(house: ClaimHouse) -> None:
    for number in range(5):
        house.hit_royal(f"t{(3, 7)[number % 2]}")
    beat()
    assert kinds_of("sione").count("claim.held") == 5


def test_alarms_of_people_are_each_told(house: ClaimHouse) -> None:
    """The fourth reset of a factor in a row is the one that matters."""
    for name in ("aroha", "tane", "sione", "ines", "david"):
        raise_alarm("factor_reset", name, "Second factors were reset.")
    beat()
    assert kinds_of("mere") == ["alarm.raised"] * 5


def test_of_silent_units_three_are_told(house: ClaimHouse) -> None:
    choices.choose(person("mere"), {"device.silent": ["page"]}, Quiet())
    long_ago = timezone.now() - dt.timedelta(hours=1)
    tables = GamingTable.objects.bulk_create(
        GamingTable(system=house.system, code=f"x{number}", name=f"Table X{number}")
        for number in range(20)
    )
    for table in tables:
        UnitPresence.objects.create(table=table, heard_at=long_ago)
    beat()
    assert Occasion.objects.filter(kind="device.silent").count() >= 20
    assert kinds_of("mere") == ["device.silent"] * 3
