"""Every report of the worked month as every kind of file, opened again by other programs."""

import csv
import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import openpyxl
import pytest
from django.utils import timezone
from pyarrow import parquet
from pypdf import PdfReader

from config.version import VERSION
from settlement.core.report_query import plain_text
from settlement.pages.reports.views import cells, total_cells
from settlement.reports import exports, manifest
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Field, Filters
from settlement.reports.writers.sheet import Sheet
from tests.support.houses.office.office_month import FRIDAY, SUNDAY, OfficeMonth
from tests.support.houses.office.printed_report import assert_table, table_of

FORMATS = ("csv", "xlsx", "pdf", "parquet")


def sheet_of(code: str, month: OfficeMonth) -> Sheet:
    """As the worker makes it for Ines."""
    definition, filters = reports()[code], Filters(month.system.casino, FRIDAY, SUNDAY)
    report = definition.report(filters)
    facts = {
        "made_at": timezone.now().isoformat(),
        "made_by": "ines",
        "version": manifest.version(filters),
        "checkpoints": manifest.checkpoints(filters),
        "open_from": "2026-11-01",
        "is_final": definition.is_final,
    }
    origin = exports._origin(facts, "Ines Moana")
    return Sheet(definition, filters, report, definition.totals(report), origin)


def file_of(sheet: Sheet, kind: str, folder: Path) -> Path:
    path = folder / f"report.{kind}"
    exports._WRITERS[kind](sheet, path, lambda _rows: None)
    return path


def csv_lines(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def book_lines(path: Path) -> list[tuple[Any, ...]]:
    """The first sheet of a workbook."""
    return list(openpyxl.load_workbook(path, read_only=True).worksheets[0].values)


def words_of(path: Path) -> list[str]:
    """The words of each page of a PDF, with one space between them."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(path).pages]


def texts_of(kind: str, path: Path) -> str:
    """All that a file says, page by page."""
    match kind:
        case "csv":
            return "\n".join(" ".join(line) for line in csv_lines(path))
        case "xlsx":
            book = openpyxl.load_workbook(path)
            cells = [str(cell) for line in book.worksheets[0].values for cell in line if cell]
            footer = book.worksheets[0].oddFooter
            assert footer is not None
            return " ".join([*cells, footer.right.text or ""])
        case "pdf":
            return "\n".join(words_of(path))
    metadata = parquet.read_schema(path).metadata or {}
    return " ".join(f"{key.decode()} {text.decode()}" for key, text in metadata.items())


def totals_of(sheet: Sheet) -> Iterator[tuple[Field, Decimal]]:
    for field in sheet.columns:
        total = sheet.total_of(field)
        if total is not None:
            yield field, Decimal(total)


@pytest.mark.parametrize("kind", FORMATS)
def test_every_file_says_where_it_is_from(month: OfficeMonth, tmp_path: Path, kind: str) -> None:
    """Title, period, who and when, version with the release, currency, totals, checkpoint; page x
    of y where there are pages."""
    sheet = sheet_of("ledger", month)
    text = texts_of(kind, file_of(sheet, kind, tmp_path))
    (total,) = (total for _field, total in totals_of(sheet))
    totals = {"csv": f"{total:.2f}", "xlsx": f"{float(total):g}", "parquet": f"{total}"}
    facts = {
        "title": "General ledger",
        "period": f"{FRIDAY} to {SUNDAY}",
        "who": "by Ines Moana",
        "when": f"{timezone.now():%Y-%m-%d %H:%M}",
        "release": f"console {VERSION}",
        "fold and rules": "fold ",
        "currency": "NZD",
        "totals": totals.get(kind, f"{total:,.2f}"),
        "checkpoint": f"main entry {month.system.head.seq}, block ",
    }
    assert {name: fact for name, fact in facts.items() if fact not in text} == {}
    pages = {"pdf": "Page 1 of ", "xlsx": "Page &P of &N"}
    assert pages.get(kind, "") in text


def test_every_page_of_a_pdf_has_period_currency_and_who_made_it(
    month: OfficeMonth, tmp_path: Path
) -> None:
    pages = words_of(file_of(sheet_of("ledger", month), "pdf", tmp_path))
    assert len(pages) > 2
    facts = ("General ledger", f"{FRIDAY} to {SUNDAY}", "Currency: NZD", "by Ines Moana")
    for number, page in enumerate(pages, start=1):
        missing = [fact for fact in (*facts, f"Page {number} of {len(pages)}") if fact not in page]
        assert missing == [], number


@pytest.mark.parametrize("code", [*reports()])
def test_every_report_is_read_again_from_csv(month: OfficeMonth, tmp_path: Path, code: str) -> None:
    sheet = sheet_of(code, month)
    rows = list(sheet.rows(lambda _rows: None, codes=True))
    lines = csv_lines(file_of(sheet, "csv", tmp_path))[len(sheet.head) :]
    heads, body, foot = lines[0], lines[1:-1], lines[-1]
    assert len(body) == len(rows) == sheet.totals["rows"]
    sums = dict(cell.split(": ") for cell in foot)
    assert sums.pop("# rows") == f"{len(rows)}"
    assert {name: Decimal(text) for name, text in sums.items()} == {
        field.source: total for field, total in totals_of(sheet)
    }
    places = {name.removesuffix("_NZD"): place for place, name in enumerate(heads)}
    assert places.keys() == {field.source for field in sheet.columns}
    zone = ZoneInfo(sheet.filters.casino.timezone)
    for row, line in zip(rows, body, strict=True):
        for field, value in zip(sheet.columns, row, strict=True):
            assert_cell(field, line[places[field.source]], value, zone)


def assert_cell(field: Field, text: str, value: Any, zone: ZoneInfo) -> None:
    """A cell of a CSV says exactly the value: a `local` time to the second, an `instant` in UTC."""
    match field.shape:
        case "money" | "number":
            assert (Decimal(text) if text else None) == value, field.source
        case "day":
            assert (dt.date.fromisoformat(text) if text else None) == value, field.source
        case "local":
            assert text == ("" if value is None else f"{value:%Y-%m-%d %H:%M:%S}"), field.source
        case "instant":
            instant = dt.datetime.fromisoformat(text) if text else None
            assert (instant and instant.astimezone(zone).replace(tzinfo=None)) == value
        case "text" | "code":
            assert text == plain_text(value or ""), field.source


@pytest.mark.parametrize("code", [*reports()])
def test_every_report_is_read_again_from_a_workbook(
    month: OfficeMonth, tmp_path: Path, code: str
) -> None:
    sheet = sheet_of(code, month)
    rows = list(sheet.rows(lambda _rows: None))
    lines = book_lines(file_of(sheet, "xlsx", tmp_path))[len(sheet.head) + 1 :]
    heads, body, foot = lines[0], lines[1:-1], lines[-1]
    assert list(heads) == [sheet.heading(field) for field in sheet.columns]
    assert len(body) == len(rows) == sheet.totals["rows"]
    for field, total in totals_of(sheet):
        assert foot[sheet.columns.index(field)] == pytest.approx(float(total))
    for row, line in zip(rows, body, strict=True):
        for value, cell in zip(row, line, strict=True):
            match value:
                case Decimal():
                    assert cell == pytest.approx(float(value))
                case dt.datetime():
                    assert cell == value.replace(microsecond=0)  # as it is on screen
                case dt.date():
                    assert cell == dt.datetime.combine(value, dt.time())
                case _:
                    assert (cell or None) == (value or None) or cell == value


@pytest.mark.parametrize("code", [*reports()])
def test_every_report_is_read_again_from_parquet(
    month: OfficeMonth, tmp_path: Path, code: str
) -> None:
    sheet = sheet_of(code, month)
    rows = list(sheet.rows(lambda _rows: None, codes=True))
    table = parquet.read_table(file_of(sheet, "parquet", tmp_path))
    assert table.num_rows == len(rows) == sheet.totals["rows"]
    metadata = {key.decode(): text.decode() for key, text in table.schema.metadata.items()}
    assert metadata["total rows"] == f"{len(rows)}"
    for field, total in totals_of(sheet):
        assert Decimal(metadata[f"total {field.source}"]) == total
        assert sum(each or 0 for each in table[field.source].to_pylist()) == total
    assert [tuple(each.values()) for each in table.to_pylist()] == rows


@pytest.mark.parametrize("code", [*reports()])
def test_every_report_is_read_again_from_a_pdf(
    month: OfficeMonth, tmp_path: Path, code: str
) -> None:
    """Every cell of it is that on the page of the report, and so are the totals."""
    sheet = sheet_of(code, month)
    definition, filters = sheet.definition, sheet.filters
    rows = definition.rows(filters, 10_000)
    path = file_of(sheet, "pdf", tmp_path)
    assert_table(
        path, sheet, [[cell.text for cell in cells(definition, row, filters)] for row in rows]
    )
    totals = total_cells(definition, sheet.totals, filters.casino)
    parts = table_of(path, sheet)
    for place, total in enumerate(totals):
        lines = [part[place][-1].text for part in parts if place in part] if total.text else []
        assert lines == [total.text] * len(lines), sheet.columns[place].source
    if sheet.total_of(sheet.columns[0]) is None:
        assert f"{len(rows):,} rows" in " ".join(words_of(path))
