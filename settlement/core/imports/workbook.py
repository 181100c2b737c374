"""The first sheet of an Excel workbook that people import, as the texts of its cells."""

from __future__ import annotations

import datetime as dt
import io
import itertools
import zipfile
import zlib
from decimal import Decimal
from typing import Any

import openpyxl
from django.utils.translation import gettext as _
from openpyxl.utils.exceptions import InvalidFileException

from settlement.core.errors import BadFile

SIGNATURE = b"PK\x03\x04"  # of a ZIP archive, which a workbook is
MOST_UNPACKED = 32 * 1024 * 1024  # a small archive may hold any amount of zeros
_MOST_COLUMNS = 64
# What the reader raises where a file is no workbook, or a damaged one.
_FAULTS = (
    *(zipfile.BadZipFile, zlib.error, InvalidFileException, EOFError, OSError, RuntimeError),
    *(ValueError, TypeError, LookupError, AttributeError, SyntaxError, ArithmeticError),
)


def rows_of(content: bytes, most_rows: int) -> list[tuple[int, list[str]]]:
    """Every row that has something, by its number; of more than `most_rows` the first ones.

    Each row has a cell for each column of the first one, and more where it says something there.
    BadFile where it is no workbook, or too large when it is unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(each.file_size for each in archive.infolist())
        if unpacked <= MOST_UNPACKED:
            return _rows(content, most_rows)
    except _FAULTS as fault:
        raise BadFile(
            _("The Excel file cannot be read: save it as .xlsx or as CSV (UTF-8).")
        ) from fault
    raise BadFile(_("The Excel file is too large: save its first sheet alone."))


def _rows(content: bytes, most_rows: int) -> list[tuple[int, list[str]]]:
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    try:
        cells = book.worksheets[0].iter_rows(max_col=_MOST_COLUMNS, values_only=True)
        texts = ((number, [_text(each) for each in row]) for number, row in enumerate(cells, 1))
        rows = list(itertools.islice((row for row in texts if any(row[1])), most_rows))
    finally:
        book.close()
    width = len(_trimmed(rows[0][1])) if rows else 0
    return [(number, _padded(_trimmed(row), width)) for number, row in rows]


def _trimmed(row: list[str]) -> list[str]:
    """Without the empty cells at its end."""
    last = max((place for place, text in enumerate(row, 1) if text), default=0)
    return row[:last]


def _padded(row: list[str], width: int) -> list[str]:
    return row + [""] * (width - len(row))


def _text(value: Any) -> str:
    """As people would type it in a CSV file: days like 2026-11-21, amounts with a point."""
    match value:
        case None:
            return ""
        case float():  # a spreadsheet shows 15 digits: 0.1 + 0.2 is 0.3
            return format(Decimal(f"{value:.15g}").normalize(), "f")
        case dt.datetime():
            return (value.date() if value.time() == dt.time() else value).isoformat()
        case dt.date() | dt.time():
            return value.isoformat()
    return str(value).strip()
