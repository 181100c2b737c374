"""Scheduled reports of two systems that two people close: when they are made, what they say."""

import json
from pathlib import Path

import pytest
from pytest_django import Settings

from jackpot.writer.poster import Poster
from settlement.audit import file_keys
from settlement.audit.reconciliation import reconcile
from settlement.closing import closes
from settlement.core.gaming_day import today
from settlement.models import ReportExport, ReportSchedule
from settlement.people.rights.permissions import Reauthenticated
from settlement.reports import schedules
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from settlement.reports.schedules import Plan
from settlement.tasks import keep_closed_days, write_exports
from tables.models import Casino, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.exports import by_name
from tests.support.pages.page_ledger import Clock, LedgerHouse
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.suite.databases import FreshDatabase

FRIDAY, SATURDAY, OCTOBER = "2026-10-30", "2026-10-31", "2026-10"
FINAL = "all: these figures do not change any more"


@pytest.fixture
def house(
    fresh_database: FreshDatabase,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> LedgerHouse:
    """The main system plays on Friday, the 30th of October."""
    settings.EXPORT_DIR = str(tmp_path)
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    file_keys.begin()
    settings.CLAIM_WAIT_S = 0
    return LedgerHouse(Clock(monkeypatch))


def annex_of(house: LedgerHouse) -> House:
    """A second system of the casino; it begins now."""
    annex = House(royal_terms(), tables=("a1",), code="annex")
    for each in (annex, house):
        each.poster.give_up()
    annex.poster = house.poster = Poster("one-writer")  # which leases both: it begins behind them
    return annex


def planned(
    house: LedgerHouse, moment: str = "day", *, report: str = "payments-by-method", **codes: str
) -> None:
    """A report as CSV from the house's now on: the database has a clock of its own."""
    casino = Casino.objects.get()
    filters = Filters(casino, today(casino), today(casino), codes)
    with acting_as("web"):
        plan = Plan(moment, ["csv"])
        schedule = schedules.add(reports()[report], filters, plan, person("ines"))
    ReportSchedule.objects.filter(pk=schedule.pk).update(at=house.clock.now)


def close(house: LedgerHouse, *names: str, code: str = "main") -> None:
    """Ines proposes each, mere agrees, the writer posts it. Nobody keeps the days in short yet."""
    system = JackpotSystem.objects.select_related("casino").get(code=code)
    for name in names:
        reconcile(system)
        period = closes.period(system, name)
        assert period is not None
        proposal = closes.propose(period, person("ines"))
        closes.agree(proposal, Reauthenticated(person("mere")))
        house.post()


def last_days() -> list[str]:
    """The last days of what the worker has made by now."""
    with acting_as("worker"):
        write_exports()
    return [each.filters["to"] for each in ReportExport.objects.order_by("pk")]


def made_of_kept_days() -> list[str]:
    """The same after the worker kept closed days."""
    with acting_as("worker"):
        keep_closed_days()
    return last_days()


def assert_final(export: ReportExport) -> None:
    """The file for people and the signed manifest say that nothing of it changes any more."""
    files = by_name(export)
    body = json.loads(files["json"].read_text())
    assert (body["filters"]["to"], body["open_from"]) == (export.filters["to"], None)
    assert FINAL in files["csv"].read_text(encoding="utf-8-sig")


def test_reports_of_a_close_say_that_their_figures_are_final(house: LedgerHouse) -> None:
    annex_of(house)
    house.post()
    planned(house)
    house.clock.on(days=1)
    close(house, FRIDAY)
    assert made_of_kept_days() == []  # the annex is open
    close(house, FRIDAY, code="annex")
    assert last_days() == []  # it is closed, but its figures are not cut out of the ledger yet
    assert made_of_kept_days() == last_days() == [FRIDAY]
    assert_final(ReportExport.objects.get())


def test_the_report_of_a_month_waits_for_its_last_day(house: LedgerHouse) -> None:
    annex_of(house)
    house.post()
    planned(house, "month")
    house.clock.on(days=2)
    close(house, FRIDAY, SATURDAY, OCTOBER)
    close(house, FRIDAY, code="annex")
    assert made_of_kept_days() == []
    close(house, SATURDAY, OCTOBER, code="annex")
    assert last_days() == []
    assert made_of_kept_days() == [SATURDAY]
    assert_final(ReportExport.objects.get())


def test_the_return_of_a_quarter_is_made_when_its_last_month_is_closed(house: LedgerHouse) -> None:
    house.clock.on(days=30)  # the annex begins at the end of November
    annex_of(house)
    house.post()
    planned(house, "quarter", report="quarterly-return", system="annex")
    house.clock.on(days=2)
    close(house, "2026-11-29", "2026-11-30", "2026-11", code="annex")
    assert made_of_kept_days() == []  # the quarter goes on


def test_a_quarter_is_that_which_ends_with_the_month(house: LedgerHouse) -> None:
    house.clock.on(days=61)
    annex_of(house)
    house.post()
    planned(house, "quarter", report="quarterly-return", system="annex")
    house.clock.on(days=2)
    close(house, "2026-12-30", "2026-12-31", code="annex")
    assert made_of_kept_days() == []
    close(house, "2026-12", code="annex")
    assert made_of_kept_days() == last_days() == ["2026-12-31"]
    export = ReportExport.objects.get()
    assert (export.report, export.filters["from"]) == ("quarterly-return", "2026-10-01")
    assert_final(export)


def test_a_system_that_never_began_holds_nothing_up(house: LedgerHouse) -> None:
    JackpotSystem.objects.create(casino=house.system.casino, code="bare", name="Bare")
    planned(house)
    house.clock.on(days=1)
    close(house, FRIDAY)
    assert made_of_kept_days() == [FRIDAY]
    assert_final(ReportExport.objects.get())


@pytest.mark.parametrize("moment", ["day", "month"])
def test_a_system_holds_up_days_from_its_first_on(house: LedgerHouse, moment: str) -> None:
    planned(house, moment)
    house.clock.on(days=1)
    annex_of(house)
    house.post()
    house.clock.on(days=1)
    close(house, FRIDAY)
    first = [FRIDAY] if moment == "day" else []
    assert made_of_kept_days() == first  # the annex began on the day after
    close(house, SATURDAY, OCTOBER)
    assert made_of_kept_days() == first
    close(house, SATURDAY, OCTOBER, code="annex")
    assert made_of_kept_days() == [*first, SATURDAY]
    assert_final(ReportExport.objects.latest("pk"))


def test_a_schedule_of_one_system_waits_for_that_one(house: LedgerHouse) -> None:
    annex_of(house)
    house.post()
    planned(house, system="annex")
    house.clock.on(days=1)
    close(house, FRIDAY)
    assert made_of_kept_days() == []
    close(house, FRIDAY, code="annex")
    assert made_of_kept_days() == [FRIDAY]


def test_what_was_closed_before_a_schedule_is_not_made(house: LedgerHouse) -> None:
    house.clock.on(days=2)
    close(house, FRIDAY)
    house.clock.on(minutes=1)
    planned(house)
    assert made_of_kept_days() == []
    close(house, SATURDAY)
    assert made_of_kept_days() == [SATURDAY]
