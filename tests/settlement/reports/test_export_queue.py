"""Which export is written next: two at a time, of long reports one; what a dead worker left."""

import threading
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from jackpot.storage.pinned_read import Reading
from settlement.audit import file_keys
from settlement.models import ReportExport
from settlement.people.rights.roles import grant
from settlement.reports import export_queue, exports
from settlement.reports.exports import files_of, folder_of, run_next
from settlement.reports.progress import Cancelled
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.exports import requested, write
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import act_as
from tests.support.suite.databases import FreshDatabase


@pytest.fixture
def house(fresh_database: FreshDatabase, settings: Settings, tmp_path: Path) -> ClaimHouse:
    settings.EXPORT_DIR = str(tmp_path)
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    file_keys.begin()
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse()
    house.hit_royal()
    return house


def test_a_short_report_does_not_wait_behind_a_long_one(house: ClaimHouse) -> None:
    """Two at a time; a long report has one hand, however many wait, and short ones the other."""
    long, other_long = requested("ledger", "csv"), requested("ledger", "csv")
    short, other_short = requested("payouts", "csv"), requested("liability", "csv")
    assert export_queue.take() == long
    assert export_queue.take() == short
    assert export_queue.take() is None
    assert not run_next()
    ReportExport.objects.filter(pk=short.pk).update(state="done")
    assert export_queue.take() == other_short
    ReportExport.objects.filter(pk=long.pk).update(state="done")
    assert export_queue.take() == other_long
    assert export_queue.take() is None
    ReportExport.objects.update(state="done")
    assert not run_next()


def test_a_return_with_a_long_report_is_long(house: ClaimHouse) -> None:
    first, second = (requested("payouts", "csv") for _ in range(2))
    for each, codes in ((first, ["payouts", "ledger"]), (second, ["ledger"])):
        ReportExport.objects.filter(pk=each.pk).update(report="", of_return="Books", reports=codes)
    assert export_queue.take() == first
    assert export_queue.take() is None


def test_whoever_has_none_that_is_written_goes_first(house: ClaimHouse) -> None:
    grant(person("david"), "Compliance")
    first, second = (requested("payouts", "csv") for _ in range(2))
    other = requested("payouts", "csv", who="david")
    assert [export_queue.take(), export_queue.take()] == [first, other]
    ReportExport.objects.filter(pk=other.pk).update(state="done")
    assert export_queue.take() == second


@pytest.mark.parametrize(
    ("codes", "count"), [(["ledger"] * 3, 1), (["payouts", "ledger", "ledger"], 2)]
)
def test_workers_that_look_at_once_take_each_export_once(
    house: ClaimHouse, fresh_database: FreshDatabase, codes: list[str], count: int
) -> None:
    for code in codes:
        requested(code, "csv")
    barrier, exports_of_workers = threading.Barrier(4), []

    def look() -> None:
        try:
            act_as("worker")
            barrier.wait(60)
            exports_of_workers.append(export_queue.take())
        finally:
            connection.close()

    threads = [threading.Thread(target=look) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    numbers = sorted(each.pk for each in exports_of_workers if each)
    rows = ReportExport.objects.filter(state="running").order_by("pk")
    assert numbers == [each.pk for each in rows]
    assert (len(numbers), len(exports_of_workers)) == (count, 4)
    assert {each.attempts for each in rows} == {1}


def test_a_dead_worker_is_replaced_and_three_are_enough(house: ClaimHouse) -> None:
    export = requested("ledger", "csv")
    first_export = export_queue.take()
    assert first_export is not None
    left = folder_of(first_export).with_name(f"{first_export.pk}.1.part")
    left.mkdir()
    silent = timezone.now() - 2 * export_queue.SILENT
    ReportExport.objects.update(alive_at=silent)
    assert write(export).state == "done"
    assert export.attempts == 2
    assert not left.exists()
    # The first one was only slow: what it ends with is not taken any more.
    export_queue.end(first_export, "failed", "late")
    with pytest.raises(Cancelled):
        exports._finish(first_export, left, Reading({}))
    export.refresh_from_db()
    assert (export.state, export.fault) == ("done", "")
    assert files_of(export)
    ReportExport.objects.update(state="running", attempts=3, alive_at=silent)
    assert export_queue.take() is None
    export.refresh_from_db()
    assert export.state == "failed"
    assert "died 3 times" in export.fault
