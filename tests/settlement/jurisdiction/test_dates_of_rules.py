"""From which instant a rule holds: rules of tax by the calendar, all others by the gaming day.

Nevada asks for a form of winnings from 600.00 until the end of 2025 and from 2,000.00 since.
"""

import datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from pytest_django import Settings

from settlement.jurisdiction.forms_due import forms_due
from settlement.jurisdiction.layouts import layouts, load_layout
from settlement.jurisdiction.payments import requirements
from settlement.jurisdiction.recipients import PaidOnDays
from settlement.models import Claim, Payout
from settlement.payments.form_drafts import draft_form
from tests.support.cases.claims.slips import read
from tests.support.cases.confirmed_house import person
from tests.support.houses.winners import FOREIGN, RESIDENT, WinnersHouse
from tests.support.pages.page_ledger import Clock
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
EVE, NEW_YEAR = dt.date(2025, 12, 31), dt.date(2026, 1, 1)
ZONE = ZoneInfo("America/Los_Angeles")
OWN = """
name: Own
currency: USD
rules:
  - {rule: cash_report, since: 2020-01-01, until: 2025-12-31, source: Own, form: Old, above: 600}
  - {rule: cash_report, since: 2026-01-01, source: Own, form: New, above: 400}
  - {rule: tax_form, since: 2020-01-01, until: 2025-12-31, source: Own, form: Old tax, above: 600}
  - {rule: tax_form, since: 2026-01-01, source: Own, form: New tax, above: 400}
"""


class Turn(WinnersHouse):
    """A house whose clock only the test moves, in Nevada's zone."""

    def __init__(self, clock: Clock, won: int, starts: dt.time) -> None:
        self.clock = clock
        self.at(EVE, 12)
        super().__init__(won)
        casino = self.casino
        casino.timezone, casino.day_starts = str(ZONE), starts
        casino.save()

    def at(self, day: dt.date, hour: int, minute: int = 0, second: int = 0) -> None:
        local = dt.datetime.combine(day, dt.time(hour, minute, second), ZONE)
        self.clock.now = local.astimezone(dt.UTC)

    def rules_for(self, claim: Claim) -> set[tuple[str, str]]:
        """What the cage reads of a claim that is to be paid: kinds of rules with their forms."""
        claim = Claim.objects.select_related("system__casino").get(pk=claim.pk)
        hit = self.hit(claim.number)
        (line,) = hit.payee_lines
        rules = requirements(claim, hit, [(line, line.rest)])[line.line].rules
        return {(each.rule, each.form) for each in rules if each.form}

    def forms(self) -> list[tuple[dt.date, str]]:
        return [
            (each.day, each.rule.form) for each in forms_due(PaidOnDays(self.casino, EVE, NEW_YEAR))
        ]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def own(settings: Settings, tmp_path: Path) -> None:
    settings.JURISDICTION_DIR = str(tmp_path)
    settings.JURISDICTIONS = {"harbour": "own"}
    (tmp_path / "own.yaml").write_text(OWN)


@pytest.mark.parametrize(
    ("won", "day", "hour", "is_due"),
    [
        (1_500, EVE, 23, True),  # of 2025: above 600
        (1_500, NEW_YEAR, 2, False),  # of 2026, though the gaming day is that of 2025
        (2_500, NEW_YEAR, 2, True),
        (1_500, NEW_YEAR, 7, False),
    ],
)
def test_a_tax_form_goes_by_the_calendar(
    clock: Clock, settings: Settings, won: int, day: dt.date, hour: int, is_due: bool
) -> None:
    settings.JURISDICTIONS = {"harbour": "nevada"}
    house = Turn(clock, won, dt.time(6))
    claim = house.win("Somebody")
    house.at(day, hour)
    taxes = {("tax_form", "W-2G"), ("backup_withholding", "W-2G")}
    assert house.rules_for(claim) & taxes == (taxes if is_due else set())
    house.pay(claim, RESIDENT, cash=won)
    gaming_day = EVE if hour != 7 else NEW_YEAR
    assert (gaming_day, "W-2G") in house.forms() or not is_due
    assert [form for _day, form in house.forms() if form == "W-2G"] == ["W-2G"] * is_due


def test_a_form_of_the_new_year_bears_a_date_of_it(clock: Clock, settings: Settings) -> None:
    """And nobody is told to correct boxes that are filled in by year."""
    settings.JURISDICTIONS = {"harbour": "nevada"}
    house = Turn(clock, 3_000, dt.time(6))
    claim = house.win("Somebody")
    house.at(NEW_YEAR, 2)
    house.pay(claim, FOREIGN, cash=2_100, tax=900)
    with acting_as("web"):
        text = read(draft_form(Payout.objects.get(), "form_1042_s", person("aroha")))
    assert "Date paid 20260101" in text
    assert "correct the boxes" not in text


def test_no_form_says_that_its_boxes_are_to_be_corrected() -> None:
    for name in layouts():
        assert "correct" not in " ".join(load_layout(name).notes), name


@pytest.mark.usefixtures("own")
def test_a_report_of_cash_goes_by_the_gaming_day(clock: Clock) -> None:
    """500.00 at 02:00 of 1 January: the old limit of cash, and the new one of tax."""
    house = Turn(clock, 500, dt.time(6))
    claim = house.win("Somebody")
    house.at(NEW_YEAR, 2)
    assert house.rules_for(claim) == {("tax_form", "New tax")}
    house.pay(claim, cash=500)
    assert house.forms() == [(EVE, "New tax")]


@pytest.mark.usefixtures("own")
def test_a_running_process_changes_rules_at_midnight(clock: Clock) -> None:
    """500.00 a second before midnight and at midnight, where gaming days begin at midnight."""
    house = Turn(clock, 500, dt.time(0))
    claims = [house.win("Somebody"), house.win("Somebody else", "LA999999")]
    house.at(EVE, 23, 59, 59)
    assert house.rules_for(claims[0]) == house.rules_for(claims[1]) == set()
    house.pay(claims[0], cash=500)
    house.at(NEW_YEAR, 0, 0, 0)
    assert house.rules_for(claims[1]) == {("cash_report", "New"), ("tax_form", "New tax")}
    house.pay(claims[1], cash=500)
    assert house.forms() == [(NEW_YEAR, "New"), (NEW_YEAR, "New tax")]
