"""A workbook by XlsxWriter, row by row to disk. A sheet holds a million rows; then a new one."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import xlsxwriter
from django.utils.translation import gettext as _

from jackpot.labels.figures import write_count
from settlement.reports.writers.sheet import Sheet, Tick

MOST_ROWS = 1_000_000  # on a sheet; Excel takes 1,048,576
_WIDTHS = {"text": 22, "code": 16, "number": 12, "money": 18, "day": 12, "local": 20, "instant": 20}
_PLACE = {"page": "&P", "pages": "&N"}
_SAFE = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def write(sheet: Sheet, path: Path, tick: Tick) -> dict[str, int]:
    """Amounts are numbers with every decimal that is there; times those of the casino."""
    book = xlsxwriter.Workbook(path, _SAFE)
    book.set_properties({"title": sheet.title, "author": sheet.filters.casino.name})
    try:
        _Book(book, sheet).fill(tick)
    finally:
        book.close()
    return {}


class _Book:
    def __init__(self, book: Any, sheet: Sheet) -> None:
        self.book, self.sheet = book, sheet
        places = "0" * sheet.filters.casino.minor_digits
        self.bold = book.add_format({"bold": True})
        self.formats = {
            "money": book.add_format({"num_format": f"#,##0.{places}####".rstrip(".")}),
            "day": book.add_format({"num_format": "yyyy-mm-dd"}),
            "local": book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
        }
        self.formats["instant"] = self.formats["local"]
        self.page: Any = None
        self.pages = 0
        self.row = 0

    def fill(self, tick: Tick) -> None:
        self._new_page()
        for count, values in enumerate(self.sheet.rows(tick)):
            if count and count % MOST_ROWS == 0:
                self._new_page()
            for place, value in enumerate(values):
                self._cell(place, value)
            self.row += 1
        self._totals()
        self._meanings()

    def _new_page(self) -> None:
        sheet = self.sheet
        self.pages += 1
        name = _("Rows") if self.pages == 1 else f"{_('Rows')} {self.pages}"
        self.page = self.book.add_worksheet(name)
        self.page.set_landscape()
        self.page.fit_to_pages(1, 0)
        self.page.set_header(f"&L{sheet.title.replace('&', '&&')}&R{sheet.filters.days.slug}")
        self.page.set_footer(f"&L&A&R{_('Page %(page)s of %(pages)s') % _PLACE}")
        for place, field in enumerate(sheet.columns):
            self.page.set_column(place, place, _WIDTHS[field.shape])
        for line, (term, words) in enumerate(sheet.head):
            self.page.write_string(line, 0, term, self.bold)
            self.page.write_string(line, 1, words)
        self.row = len(sheet.head) + 1
        for place, field in enumerate(sheet.columns):
            self.page.write_string(self.row, place, sheet.heading(field), self.bold)
        self.page.freeze_panes(self.row + 1, 0)
        self.page.repeat_rows(self.row)
        self.row += 1

    def _cell(self, place: int, value: Any) -> None:
        style = self.formats.get(self.sheet.columns[place].shape)
        match value:
            case None:
                return
            case str():
                self.page.write_string(self.row, place, value[:32_767])
            case dt.datetime():  # to the second, as on screen: a workbook would round it
                self.page.write_datetime(self.row, place, value.replace(microsecond=0), style)
            case dt.date():
                self.page.write_datetime(self.row, place, value, style)
            case Decimal():
                self.page.write_number(self.row, place, float(value), style)
            case _:
                self.page.write_number(self.row, place, value, style)

    def _totals(self) -> None:
        totals = [self.sheet.total_of(field) for field in self.sheet.columns]
        if totals[0] is None:
            words = _("%(rows)s rows") % {"rows": write_count(self.sheet.totals["rows"])}
            self.page.write_string(self.row, 0, words, self.bold)
        for place, total in enumerate(totals):
            if total is not None:
                self._cell(place, total)

    def _meanings(self) -> None:
        """A sheet of its own that says what the columns mean."""
        page = self.book.add_worksheet(_("Columns"))
        page.set_column(0, 0, 30)
        page.set_column(1, 1, 100)
        for line, (title, meaning) in enumerate(self.sheet.meanings):
            page.write_string(line, 0, title, self.bold)
            page.write_string(line, 1, meaning)
