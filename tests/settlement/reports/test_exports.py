"""A report as files: whole or not there, signed, cancelled, taken over from a dead worker."""

import csv
import datetime as dt
import io
import json
import shutil
import uuid
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import psycopg
import pytest
from django.core import mail
from django.utils import timezone
from pyarrow import parquet
from pypdf import PdfReader
from pytest_django import Settings

from jackpot.models import Transfer
from settlement.core import signing
from settlement.core.errors import NotPermitted, WrongState
from settlement.core.gaming_day import today
from settlement.models import ReportExport
from settlement.reports import exports, schedules
from settlement.reports.catalogue import reports
from settlement.reports.definition import Filters
from settlement.reports.exports import files_of, folder_of, run_next
from tables.models import Casino, GamingTable
from tests.support.cast import ClaimHouse
from tests.support.confirmed import person
from tests.support.databases import FreshDatabase
from tests.support.roles import acting_as
from verifier.export import findings, main


@pytest.fixture
def house(fresh_database: FreshDatabase, settings: Settings, tmp_path: Path) -> ClaimHouse:
    settings.EXPORT_DIR = str(tmp_path)
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse()
    house.hit_royal()
    return house


def days() -> Filters:
    casino = Casino.objects.get()
    day = today(casino)
    return Filters(casino, day - dt.timedelta(days=2), day)


def requested(code: str = "ledger", *wanted: str, who: str = "ines") -> ReportExport:
    with acting_as("web"):
        return exports.request_export(
            reports()[code], days(), list(wanted or exports.formats()), person(who), uuid.uuid4()
        )


def written(export: ReportExport) -> ReportExport:
    with acting_as("worker"):
        assert run_next()
    export.refresh_from_db()
    return export


def by_name(export: ReportExport) -> dict[str, Path]:
    return {path.suffix.removeprefix("."): path for path in files_of(export)}


def key() -> bytes:
    return bytes.fromhex(signing.public_key())


def csv_rows(path: Path) -> list[dict[str, str]]:
    text = path.read_text(encoding="utf-8-sig")
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("# ")]
    return list(csv.DictReader(io.StringIO("".join(lines))))


def test_every_format_holds_the_ledger(house: ClaimHouse) -> None:
    GamingTable.objects.update(name="=HYPERLINK(1)")
    export = written(requested())
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
    manifest = json.loads(files["json"].read_text())
    assert manifest["rows"] == len(transfers)
    assert Decimal(manifest["totals"]["amount"]) * 1_000_000 == sum(transfers)
    assert manifest["checkpoints"][0]["entry"] == house.system.head.seq
    assert findings(folder_of(export), key()) == []
    assert main([str(folder_of(export)), "--key", signing.public_key()]) == 0


def test_an_edited_export_is_found(house: ClaimHouse, tmp_path: Path) -> None:
    folder = folder_of(written(requested("ledger", "csv", "xlsx")))
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
        assert words in findings(copy, key())[0], name
        shutil.rmtree(copy)
    (folder / "more.csv").write_bytes(body)
    assert findings(folder, key()) == ["more.csv is not of this export"]
    (folder / "more.csv").unlink()
    file.unlink()
    assert findings(folder, key()) == [f"{file.name} is missing"]
    assert findings(folder, bytes(32)) == ["the manifest is not signed by this key"]


def test_a_dead_worker_is_replaced_and_three_are_enough(house: ClaimHouse) -> None:
    export = requested("ledger", "csv")
    taken = exports._take()
    assert taken is not None
    assert exports._take() is None  # it is at work
    silent = timezone.now() - 2 * exports.SILENT
    ReportExport.objects.update(alive_at=silent)
    assert written(export).state == "done"
    assert export.attempts == 2
    ReportExport.objects.update(state="running", attempts=3, alive_at=silent)
    assert exports._take() is None
    export.refresh_from_db()
    assert export.state == "failed"
    assert "died 3 times" in export.fault


def test_cancelled_before_and_in_the_middle(
    house: ClaimHouse, fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = requested("ledger", "csv")
    exports.cancel(export, person("ines"))
    assert exports._take() is None
    export.refresh_from_db()
    assert export.state == "cancelled"
    with pytest.raises(WrongState, match="ended already"):
        exports.cancel(export, person("ines"))
    export = requested("ledger", "csv")

    def cancelled_meanwhile(sheet: Any, path: Path, tick: Any) -> dict[str, int]:
        path.write_text("half")
        with psycopg.connect(fresh_database.url, autocommit=True) as beside:
            beside.execute("UPDATE settlement_reportexport SET cancel_at = now()")
        tick(1)
        raise AssertionError("it went on")

    monkeypatch.setitem(exports._WRITERS, "csv", cancelled_meanwhile)
    assert written(export).state == "cancelled"
    assert not list(folder_of(export).parent.iterdir())


def test_what_cannot_be_made_says_why(house: ClaimHouse, settings: Settings) -> None:
    settings.BUNDLE_SIGNING_KEY = ""
    export = written(requested("ledger", "csv"))
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


def test_a_schedule_makes_one_export_a_closed_day_and_mails_it(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    filters = days()
    schedule = schedules.add(
        reports()["payouts"], filters, "day", ["csv"], "office@example.com", person("ines")
    )
    day = dt.date(2026, 11, 20)
    monkeypatch.setattr(schedules, "_closed", lambda _schedule: [(day, day)])
    schedules.ask_for_due()
    schedules.ask_for_due()
    export = written(ReportExport.objects.get(schedule=schedule))
    assert export.filters == {"from": "2026-11-20", "to": "2026-11-20"}
    schedules.send_mail()
    schedules.send_mail()
    (message,) = mail.outbox
    assert message.bcc == ["office@example.com"]
    assert {name for name, *_ in message.attachments} == {path.name for path in files_of(export)}
    schedules.end(schedule, person("ines"))
    assert schedules.of_casino(filters.casino) == []
