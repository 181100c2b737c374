"""PDF on landscape paper by ReportLab: what the report is, rows, totals; page x of y on each page.

Columns that do not fit beside one another go on pages of their own, which are laid side by side:
the same rows at the same height, with the columns that tell them apart on each.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext as _
from reportlab.lib.colors import HexColor, black
from reportlab.lib.pagesizes import landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from jackpot.labels.figures import write_count
from settlement.core.printing import pdf_fonts
from settlement.core.printing.house_logo import Logo, logo_of
from settlement.core.printing.line_pen import LinePen
from settlement.core.printing.paper import SIZES
from settlement.core.printing.pdf_fonts import BOLD, TEXT, lines_of
from settlement.jurisdiction.rules import paper_of
from settlement.reports.writers.pdf_layout import GAP, Layout, Part, lay_out, need_of
from settlement.reports.writers.sheet import Sheet, Tick, text_of

MOST_ROWS = 20_000  # some 500 pages for each part: what is longer is nothing to print
LEFT, BOTTOM = 12 * mm, 16 * mm  # as much as on the left on the right and above
LOGO = (50 * mm, 8 * mm)  # at most, beside the name of the house
SMALL, LINE = 7.0, 1.2  # points of the smallest type there is; height of a line in its size
RULE = 2.0  # points above a line between rows
HEAD, HEAD_LINE = 7.5, 3.4 * mm
GREY, PALE = HexColor("#555555"), HexColor("#bbbbbb")
_TOTAL = "pages"
_FIGURES = ("money", "number")
_WHOLE = ("money", "number", "day", "local", "instant")  # never more than one line


def too_long(rows: int) -> str:
    """What to do about a report of more than MOST_ROWS, in words."""
    return _("A PDF takes at most %(most)s rows, this report has %(rows)s: choose CSV or XLSX.") % {
        "most": write_count(MOST_ROWS),
        "rows": write_count(rows),
    }


def write(sheet: Sheet, path: Path, tick: Tick) -> dict[str, int]:
    """No more than MOST_ROWS: more nobody prints."""
    pdf_fonts.register()
    size = landscape(SIZES[paper_of(sheet.filters.casino)])
    canvas = Canvas(str(path), pagesize=size, invariant=True)
    canvas.setTitle(sheet.title)
    canvas.setAuthor(sheet.filters.casino.name)
    _Paper(canvas, sheet, size).draw(tick)
    canvas.save()
    return {}


Lines = list[list[str]]  # of each column


@dataclass(frozen=True, slots=True)
class _Row:
    """The lines of each column, for each part; `height`: how many lines."""

    parts: list[Lines]
    font: str = TEXT

    @property
    def height(self) -> int:
        return max(len(lines) for columns in self.parts for lines in columns)

    def cut(self, height: int) -> tuple[_Row, _Row]:
        """So many lines, and the rest: a page has room for no more."""
        above = [[lines[:height] for lines in columns] for columns in self.parts]
        below = [[lines[height:] for lines in columns] for columns in self.parts]
        return _Row(above, self.font), _Row(below, self.font)


class _Paper(LinePen):
    """A pen that goes down the pages; `y` is where it stands.

    `block`: the rows of the page, or pages side by side, that are drawn next.
    """

    def __init__(self, canvas: Canvas, sheet: Sheet, size: tuple[float, float]) -> None:
        super().__init__(canvas)
        self.sheet = sheet
        width, height = size
        self.edge, self.top = width - LEFT, height - LEFT
        self.digits = sheet.filters.casino.minor_digits
        self.logo = Logo(logo_of(sheet.filters.casino.pk), *LOGO)
        self.page = 0
        self.right = [field.shape in _FIGURES for field in sheet.columns]
        self.headings = [gettext(field.title) for field in sheet.columns]  # the currency is above
        self.layout = Layout(SMALL, ())
        self.block: list[_Row] = []

    def draw(self, tick: Tick) -> None:
        rows = [
            [text_of(value, self.digits) for value in values] for values in self.sheet.rows(tick)
        ]
        totals = self._totals()
        self.layout = self._lay_out(rows, totals)
        self.step = self.layout.size * LINE
        self.heading = self._set(self.headings, BOLD)
        for row in rows:
            self._add(self._set(row, TEXT))
            tick(0)
        self._add(self._set(totals, BOLD))
        self._draw_block()
        self._meanings()
        self._end_page()
        # Only now is it known how many pages there are: each one shows this drawing.
        self.canvas.beginForm(_TOTAL)
        self.canvas.setFont(TEXT, SMALL)
        self.canvas.setFillColor(GREY)
        self.canvas.drawString(0, 0, str(self.page))
        self.canvas.endForm()

    def _lay_out(self, rows: list[list[str]], totals: list[str]) -> Layout:
        keys = self.sheet.definition.keys
        needs = [
            need_of(
                self.headings[place],
                (row[place] for row in rows),
                totals[place],
                wraps=field.shape not in _WHOLE,
                is_key=field.source in keys,
            )
            for place, field in enumerate(self.sheet.columns)
        ]
        return lay_out(needs, self.edge - LEFT)

    def _totals(self) -> list[str]:
        totals = [self.sheet.total_of(field) for field in self.sheet.columns]
        cells = ["" if each is None else text_of(each, self.digits) for each in totals]
        if not cells[0]:
            cells[0] = _("%(rows)s rows") % {"rows": write_count(self.sheet.totals["rows"])}
        return cells

    def _set(self, cells: list[str], font: str) -> _Row:
        """A row in lines; a text that is too long goes on in the next line."""
        size = self.layout.size
        return _Row(
            [
                [
                    lines_of(cells[place], font, size, width - GAP + 0.1)
                    for place, width in zip(part.columns, part.widths, strict=True)
                ]
                for part in self.layout.parts
            ],
            font,
        )

    def _add(self, row: _Row) -> None:
        """One row more; what is full goes on paper first."""
        if self.block and row.height > self._free():
            self._draw_block()
        while row.height > self._free():
            above, row = row.cut(self._free())
            self.block.append(above)
            self._draw_block()
        self.block.append(row)

    def _free(self) -> int:
        """The lines that the block has room for."""
        space = self._top() - BOTTOM - (self.heading.height * self.step + RULE)
        used = sum(row.height * self.step + RULE for row in self.block)
        return int((space - used - RULE) / self.step)

    def _head(self) -> list[str]:
        """What stands below the title of the next page: of the first one, all there is."""
        head = self.sheet.on_every_page if self.page else self.sheet.head[1:]
        words = "   ".join(f"{term}: {text}" for term, text in head)
        return lines_of(words, TEXT, HEAD, self.edge - LEFT)

    def _top(self) -> float:
        """Where the headings of the columns begin on the next page."""
        return self.top - 6.5 * mm - HEAD_LINE * len(self._head())

    def _draw_block(self) -> None:
        top = self._top()
        for number, part in enumerate(self.layout.parts):
            self._begin_page(number + 1)
            self.y = top
            self._lines(self.heading, number, part)
            for row in self.block:
                self._rule(PALE if row.font == TEXT else black)
                self._lines(row, number, part)
        self.block = []

    def _lines(self, row: _Row, number: int, part: Part) -> None:
        size, top = self.layout.size, self.y
        x = LEFT
        for place, width, lines in zip(part.columns, part.widths, row.parts[number], strict=True):
            is_right = self.right[place]
            self.y = top
            for line in lines:
                self.y -= self.step
                self.text(x + width - GAP if is_right else x, line, size, row.font, right=is_right)
            x += width
        self.y = top - row.height * self.step

    def _begin_page(self, part: int = 0) -> None:
        """With the number of the part, where there are several."""
        lines = self._head()
        if self.page:
            self._end_page()
        self.page += 1
        self.y = self.top
        title, parts = self.sheet.title, len(self.layout.parts)
        if part and parts > 1:
            title += " · " + _("columns %(part)s of %(parts)s") % {"part": part, "parts": parts}
        self.text(LEFT, title, 13, BOLD)
        beside = self.logo.width + 3 * mm if self.logo.width else 0
        self.logo.draw(
            self.canvas, self.edge - self.logo.width, self.top + 5 * mm - self.logo.height
        )
        self.text(self.edge - beside, self.sheet.filters.casino.name, 9, right=True)
        self.y -= 5 * mm
        for line in lines:
            self.text(LEFT, line, HEAD, colour=GREY)
            self.y -= HEAD_LINE

    def _end_page(self) -> None:
        canvas = self.canvas
        self.y = 9 * mm
        self.text(LEFT, self.sheet.head[-1][1], SMALL, colour=GREY)
        text = _("Page %(page)s of") % {"page": self.page}
        self.text(self.edge - 8 * mm, text, SMALL, right=True, colour=GREY)
        canvas.saveState()
        canvas.translate(self.edge - 6.5 * mm, self.y)
        canvas.doForm(_TOTAL)
        canvas.restoreState()
        canvas.showPage()

    def _meanings(self) -> None:
        """What the columns mean, below the totals."""
        self.y -= 4 * mm
        for title, meaning in self.sheet.meanings:
            for line in lines_of(f"{title}: {meaning}", TEXT, SMALL, self.edge - LEFT):
                if self.y - SMALL * 1.3 < BOTTOM:
                    self._begin_page()
                self.y -= SMALL * 1.3
                self.text(LEFT, line, SMALL, colour=GREY)

    def _rule(self, colour: Any) -> None:
        self.y -= RULE
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(0.3)
        self.canvas.line(LEFT, self.y, self.edge, self.y)
