"""Exports of reports: exact amounts, texts that no spreadsheet runs, parts read one by one."""

import csv
import io
import json
from itertools import product
from typing import Any

import pytest
from psycopg import sql

from settlement.core.report_query import Column, Report, bind, plain_text
from tables.models import Casino

pytestmark = pytest.mark.django_db

SIGNS = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
BEFORE = [
    "",
    " ",
    "  ",
    "\t",
    "\r",
    "\n",
    " \t ",
    "\u00a0",
    "\u3000",
    "\ufeff",
    "\u200b",
    "\x0b",
    "\x0c",
]
FORMULAS = [f"{before}{sign}1+1" for before, sign in product(BEFORE, SIGNS)]
FORMULAS += ["\tplain", "\rplain", "\nplain", "=", "@SUM(A1)", "-2+3+cmd|' /C calc'!A0"]
TEXTS = ["", " ", "plain", "7 = 7", "a-b", "'=1", "# total", " plain", "“=”", "1.5", "(=1)"]


def report_of(rows: list[dict[str, Any]], columns: dict[str, Any], parts: int = 0) -> Report:
    """A report of these rows; in so many parts of consecutive ones, or in one."""
    typed = sql.SQL(", ").join(
        sql.SQL("{} {}").format(
            sql.Identifier(name), sql.SQL("text" if shape == "text" else "bigint")
        )
        for name, shape in columns.items()
    )

    def query(of: list[dict[str, Any]]) -> sql.Composed:
        return bind(
            "SELECT * FROM jsonb_to_recordset({rows}::jsonb) AS r ({typed})",
            rows=json.dumps(of),
            typed=typed,
        )

    size = -(-len(rows) // parts) if parts else 0
    return Report(
        "test",
        Casino(code="test", currency="NZD", timezone="UTC"),
        query(rows),
        sql.SQL("n"),
        tuple(Column(name, name, shape) for name, shape in columns.items()),
        tuple(query(rows[at : at + size]) for at in range(0, len(rows), size)) if parts else (),
    )


def csv_rows(report: Report) -> list[list[str]]:
    """As a spreadsheet reads it, without the headings."""
    text = b"".join(bytes(piece) for piece in report.csv()).decode()
    return list(csv.reader(io.StringIO(text, newline="")))[1:]


def test_no_text_is_a_formula() -> None:
    texts = [*FORMULAS, *TEXTS]
    rows = [{"n": number, "said": text} for number, text in enumerate(texts)]
    cells = [row[1] for row in csv_rows(report_of(rows, {"n": "number", "said": "text"}))]
    assert cells == [plain_text(text) for text in texts]
    assert cells[: len(FORMULAS)] == [f"'{text}" for text in FORMULAS]
    assert cells[len(FORMULAS) :] == TEXTS


def test_amounts_are_exact_and_numbers() -> None:
    amounts = [0, 1, -1, 10_000, -10_000, 1_234_567_890_123_456, -25_000_001]
    rows = [{"n": number, "amount": amount} for number, amount in enumerate(amounts)]
    cells = [row[1] for row in csv_rows(report_of(rows, {"n": "number", "amount": "money"}))]
    assert cells == [
        *("0.00", "0.000001", "-0.000001", "0.01", "-0.01"),
        *("1234567890.123456", "-25.000001"),
    ]


@pytest.mark.parametrize("parts", [0, 1, 3, 4, 11])
def test_a_page_is_the_same_part_of_all_rows(parts: int) -> None:
    rows = [{"n": number} for number in range(11)]
    report = report_of(rows, {"n": "number"}, parts)
    assert [int(cell) for (cell,) in csv_rows(report)] == list(range(11))
    for limit, offset in product((1, 2, 5, 11, 20), (0, 1, 3, 4, 8, 10, 11, 30)):
        page = [row["n"] for row in report.rows(limit, offset)]
        assert page == list(range(11))[offset : offset + limit], (limit, offset)
