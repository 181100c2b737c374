"""Parts of one prize that are paid in two calendar years: what each year's forms say.

A prize of 3,000.00 under the rules of Nevada, which ask for a form from 2,000.00 in 2026.
"""

import datetime as dt
from typing import Any

import pytest
from pytest_django import Settings

from settlement.jurisdiction.forms_due import FormDue, forms_due
from settlement.jurisdiction.payments import PayeeStatement
from settlement.jurisdiction.recipients import PaidOnDays
from settlement.models import Payout
from settlement.payments.form_drafts import draft_form
from tests.support.cases.claims.slips import read
from tests.support.cases.confirmed_house import person
from tests.support.houses.winners import FOREIGN, RESIDENT, UNIT, WinnersHouse
from tests.support.pages.page_ledger import Clock
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
OWN = """
name: Own
currency: USD
rules:
  - {rule: tax_form, since: 2020-01-01, source: Own, form: T, at_least: 2000}
"""


class YearsEnd(WinnersHouse):
    """Won on 30 December 2026; a clock that only the test moves."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.at(2026, 12, 30)
        super().__init__(3_000)
        self.claim = self.win("Somebody")

    def at(self, year: int, month: int, day: int, hour: int = 20) -> None:
        self.clock.now = dt.datetime(year, month, day, hour, tzinfo=dt.UTC)

    def part(self, statement: PayeeStatement, **parts: int) -> None:
        self.pay(self.claim, statement, **parts)

    def forms(self, name: str) -> list[FormDue]:
        first, last = dt.date(2026, 12, 1), dt.date(2027, 1, 31)
        return [
            each
            for each in forms_due(PaidOnDays(self.casino, first, last))
            if each.rule.form == name
        ]


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> YearsEnd:
    settings.JURISDICTIONS = {"harbour": "nevada"}
    return YearsEnd(Clock(monkeypatch))


def figures_of(forms: list[FormDue]) -> list[tuple[int, Any, Any, int]]:
    """By form the year of its first part, what it states as won and as withheld, how many parts."""
    return [
        (each.day.year, each.winnings / UNIT, each.tax / UNIT, len(each.payouts)) for each in forms
    ]


def test_each_year_has_a_form_of_what_was_paid_in_it(house: YearsEnd) -> None:
    """1,800.00 in 2026 and 1,200.00 in 2027, each of them below 2,000.00: judged as the whole."""
    house.part(RESIDENT, cash=1_800)
    assert figures_of(house.forms("W-2G")) == [
        (2026, 3_000, 0, 1)
    ]  # the rest may be paid this year
    house.at(2027, 1, 1)
    assert figures_of(house.forms("W-2G")) == [(2026, 1_800, 0, 1)]  # it was not
    house.part(RESIDENT, cash=1_200)
    assert figures_of(house.forms("W-2G")) == [(2026, 1_800, 0, 1), (2027, 1_200, 0, 1)]
    for payout, winnings in zip(
        Payout.objects.order_by("pk"), ("1,800.00", "1,200.00"), strict=True
    ):
        with acting_as("web"):
            text = read(draft_form(payout, "w_2g", person("aroha")))
        assert f"1 Reportable winnings {winnings}" in text
        assert "3,000.00" not in text


def test_what_is_withheld_stands_in_the_form_of_its_year(house: YearsEnd) -> None:
    """30 percent of 1,800.00 are 540.00, of 1,200.00 they are 360.00."""
    house.part(FOREIGN, cash=1_260, tax=540)
    house.at(2027, 1, 2)
    house.part(FOREIGN, cash=840, tax=360)
    assert figures_of(house.forms("1042-S")) == [(2026, 1_800, 540, 1), (2027, 1_200, 360, 1)]
    for payout, gross, tax in zip(
        Payout.objects.order_by("pk"), ("1,800", "1,200"), ("540", "360"), strict=True
    ):
        with acting_as("web"):
            text = read(draft_form(payout, "form_1042_s", person("aroha")))
        assert f"2 Gross income {gross}" in text
        assert f"7a Federal tax withheld {tax}" in text


def test_parts_of_one_year_have_one_form(house: YearsEnd) -> None:
    house.part(RESIDENT, cash=1_800)
    house.at(2026, 12, 31)
    house.part(RESIDENT, cash=1_200)
    assert figures_of(house.forms("W-2G")) == [(2026, 3_000, 0, 2)]
    house.at(2027, 1, 5)
    assert figures_of(house.forms("W-2G")) == [(2026, 3_000, 0, 2)]


def test_the_year_is_that_of_the_calendar_not_of_the_gaming_day(house: YearsEnd) -> None:
    """Paid at 02:00 of 1 January, while the gaming day of 31 December goes on until 06:00."""
    casino = house.casino
    casino.timezone, casino.day_starts = "Etc/UTC", dt.time(6)
    casino.save()
    house.part(RESIDENT, cash=1_800)
    house.at(2027, 1, 1, hour=2)
    house.part(RESIDENT, cash=1_200)
    assert [(each.day, each.winnings // UNIT) for each in house.forms("W-2G")] == [
        (dt.date(2026, 12, 30), 1_800),
        (dt.date(2026, 12, 31), 1_200),
    ]


def test_a_pack_may_ask_for_one_form_of_the_whole(
    house: YearsEnd, settings: Settings, tmp_path: Any
) -> None:
    settings.JURISDICTION_DIR = str(tmp_path)
    settings.JURISDICTIONS = {"harbour": "own"}
    (tmp_path / "own.yaml").write_text(OWN)
    house.part(PayeeStatement(), cash=1_800)
    house.at(2027, 1, 2)
    house.part(PayeeStatement(), cash=1_200)
    assert figures_of(house.forms("T")) == [(2026, 3_000, 0, 2)]
