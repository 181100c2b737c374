"""Reports as the compliance office reads them, and their files as it asks for them."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings
from pytest_django.fixtures import DjangoAssertNumQueries

from settlement.models import AccessNote, ReportExport, ReportSchedule, SetUpProposal
from settlement.reports.catalogue import reports
from tests.support.pages.page_ledger import LedgerHouse
from tests.support.pages.page_staff import logged_in, page_of, reply
from tests.support.people.cast import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


@pytest.fixture
def house(days: LedgerHouse, settings: Settings, tmp_path: Path) -> LedgerHouse:
    settings.EXPORT_DIR = str(tmp_path)
    return days


def test_there_is_a_page_for_each(house: LedgerHouse) -> None:
    page = page_of("ines", "/reports/")
    for each in reports().values():
        assert each.title in page
        assert each.title in page_of("ines", f"/reports/{each.code}/?from=2026-10-01")
    assert logged_in("ines").get("/reports/nothing/").status_code == 404
    assert logged_in("aroha").get("/reports/").status_code == 403


def test_filters_rows_totals_and_checkpoint(house: LedgerHouse) -> None:
    page = page_of("ines", "/reports/payouts/?from=2026-10-01")
    assert "MAIN-2-1-1" in page  # its slip
    assert "1 row" in page
    assert "main: entry" in page
    empty = "Nothing in these days"
    assert empty in page_of("ines", "/reports/payouts/?from=2020-01-01&to=2020-01-02")
    assert empty in page_of("ines", "/reports/payouts/?from=2026-10-01&table=t9")


def test_files_are_asked_for_and_cancelled(house: LedgerHouse) -> None:
    assert "No files yet" in page_of("ines", "/reports/files/")
    page = reply("ines", "/reports/payouts/export/?from=2026-10-01", format=["csv", "pdf"])
    assert "Waiting" in page
    export = ReportExport.objects.get()
    assert export.formats == ["csv", "pdf"]
    files = logged_in("ines").get("/reports/files/").content.decode()
    assert "data-moves" in files  # live.js reads it again: a reload would keep her log-in awake
    assert "http-equiv" not in files
    assert export.filters["from"] == "2026-10-01"
    reply("ines", f"/reports/files/{export.pk}/cancel/")
    assert "Stops in a moment" in page_of("ines", "/reports/files/")
    ReportExport.objects.update(state="cancelled")
    reply("ines", f"/reports/files/{export.pk}/again/")
    assert ReportExport.objects.count() == 2
    again = ReportExport.objects.latest("pk").pk
    notes = AccessNote.objects.filter(username="ines", what__startswith="export").order_by("id")
    assert [(each.what, each.detail) for each in notes] == [
        ("exported", f"payouts #{export.pk}"),
        ("export_cancelled", f"payouts #{export.pk}"),
        ("exported", f"payouts #{again}, again after #{export.pk}"),
    ]
    assert logged_in("ines").get(f"/reports/files/{export.pk}/0/").status_code == 404
    assert "Choose at least one" in reply("ines", "/reports/payouts/export/")


def test_schedules_are_made_and_ended(house: LedgerHouse) -> None:
    assert "No scheduled reports yet" in page_of("ines", "/reports/schedules/")
    form = {"report": "payouts", "moment": "month", "format": ["pdf"]}
    assert "not a mail address" in reply("ines", "/reports/schedules/", **form, mail="nobody")
    User.objects.filter(username="ines").update(email="ines@example.com")
    page = reply("ines", "/reports/schedules/", **form, mail="Ines@example.com")
    assert "each month" in page
    assert "Ines@example.com" in page
    reply("ines", f"/reports/schedules/{ReportSchedule.objects.get().pk}/end/")
    assert "No scheduled reports yet" in page_of("ines", "/reports/schedules/")


def test_an_outside_address_waits_for_approval_on_the_pages(house: LedgerHouse) -> None:
    form = {"report": "payouts", "moment": "month", "format": ["pdf"]}
    page = reply("ines", "/reports/schedules/", **form, mail="office@example.com")
    assert "nothing is made or sent until somebody else approves it" in page
    assert "Waits for approval" in page
    assert not ReportSchedule.objects.exists()
    sentence = "The report payouts (pdf), each month, is mailed to office@example.com"
    assert sentence in page_of("mere", "/house-rules/")
    agree = f"/house-rules/proposals/{SetUpProposal.objects.get().pk}/agree/"
    reply("mere", agree, password=PASSWORD)
    page = page_of("ines", "/reports/schedules/")
    assert "office@example.com" in page
    assert "Waits for approval" not in page
    assert ReportSchedule.objects.get().mail_to == "office@example.com"


def test_a_whole_return_is_scheduled(house: LedgerHouse) -> None:
    assert "Monthly file, each month" in page_of("ines", "/reports/schedules/")
    form = {"report": "return: Monthly file", "moment": "day", "format": ["csv"]}
    refused = reply("ines", "/reports/schedules/", **form, system="main")
    assert "A return is of the whole casino" in refused
    assert "no such return" in reply(
        "ines", "/reports/schedules/", **form | {"report": "return: x"}
    )
    reply("ines", "/reports/schedules/", **form)
    schedule = ReportSchedule.objects.get()
    assert (schedule.of_return, schedule.moment) == ("Monthly file", "month")
    reply("ines", f"/reports/schedules/{schedule.pk}/end/")
    assert "No scheduled reports yet" in page_of("ines", "/reports/schedules/")


def test_pages_ask_little(
    house: LedgerHouse, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = logged_in("ines")
    with django_assert_max_num_queries(40):
        client.get("/reports/roll-forward/?from=2026-10-01")
    with django_assert_max_num_queries(24):
        client.get("/reports/hit-register/?from=2026-10-01")
