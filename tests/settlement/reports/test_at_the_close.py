"""Scheduled reports of two systems that two people close: when they are made, what they say."""

import json
import uuid
from pathlib import Path
from unittest.mock import Mock

import pytest
from pytest_django import Settings

from jackpot.writer.poster import Poster
from settlement.audit import file_keys
from settlement.audit.reconciliation import reconcile
from settlement.closing import closes
from settlement.core.errors import NotPermitted, WrongState
from settlement.core.gaming_day import today
from settlement.models import ReportExport, ReportSchedule
from settlement.people.rights.permissions import Reauthenticated
from settlement.reports import exports, schedules
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from settlement.reports.exports import folder_of
from settlement.reports.schedules import Plan
from settlement.tasks import keep_closed_days, write_exports
from tables.models import Alarm, Casino, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.exports import by_name, public_key, write
from tests.support.pages.page_ledger import Clock, LedgerHouse
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.suite.databases import FreshDatabase
from verifier.export import findings

FRIDAY, SATURDAY, OCTOBER = "2026-10-30", "2026-10-31", "2026-10"
FINAL = "all: these figures do not change any more"


@pytest.fixture
def clock(
    fresh_database: FreshDatabase,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Clock:
    settings.EXPORT_DIR = str(tmp_path)
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    file_keys.begin()
    settings.CLAIM_WAIT_S = 0
    return Clock(monkeypatch)


@pytest.fixture
def house(clock: Clock) -> LedgerHouse:
    """The main system plays on Friday, the 30th of October."""
    return LedgerHouse(clock)


def annex_of(house: LedgerHouse) -> House:
    """A second system of the casino; it begins now."""
    annex = House(royal_terms(), tables=("a1",), code="annex")
    for each in (annex, house):
        each.poster.give_up()
    annex.poster = house.poster = Poster("one-writer")  # which leases both: it begins behind them
    return annex


def begin_now(house: LedgerHouse, schedule: ReportSchedule | None) -> None:
    """As of the house's clock: the database has one of its own."""
    assert schedule is not None
    with owner_without_guards("settlement_reportschedule"):
        ReportSchedule.objects.filter(pk=schedule.pk).update(at=house.clock.now)


def planned(
    house: LedgerHouse, moment: str = "day", *, report: str = "payments-by-method", **codes: str
) -> None:
    """A report as CSV from the house's now on."""
    casino = Casino.objects.get()
    filters = Filters(casino, today(casino), today(casino), codes)
    with acting_as("web"):
        plan = Plan(moment, ["csv"])
        schedule = schedules.add(reports()[report], filters, plan, person("ines"))
    begin_now(house, schedule)


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


# --- whole returns ----------------------------------------------------------------------------

PACK = """
name: Harbour
currency: NZD
rules:
  - {rule: report_layout, since: 2020-01-01, until: %s, house_policy: true, source: House policy,
     title: Return of the board, period: %s, reports: [roll-forward, payouts, liability]}
"""


def write_pack(folder: Path, period: str = "quarter", until: str = "2030-12-31") -> None:
    (folder / "own.yaml").write_text(PACK % (until, period))


@pytest.fixture
def pack(settings: Settings, tmp_path: Path) -> Path:
    """The folder of the house's own pack, which asks for a return of each quarter."""
    settings.EXPORT_DIR, settings.DELIVERY_DIR = str(tmp_path / "files"), str(tmp_path / "out")
    settings.JURISDICTION_DIR = str(tmp_path)
    settings.JURISDICTIONS = {"harbour": "own"}
    write_pack(tmp_path)
    return tmp_path


def planned_return(house: LedgerHouse, title: str, *formats: str, folder: str = "") -> None:
    with acting_as("web"):
        plan = Plan("", formats or ["csv"], folder=folder)
        schedule = schedules.add_return(Casino.objects.get(), title, plan, person("ines"))
    begin_now(house, schedule)


def assert_whole(export: ReportExport, folder: Path, codes: list[str], *kinds: str) -> None:
    """Every report of the return is there in every kind of file, final, and signed as it is."""
    body = json.loads((folder / "manifest.json").read_text())
    assert [each["report"] for each in body["reports"]] == codes
    assert (body["return"], body["open_from"]) == (export.of_return, None)
    names = {name for each in body["reports"] for name in (file["name"] for file in each["files"])}
    days = f"{export.filters['from']}-to-{export.filters['to']}"
    assert {name.partition(".")[0] for name in names} == {
        f"{number:02}-{code}-harbour-{days}" for number, code in enumerate(codes, start=1)
    }
    assert len(names) == len(codes) * len(kinds)
    assert {path.name for path in folder.iterdir()} == names | {"manifest.json", "manifest.sig"}
    assert findings(folder, public_key()) == []


def test_the_return_of_a_month_is_made_whole_when_the_month_is_closed(house: LedgerHouse) -> None:
    planned_return(house, "Monthly file", "csv", "pdf")
    schedule = ReportSchedule.objects.get()
    assert (schedule.moment, schedule.report, schedule.filters) == ("month", "", {})
    house.clock.on(days=2)
    close(house, FRIDAY, SATURDAY)
    assert made_of_kept_days() == []
    close(house, OCTOBER)
    assert made_of_kept_days() == last_days() == [SATURDAY]
    export = ReportExport.objects.get()
    assert (export.state, export.filters["from"]) == ("done", "2026-10-01")
    codes = ["roll-forward", "hit-register", "payouts", "adjustments", "liability"]
    assert_whole(export, folder_of(export), [*codes, "significant-events"], "csv", "pdf")


@pytest.mark.parametrize(("period", "first"), [("quarter", "2026-10-01"), ("year", "2026-01-01")])
def test_the_return_of_a_quarter_or_year_goes_into_its_folder(
    clock: Clock, pack: Path, period: str, first: str
) -> None:
    write_pack(pack, period)
    clock.on(days=61)
    house = LedgerHouse(clock)  # which begins on the 30th of December
    planned_return(house, "Return of the board", folder="board")
    house.clock.on(days=2)
    close(house, "2026-12-30", "2026-12-31")
    assert made_of_kept_days() == []
    close(house, "2026-12")
    assert made_of_kept_days() == last_days() == ["2026-12-31"]
    export = ReportExport.objects.get()
    assert (export.state, export.filters["from"]) == ("done", first)
    (folder,) = (pack / "out" / "board").iterdir()
    assert folder.name == f"return-of-the-board-{first}-to-2026-12-31-{export.pk}"
    assert_whole(export, folder, ["roll-forward", "payouts", "liability"], "csv")


def test_a_return_that_the_place_asks_for_no_more_is_an_alarm(
    house: LedgerHouse, pack: Path
) -> None:
    write_pack(pack, "day")
    planned_return(house, "Return of the board")
    house.clock.on(days=2)
    close(house, FRIDAY)
    assert made_of_kept_days() == [FRIDAY]
    write_pack(pack, "day", until=FRIDAY)
    close(house, SATURDAY)
    assert made_of_kept_days() == last_days() == [FRIDAY, SATURDAY]
    whole, empty = ReportExport.objects.order_by("pk")
    assert (whole.state, empty.state) == ("done", "failed")
    (alarm,) = Alarm.objects.filter(kind="report_failed")
    assert ("do not ask for this return" in alarm.message, alarm.count) == (True, 1)
    with pytest.raises(WrongState, match="no such return"):
        exports.again(empty, person("ines"), uuid.uuid4())
    write_pack(pack, "month")
    with pytest.raises(WrongState, match="no such return"):
        exports.again(empty, person("ines"), uuid.uuid4())
    write_pack(pack, "day")  # the rules are put right
    again = exports.again(empty, person("ines"), uuid.uuid4())
    assert again.codes == ["roll-forward", "payouts", "liability"]
    assert (again.of_return, again.filters) == ("Return of the board", empty.filters)
    assert write(again).state == "done"
    assert findings(folder_of(again), public_key()) == []


def test_a_return_that_failed_is_there_with_its_alarm_or_not_at_all(
    house: LedgerHouse, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that dies between them leaves nothing: the next one asks, and raises it."""
    write_pack(pack, "day")
    planned_return(house, "Return of the board")
    write_pack(pack, "month")
    house.clock.on(days=2)
    close(house, FRIDAY)
    with monkeypatch.context() as patch:
        patch.setattr(schedules, "raise_failed", Mock(side_effect=OSError("killed")))
        with pytest.raises(OSError, match="killed"):
            made_of_kept_days()
    assert not ReportExport.objects.exists()
    assert made_of_kept_days() == last_days() == [FRIDAY]
    assert Alarm.objects.get(kind="report_failed").count == 1


def test_rules_that_cannot_be_read_hold_a_return_up(house: LedgerHouse, pack: Path) -> None:
    """It is made when they can be read again; other schedules are not held up."""
    write_pack(pack, "day")
    planned_return(house, "Return of the board")
    planned(house)
    Casino.objects.update(currency="AUD")  # no pack that is in NZD is read any more
    house.clock.on(days=1)
    close(house, FRIDAY)
    assert made_of_kept_days() == [FRIDAY]
    assert ReportExport.objects.get().report == "payments-by-method"
    Casino.objects.update(currency="NZD")
    assert last_days() == [FRIDAY, FRIDAY]
    assert ReportExport.objects.latest("pk").of_return == "Return of the board"


def test_what_return_cannot_be_planned_says_why(house: LedgerHouse) -> None:
    casino = Casino.objects.get()
    for title, formats, who, fault in (
        ("Nothing", ["csv"], "ines", WrongState),
        ("Monthly file", [], "ines", WrongState),
        ("Monthly file", ["csv"], "aroha", NotPermitted),
    ):
        with pytest.raises(fault):
            schedules.add_return(casino, title, Plan("", formats), person(who))
    assert not ReportSchedule.objects.exists()
