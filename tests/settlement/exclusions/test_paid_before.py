"""A player who was paid before a list says that nobody should have: an alarm, once."""

import datetime as dt

import pytest

from settlement import tasks
from settlement.claims import services as claims
from settlement.core.gaming_day import today
from settlement.people.rights.permissions import Reauthenticated
from tables.alarms import clear_alarm
from tables.models import Alarm, Casino
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.exclusions import WIREMU, excluded, identified, released
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def paid(house: ConfirmedHouse) -> None:
    with acting_as("web"):
        claims.pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": house.amount})
    house.post()
    claims.catch_up(house.system)


def watched() -> None:
    with acting_as("worker"):
        tasks.watch_payments()


def test_who_was_paid_before_the_list_came_raises_an_alarm_once() -> None:
    """Nothing can stop that payment any more: compliance must know, and is told once."""
    house = ConfirmedHouse()
    identified(house.claim)
    paid(house)
    later = today(Casino.objects.get()) + dt.timedelta(days=1)
    excluded(house.claim, since=later, reference="SE-120")  # of whom it was lawful to pay
    watched()
    assert not Alarm.objects.exists()
    excluded(house.claim)
    for _ in range(2):
        watched()
    alarm = Alarm.objects.get()
    assert (alarm.kind, alarm.count, alarm.system) == ("excluded_person_paid", 1, house.system)
    assert alarm.message.startswith("The player of seat 3 of MAIN-1 was paid, and is on the list")
    assert "Self-exclusion, National register, reference SE-118" in alarm.message
    assert WIREMU.name not in alarm.message
    clear_alarm(alarm, "ines", "Letter to the regulator of today")
    watched()
    assert Alarm.objects.filter(kind="excluded_person_paid").count() == 1


def test_a_payment_that_two_people_released_raises_no_alarm() -> None:
    house = ConfirmedHouse()
    identified(house.claim)
    excluded(house.claim)
    released(house)
    paid(house)
    watched()
    assert not Alarm.objects.exists()
