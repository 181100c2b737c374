"""A report as files: whole or not there, signed, cancelled, taken over from a dead worker."""

import json
import shutil
import uuid
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import psycopg
import pytest
from django.utils import timezone
from pyarrow import parquet
from pypdf import PdfReader
from pytest_django import Settings

from jackpot.models import Transfer
from settlement.audit import file_keys
from settlement.core import signing
from settlement.core.errors import NotPermitted, WrongState
from settlement.floor import incidents
from settlement.floor.incidents import IncidentReport
from settlement.reports import exports
from settlement.reports.catalogue import reports
from settlement.reports.exports import files_of, folder_of
from settlement.reports.writers import pdf_file
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.exports import (
    by_name,
    csv_rows,
    days,
    public_key,
    requested,
    write,
)
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import ClaimHouse
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from verifier.export import findings, main


@pytest.fixture
def house(fresh_database: FreshDatabase, settings: Settings, tmp_path: Path) -> ClaimHouse:
    settings.EXPORT_DIR = str(tmp_path)
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    file_keys.begin()
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse()
    house.hit_royal()
    return house


def test_every_format_holds_the_ledger(house: ClaimHouse) -> None:
    export = write(requested())
    assert (export.state, export.fault) == ("done", "")
    transfers = list(Transfer.objects.order_by("number").values_list("amount", flat=True))
    files = by_name(export)
    assert files.keys() == {"csv", "xlsx", "pdf", "parquet", "json", "sig"}
    amounts = [Decimal(row["amount_NZD"]) * 1_000_000 for row in csv_rows(files["csv"])]
    assert amounts == transfers
    book = openpyxl.load_workbook(files["xlsx"], read_only=True).worksheets[0]
    values = list(book.iter_rows(values_only=True))
    head = next(place for place, row in enumerate(values) if row[0] == "System")
    column = values[head].index("Amount, NZD")
    cells = [row[column] for row in values[head + 1 : -1]]
    assert [round(float(str(cell)) * 1_000_000) for cell in cells] == transfers
    assert round(float(str(values[-1][column])) * 1_000_000) == sum(transfers)
    table = parquet.read_table(files["parquet"])
    assert [int(each * 1_000_000) for each in table["amount"].to_pylist()] == transfers
    pages = PdfReader(files["pdf"]).pages
    text = pages[0].extract_text()
    for words in ("General ledger", "by ines", "Checkpoint", "Page 1 of"):
        assert words in text
    body = json.loads(files["json"].read_text())
    assert body["rows"] == len(transfers)
    assert Decimal(body["totals"]["amount"]) * 1_000_000 == sum(transfers)
    assert body["checkpoints"][0]["entry"] == house.system.head.seq
    assert findings(folder_of(export), public_key()) == []
    assert main([str(folder_of(export)), "--key", signing.public_key()]) == 0


@pytest.mark.parametrize("note", ["=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(A1)", "\t=1+1"])
def test_a_text_that_people_wrote_is_no_formula(house: ClaimHouse, note: str) -> None:
    """CSV puts an apostrophe before it; a workbook holds it as text, whatever it begins with."""
    report = IncidentReport("handset", note, timezone.now())
    incident = incidents.report(house.system, person("sione"), report)
    files = by_name(write(requested("significant-events", "csv", "xlsx")))
    (row,) = [row for row in csv_rows(files["csv"]) if row["what"] == "incident"]
    assert row["text"] == f"'{incident.note}"
    sheet = openpyxl.load_workbook(files["xlsx"]).worksheets[0]
    cells = [cell for line in sheet.iter_rows() for cell in line if cell.value == incident.note]
    assert [cell.data_type for cell in cells] == ["s"]


def test_an_edited_export_is_found(house: ClaimHouse, tmp_path: Path) -> None:
    folder = folder_of(write(requested("ledger", "csv", "xlsx")))
    file = next(folder.glob("*.csv"))
    body = file.read_bytes()
    for name, change, words in (
        (file.name, lambda text: text.replace(b"contribution", b"contributioM", 1), "not the file"),
        (f"{file.stem}.xlsx", lambda text: text + b"x", "not the file"),
        ("manifest.json", lambda text: text.replace(b'"rows"', b'"rowz"'), "not signed"),
        ("manifest.sig", lambda _text: b"00" * 64, "not signed"),
    ):
        copy = tmp_path / "copy"
        shutil.copytree(folder, copy)
        (copy / name).write_bytes(change((copy / name).read_bytes()))
        assert words in findings(copy, public_key())[0], name
        shutil.rmtree(copy)
    (folder / "more.csv").write_bytes(body)
    assert findings(folder, public_key()) == ["more.csv is not of this export"]
    (folder / "more.csv").unlink()
    file.unlink()
    assert findings(folder, public_key()) == [f"{file.name} is missing"]
    assert findings(folder, bytes(32)) == ["the manifest is not signed by this key"]


def test_cancelled_before_and_in_the_middle(
    house: ClaimHouse, fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    export, other = requested("ledger", "csv"), requested("payouts", "csv")
    exports.cancel(export, person("ines"))
    assert write(other).state == "done"  # the next one is taken at once
    export.refresh_from_db()
    assert export.state == "cancelled"
    with pytest.raises(WrongState, match="ended already"):
        exports.cancel(export, person("ines"))
    export = requested("ledger", "csv")

    def cancelled_meanwhile(sheet: Any, path: Path, tick: Any) -> dict[str, int]:
        path.write_text("half")
        with psycopg.connect(fresh_database.url, autocommit=True) as beside:
            beside.execute("UPDATE settlement_reportexport SET cancel_at = now()")
        wait_until(lambda: tick(1), what="the worker to hear that it was cancelled")
        raise AssertionError("it went on")

    monkeypatch.setitem(exports._WRITERS, "csv", cancelled_meanwhile)
    assert write(export).state == "cancelled"
    assert not folder_of(export).exists()
    assert not list(folder_of(export).parent.glob("*.part"))


def test_a_worker_that_reads_nothing_new_is_alive(
    house: ClaimHouse, fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a large workbook takes minutes in which no row is read."""
    moments: set[Any] = set()

    def packing(sheet: Any, path: Path, tick: Any) -> dict[str, int]:
        with psycopg.connect(fresh_database.url, autocommit=True) as beside:

            def has_been_heard_twice() -> bool:
                row = beside.execute("SELECT alive_at FROM settlement_reportexport").fetchone()
                moments.update(row or ())
                return len(moments) > 2

            wait_until(has_been_heard_twice, what="two signs of life")
        path.write_text("whole")
        return {}

    monkeypatch.setitem(exports._WRITERS, "csv", packing)
    assert write(requested("ledger", "csv")).state == "done"


def test_what_cannot_be_made_says_why(house: ClaimHouse, settings: Settings) -> None:
    settings.BUNDLE_SIGNING_KEY = ""
    export = write(requested("ledger", "csv"))
    assert export.state == "failed"
    assert "No signing key is set" in export.fault
    with pytest.raises(WrongState, match="at least one kind"):
        requested("ledger", "doc")
    with pytest.raises(NotPermitted):
        requested("ledger", "csv", who="aroha")
    same = uuid.uuid4()
    definition = reports()["payouts"]
    first, second = (
        exports.request_export(definition, days(), ["csv"], person("ines"), same) for _ in range(2)
    )
    assert first.pk == second.pk


def test_a_pdf_that_nobody_can_print_is_left_out_and_the_rest_is_there(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With CSV and XLSX the report is made, says why there is no PDF, and is signed as it is."""
    monkeypatch.setattr(pdf_file, "MOST_ROWS", 1)
    export = write(requested("ledger", "csv", "xlsx", "pdf"))
    assert (export.state, export.fault) == ("done", "")
    assert by_name(export).keys() == {"csv", "xlsx", "json", "sig"}
    assert export.manifest is not None
    rows = export.manifest["rows"]
    assert (export.rows_done, export.rows_total) == (2 * rows, 2 * rows)
    words = f"A PDF takes at most 1 rows, this report has {rows}: choose CSV or XLSX."
    assert exports.left_out(export) == words
    assert words in page_of("ines", "/reports/files/")
    assert findings(folder_of(export), public_key()) == []


def test_a_pdf_alone_of_too_many_rows_is_refused_before_a_row_is_written(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_file, "MOST_ROWS", 1)
    export = write(requested("ledger", "pdf"))
    assert (export.state, export.rows_done) == ("failed", 0)
    assert "choose CSV or XLSX" in export.fault
    assert files_of(export) == []


def test_the_page_of_a_long_report_proposes_no_pdf(house: ClaimHouse) -> None:
    for code, is_proposed in (("ledger", False), ("payouts", True)):
        page = logged_in("ines").get(f"/reports/{code}/").content.decode()
        assert ('value="pdf" checked' in page) is is_proposed
        assert 'value="csv" checked' in page
