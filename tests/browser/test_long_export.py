"""A million rows as a file: asked for on a page, seen to move, cancelled, and made again."""

import threading
from collections.abc import Generator
from pathlib import Path

import pytest
from django.db import connection
from playwright.sync_api import expect
from pytest_django import Settings

from jackpot.models import Transfer
from settlement.audit import file_keys
from settlement.models import ReportExport
from settlement.reports import exports
from tests.support.houses.office.exports import by_name, csv_rows
from tests.support.pages.browser.browsers import OpenScreen
from tests.support.pages.browser.workbench_screen import opened
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import owner_without_guards

pytestmark = [pytest.mark.browser, pytest.mark.long]
ROWS = 1_000_000
# Copies of the last transfer: only their number matters here.
MANY = """
    INSERT INTO jackpot_transfer (system_id, number, entry_seq, debit_id, credit_id, amount,
        debit_after, credit_after, reason, hit)
    SELECT system_id, number + n, entry_seq, debit_id, credit_id, amount,
        debit_after, credit_after, reason, hit
    FROM (SELECT * FROM jackpot_transfer ORDER BY number DESC LIMIT 1) AS t,
        generate_series(1, %s - number) AS n
"""


@pytest.fixture
def address(
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> str:
    """A console that shares its folder of files with the worker, which is this process."""
    settings.EXPORT_DIR = str(tmp_path / "exports")
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    monkeypatch.setenv("EXPORT_DIR", settings.EXPORT_DIR)
    monkeypatch.setenv("CLAIM_WAIT_S", "0")
    return str(request.getfixturevalue("console_url"))


@pytest.fixture
def house(address: str) -> ClaimHouse:
    file_keys.begin()
    house = ClaimHouse()
    house.press("t3")
    house.post()
    with owner_without_guards("jackpot_transfer"), connection.cursor() as cursor:
        cursor.execute(MANY, [ROWS])
    return house


@pytest.fixture
def exports_run(house: ClaimHouse) -> Generator[None]:
    """The worker's task again and again, as beat has it done."""
    stop = threading.Event()

    def run() -> None:
        try:
            while not stop.wait(0.1):
                exports.run_next()
        finally:
            connection.close()

    thread = threading.Thread(target=run, name="exports")
    thread.start()
    yield
    stop.set()
    thread.join()


@pytest.mark.usefixtures("exports_run")
def test_a_long_export_is_cancelled_and_made_again(address: str, open_screen: OpenScreen) -> None:
    assert Transfer.objects.count() == ROWS
    screen = open_screen("files", 1920, 1080)
    opened(screen, address, "ines", "/reports/ledger/")
    for kind in ("CSV", "XLSX", "PDF", "PARQUET"):
        box = screen.get_by_label(kind, exact=True)
        box.set_checked(kind in ("CSV", "PARQUET"))
    screen.get_by_role("button", name="Create files").click()
    expect(screen.get_by_role("progressbar")).to_be_visible()
    expect(screen.get_by_text("of 2,000,000 rows")).to_be_visible()
    screen.get_by_role("button", name="Cancel").click()
    files = screen.get_by_role("region", name="Files of reports")
    expect(files.get_by_text("Cancelled", exact=True)).to_be_visible()
    assert ReportExport.objects.get().state == "cancelled"
    screen.get_by_role("button", name="Make again").click()
    expect(screen.get_by_role("link", name="Signed list")).to_be_visible(timeout=120_000)
    export = ReportExport.objects.get(state="done")
    assert export.rows_done == 2 * ROWS
    assert len(csv_rows(by_name(export)["csv"])) == ROWS
