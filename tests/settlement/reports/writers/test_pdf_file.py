"""What an inspector prints: type of 7 points and more, no word broken, columns side by side; on A4
and on Letter."""

import re
from pathlib import Path
from typing import Any

import pytest
from psycopg import sql
from pypdf import PdfReader
from pytest_django import Settings

from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query
from settlement.reports.writers import pdf_file
from settlement.reports.writers.sheet import Sheet, text_of
from tests.support.houses.office.office_month import FRIDAY, SUNDAY, OfficeMonth
from tests.support.houses.office.printed_report import assert_table, pages_of, table_of

WIDE = ("roll-forward", "monthly-roll-forward", "hit-register", "payouts", "adjustments")


PAPERS = {"a4": (842, 595), "letter": (792, 612)}  # points, landscape


@pytest.fixture(params=PAPERS)
def paper(request: pytest.FixtureRequest, settings: Settings, tmp_path: Path) -> tuple[int, int]:
    """What the house prints on, as its pack says."""
    name: str = request.param
    settings.JURISDICTION_DIR, settings.JURISDICTIONS = str(tmp_path), {"harbour": "own"}
    (tmp_path / "own.yaml").write_text(f"{{name: Own, currency: NZD, paper: {name}, rules: []}}")
    return PAPERS[name]


def assert_on_paper(path: Path, paper: tuple[int, int]) -> None:
    """All pages are of that size, and nothing stands beyond their margins."""
    for page in PdfReader(path).pages:
        assert (round(page.mediabox.width), round(page.mediabox.height)) == paper
    texts = [text for page in pages_of(path) for text in page]
    assert {text.text for text in texts if text.right > paper[0] - pdf_file.LEFT + 0.5} == set()
    assert {text.text for text in texts if text.y > paper[1] - pdf_file.LEFT + 0.5} == set()
    assert {text.text for text in texts if 0 < text.y < 8} == set()  # 0: how many pages there are


def printed(definition: Definition, month: OfficeMonth, path: Path) -> tuple[Sheet, list[Any]]:
    """The report as PDF at this path; its rows as they are read on a page."""
    filters = Filters(month.system.casino, FRIDAY, SUNDAY)
    report = definition.report(filters)
    origin = [("Made", "2026-11-01 by Ines Moana"), ("Checkpoint", "main entry 12, block 4")]
    sheet = Sheet(definition, filters, report, definition.totals(report), origin)
    pdf_file.write(sheet, path, lambda _rows: None)

    digits = filters.casino.minor_digits
    rows = [[text_of(value, digits) for value in row] for row in sheet.rows(lambda _rows: None)]
    return sheet, rows


@pytest.mark.parametrize("code", [*reports()])
def test_no_type_is_smaller_than_7_points(
    month: OfficeMonth, tmp_path: Path, paper: tuple[int, int], code: str
) -> None:
    printed(reports()[code], month, tmp_path / "report.pdf")
    texts = [text for page in pages_of(tmp_path / "report.pdf") for text in page]
    assert {text.text for text in texts if text.size < 7} == set()
    assert_on_paper(tmp_path / "report.pdf", paper)


@pytest.mark.parametrize("code", WIDE)
def test_columns_of_a_wide_report_stand_on_pages_side_by_side(
    month: OfficeMonth, tmp_path: Path, paper: tuple[int, int], code: str
) -> None:
    """Each page says which of them it has, and repeats the headings and what tells rows apart."""
    sheet, rows = printed(reports()[code], month, tmp_path / "report.pdf")
    assert_on_paper(tmp_path / "report.pdf", paper)
    assert_table(tmp_path / "report.pdf", sheet, rows)
    parts = table_of(tmp_path / "report.pdf", sheet)
    assert len(parts) > 1
    keys = [
        place for place, field in enumerate(sheet.columns) if field.source in sheet.definition.keys
    ]
    assert all(set(keys) <= set(part) for part in parts)
    pages = pages_of(tmp_path / "report.pdf")
    titles = [next(text.text for text in page if text.size == 13) for page in pages]
    tables = [title for title in titles if "columns" in title]
    titles_of_parts = [
        f"{sheet.title} · columns {number} of {len(parts)}" for number in range(1, len(parts) + 1)
    ]
    assert tables == titles_of_parts * (len(tables) // len(parts))
    for number, page in enumerate(pages, start=1):
        words = " ".join(text.text for text in page)
        assert re.search(rf"Page {number} of\s+{len(pages)}\b", words)
        assert f"{FRIDAY} to {SUNDAY}" in words


COLUMNS = (
    Field("day", "Gaming day", "day", note="Day."),
    Field("note", "Note", note="What somebody wrote."),
    Field("amount", "Amount", "money", is_summed=True, note="Amount."),
)


def report_of(rows: list[dict[str, Any]]) -> Definition:
    def query(_filters: Filters) -> sql.Composed:
        return as_query(COLUMNS, rows)

    return Definition(
        number=99,
        code="notes",
        title="Notes",
        question="What was written?",
        columns=COLUMNS,
        order="day, amount",
        query=query,
    )


def test_a_text_longer_than_a_page_goes_on_on_the_next_one(
    month: OfficeMonth, tmp_path: Path
) -> None:
    long = " ".join(f"word{number}" for number in range(4_000))
    definition = report_of(
        [
            {"day": "2026-10-30", "note": "short", "amount": 1_000_000},
            {"day": "2026-10-30", "note": long, "amount": 2_000_000},
            {"day": "2026-10-31", "note": "at the end", "amount": 3_000_000},
        ]
    )
    sheet, rows = printed(definition, month, tmp_path / "report.pdf")
    assert_table(tmp_path / "report.pdf", sheet, rows)
    assert len(pages_of(tmp_path / "report.pdf")) > 2


def test_a_report_without_rows_has_headings_and_totals(month: OfficeMonth, tmp_path: Path) -> None:
    sheet, rows = printed(report_of([]), month, tmp_path / "report.pdf")
    assert rows == []
    assert_table(tmp_path / "report.pdf", sheet, rows)
    (part,) = table_of(tmp_path / "report.pdf", sheet)
    assert [text.text for text in part[0]] == ["0 rows"]
    assert [text.text for text in part[2]] == ["0.00"]


def test_later_rows_are_measured_too(month: OfficeMonth, tmp_path: Path) -> None:
    """The widest amount of a report may stand far below."""
    rows = [
        {"day": "2026-10-30", "note": "n" * (number % 7), "amount": 10 ** (number // 40) * 10_000}
        for number in range(480)
    ]
    sheet, texts = printed(report_of(rows), month, tmp_path / "report.pdf")
    assert_table(tmp_path / "report.pdf", sheet, texts)
