"""Paid under one number, excluded under another: an alarm once two people state both to be one."""

import datetime as dt

import pytest

from settlement import tasks
from settlement.claims import services as claims
from settlement.core.gaming_day import today
from settlement.exclusions import release
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from tables.alarms import clear_alarm
from tables.models import Alarm
from tests.support.cases.confirmed_house import person
from tests.support.cases.exclusions import WHY, excluded
from tests.support.houses.office.other_name import OtherName
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
KIND = "excluded_person_paid"
house = kept_house(OtherName, JURISDICTIONS={"harbour": "nevada"})


def on_the_list(house: OtherName, since: dt.date = dt.date(2020, 5, 1)) -> None:
    """Ana Ruiz, by the passport alone: nothing of it is on the licence."""
    excluded(
        house.second,
        name="Ana María Ruiz",
        born=dt.date(1975, 5, 5),
        document_number="LA-123456",
        since=since,
    )


def subjects() -> list[str]:
    """Of all alarms after the worker looked twice."""
    with acting_as("worker"):
        tasks.watch_payments()
        tasks.watch_payments()
    alarms = Alarm.objects.filter(kind=KIND).order_by("subject")
    assert all(each.count == 1 for each in alarms)
    return [each.subject.partition(",")[0] for each in alarms]


FIRST, SECOND = "MAIN-1 seat 3", "MAIN-2 seat 3"


def test_compliance_is_told_once_two_numbers_are_one(house: OtherName) -> None:
    on_the_list(house)
    house.pay(house.second, cash=5_000)
    assert subjects() == [FIRST]  # under the passport, before the list came
    house.state()
    assert subjects() == [FIRST, SECOND]
    alarm = Alarm.objects.get(subject__startswith=SECOND)
    assert alarm.message == (
        "Seat 3 of MAIN-2 was paid. Two people stated that its player is the player of seat 3 of"
        " MAIN-1, who is on the list of excluded persons: Self-exclusion, National register,"
        " reference SE-118. Compliance decides whether the payment is reversed, and who must know."
    )
    clear_alarm(alarm, "ines", "Letter to the regulator of today")
    assert subjects() == [FIRST, SECOND]
    assert Alarm.objects.get(subject__startswith=SECOND).cleared_at


def test_a_list_that_comes_after_the_statement_finds_both(house: OtherName) -> None:
    house.pay(house.second, cash=5_000)
    house.state()
    on_the_list(house)
    assert subjects() == [FIRST, SECOND]


def test_the_first_day_of_the_entry_counts(house: OtherName) -> None:
    house.pay(house.second, cash=5_000)
    house.state()
    on_the_list(house, since=today(house.casino) + dt.timedelta(days=1))
    assert subjects() == []
    on_the_list(house, since=today(house.casino))
    assert subjects() == [FIRST, SECOND]


def test_what_was_taken_back_or_not_paid_raises_none(house: OtherName) -> None:
    on_the_list(house)
    house.state()
    assert subjects() == [FIRST]  # the second claim is stopped
    house.state(is_one=False)
    house.pay(house.second, cash=5_000)
    assert subjects() == [FIRST]


def test_a_payment_that_two_people_released_raises_none(house: OtherName) -> None:
    on_the_list(house)
    house.state()
    with acting_as("web"):
        proposal = release.propose(house.second, person("mere"), 3, WHY)
        release.agree(proposal, Reauthenticated(person("ines")))
    house.post()
    house.pay(house.second, cash=5_000)
    assert subjects() == [FIRST]


def test_a_number_that_is_joined_over_another_one_is_found(house: OtherName) -> None:
    """The third is stated to be the second, and that the first: so all are one."""
    third = house.win("Lee", number="X9")
    house.pay(third, cash=5_000)
    on_the_list(house)
    _one, other, last = house.numbers
    house.join(last, other)
    assert subjects() == [FIRST]
    house.state()
    assert subjects() == [FIRST, "MAIN-3 seat 3"]
    claims.catch_up(house.system)
    assert Claim.objects.count() == 3
