"""A payee whom nobody identified: what is paid to the seat in parts counts together, and what the
place wants to know before a payment is known before it."""

import pytest
from pytest_django import Settings

from settlement import tasks
from settlement.core.errors import NotIdentified
from settlement.models import Payout
from tables.models import Alarm
from tests.support.houses.winners import RESIDENT, UNIT, WinnersHouse
from tests.support.pages.page_staff import page_of
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


@pytest.fixture(autouse=True)
def nevada(settings: Settings) -> None:
    settings.JURISDICTIONS = {"harbour": "nevada"}


def watch() -> None:
    with acting_as("worker"):
        tasks.watch_payments()


def test_who_is_paid_unidentified_above_the_limit_raises_an_alarm_once() -> None:
    """From 2,000.00 on Nevada's rules ask who it is; a prize of 1,999.00 does not."""
    small = WinnersHouse(1_999)
    small.pay(small.win(), cash=1_999)
    for _ in range(2):
        watch()
    assert not Alarm.objects.exists()


def test_a_prize_at_the_limit_raises_it_once() -> None:
    house = WinnersHouse(2_000)
    house.pay(house.win("Somebody"), cash=2_000)
    watch()
    assert not Alarm.objects.exists()
    house.pay(house.win(), cash=2_000)
    for _ in range(2):
        watch()
    alarm = Alarm.objects.get()
    assert (alarm.kind, alarm.subject, alarm.count) == ("paid_unidentified", "MAIN-2 seat 3", 1)
    assert "Identify the person, from USD 2,000 in one payment" in alarm.message


def test_a_part_of_a_prize_raises_it_like_the_whole() -> None:
    """1,900.00 of 12,000.00: the prize reaches the limit, whatever its parts."""
    house = WinnersHouse(12_000)
    claim = house.win()
    for _ in range(5):
        house.pay(claim, cash=1_900)
    watch()
    assert Alarm.objects.get().subject == "MAIN-1 seat 3"


def test_parts_of_a_day_count_together_for_the_report_of_cash() -> None:
    """6,000.00 twice: the second makes it 12,000.00 in cash, above 10,000.00."""
    house = WinnersHouse(12_000)
    claim = house.win()
    house.pay(claim, cash=6_000)
    needed = house.needs(claim)
    assert needed.day is None  # nobody knows who it is
    assert needed.total == 12_000 * UNIT
    text = "FinCEN Form 112, if paid in cash: USD 12,000.00 today"
    assert text in [each.text for each in needed.duties()]


def test_above_the_limit_nobody_is_paid_in_cash_who_is_not_identified() -> None:
    """31 CFR 1010.312 asks for it before the payment: 10,000.00 in cash may be paid, and no cent
    more; by cheque the rest may."""
    house = WinnersHouse(12_000)
    claim = house.win()
    with pytest.raises(NotIdentified, match=r"Identify the player of seat 3 first.*1010\.312"):
        house.pay(claim, RESIDENT, cash=12_000)
    house.pay(claim, RESIDENT, cash=6_000)
    with pytest.raises(NotIdentified):
        house.pay(claim, RESIDENT, cash=4_001)
    page = page_of("aroha", f"/claims/main/{claim.number}/cage/")
    assert "Identify this person before you pay" in page
    house.pay(claim, RESIDENT, cash=4_000)
    house.pay(claim, RESIDENT, equivalent=1_000)
    house.identify(claim, "Somebody")
    house.pay(claim, RESIDENT, cash=1_000)
    assert sum(each.amount for each in Payout.objects.all()) == 12_000 * UNIT
