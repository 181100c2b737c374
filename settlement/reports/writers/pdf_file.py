"""PDF on landscape A4 by ReportLab: what the report is, rows, totals; page x of y on each page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext as _
from reportlab.lib.colors import HexColor, black
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from jackpot.labels.figures import write_count
from settlement.core.printing import pdf_fonts
from settlement.core.printing.house_logo import Logo, logo_of
from settlement.core.printing.pdf_fonts import BOLD, TEXT
from settlement.reports.definitions.definition import Field
from settlement.reports.writers.sheet import Sheet, Tick, text_of

MOST_ROWS = 20_000  # some 600 pages: what is longer is nothing to print
WIDTH, HEIGHT = landscape(A4)
LEFT, RIGHT, TOP, BOTTOM = 12 * mm, WIDTH - 12 * mm, HEIGHT - 12 * mm, 16 * mm
LOGO = (50 * mm, 8 * mm)  # at most, beside the name of the house
LARGEST, SMALLEST, GAP = 6.8, 4.6, 6.0  # points
SMALL = 6.5  # of the notes at the end
GREY, PALE = HexColor("#555555"), HexColor("#bbbbbb")
_TOTAL = "pages"
_MEASURED = 300  # rows by which columns are made as wide as they need


def too_long(rows: int) -> str:
    """What to do about a report of more than MOST_ROWS, in words."""
    return _("A PDF takes at most %(most)s rows, this report has %(rows)s: choose CSV or XLSX.") % {
        "most": write_count(MOST_ROWS),
        "rows": write_count(rows),
    }


def write(sheet: Sheet, path: Path, tick: Tick) -> dict[str, int]:
    """No more than MOST_ROWS: more nobody prints."""
    pdf_fonts.register()
    canvas = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=True)
    canvas.setTitle(sheet.title)
    canvas.setAuthor(sheet.filters.casino.name)
    _Paper(canvas, sheet).draw(tick)
    canvas.save()
    return {}


class _Paper:
    """A pen that goes down the pages; `y` is where it stands."""

    def __init__(self, canvas: Canvas, sheet: Sheet) -> None:
        self.canvas, self.sheet = canvas, sheet
        self.digits = sheet.filters.casino.minor_digits
        self.logo = Logo(logo_of(sheet.filters.casino.pk), *LOGO)
        self.page, self.y = 0, 0.0
        self.right = [field.shape in ("money", "number") for field in sheet.columns]
        self.size, self.widths = LARGEST, [0.0]

    def draw(self, tick: Tick) -> None:
        cells: list[list[str]] = []
        rows = self.sheet.rows(tick)
        for values in rows:
            cells.append([text_of(value, self.digits) for value in values])
            if len(cells) == _MEASURED:
                break
        self._measure(cells)
        self._new_page()
        for row in cells:
            self._row(row)
        for values in rows:
            self._row([text_of(value, self.digits) for value in values])
        self._totals()
        self._meanings()
        self._end_page()
        # Only now is it known how many pages there are: each one shows this drawing.
        self.canvas.beginForm(_TOTAL)
        self.canvas.setFont(TEXT, 7)
        self.canvas.setFillColor(GREY)
        self.canvas.drawString(0, 0, str(self.page))
        self.canvas.endForm()

    def _measure(self, cells: list[list[str]]) -> None:
        """As large as there is room; where that is too small to read, texts go on in new lines."""
        needed = self._needed(cells, LARGEST)
        room = RIGHT - LEFT
        if sum(needed) > room:
            self.size = max(SMALLEST, LARGEST * room / sum(needed) * 0.99)
            needed = self._needed(cells, self.size)
        spare = room - sum(needed)
        if spare >= 0:
            self.widths = [each + spare / len(needed) for each in needed]
            return
        texts = sum(each for each, right in zip(needed, self.right, strict=True) if not right)
        scale = max(0.25, 1 + spare / texts) if texts else 1.0
        widths = [
            each if right else each * scale for each, right in zip(needed, self.right, strict=True)
        ]
        self.widths = [each * min(1.0, room / sum(widths)) for each in widths]

    def _needed(self, cells: list[list[str]], size: float) -> list[float]:
        """The widths in which nothing is broken but headings between their words."""
        needed = []
        for place, field in enumerate(self.sheet.columns):
            texts = [row[place] for row in cells]
            total = self.sheet.total_of(field)
            if total is not None:
                texts.append(text_of(total, self.digits))
            widest = max((stringWidth(text, BOLD, size) for text in texts), default=0)
            words = [stringWidth(word, BOLD, size) for word in self._heading(field).split()]
            needed.append(max(widest, *words) + GAP)
        return needed

    @staticmethod
    def _heading(field: Field) -> str:
        """Without the currency, which stands above."""
        return gettext(field.title)

    def _new_page(self) -> None:
        self.page += 1
        self.y = TOP
        self._text(LEFT, self.sheet.title, 13, BOLD)
        beside = self.logo.width + 3 * mm if self.logo.width else 0
        self.logo.draw(self.canvas, RIGHT - self.logo.width, TOP + 5 * mm - self.logo.height)
        self._text(RIGHT - beside, self.sheet.filters.casino.name, 9, right=True)
        self.y -= 5 * mm
        head = self.sheet.head[1:] if self.page == 1 else self.sheet.on_every_page
        words = "   ".join(f"{term}: {text}" for term, text in head)
        for line in simpleSplit(words, TEXT, 7.5, RIGHT - LEFT):
            self._text(LEFT, line, 7.5, colour=GREY)
            self.y -= 3.4 * mm
        self.y -= 1.5 * mm
        self._cells([self._heading(field) for field in self.sheet.columns], BOLD)
        self._rule()

    def _end_page(self) -> None:
        canvas = self.canvas
        self.y = 9 * mm
        self._text(LEFT, self.sheet.head[-1][1], 7, colour=GREY)
        text = _("Page %(page)s of") % {"page": self.page}
        self._text(RIGHT - 8 * mm, text, 7, right=True, colour=GREY)
        canvas.saveState()
        canvas.translate(RIGHT - 6.5 * mm, self.y)
        canvas.doForm(_TOTAL)
        canvas.restoreState()
        canvas.showPage()

    def _row(self, cells: list[str]) -> None:
        self._cells(cells, TEXT)

    def _totals(self) -> None:
        totals = [self.sheet.total_of(field) for field in self.sheet.columns]
        cells = ["" if each is None else text_of(each, self.digits) for each in totals]
        if not cells[0]:
            cells[0] = _("%(rows)s rows") % {"rows": write_count(self.sheet.totals["rows"])}
        self._rule()
        self._cells(cells, BOLD)

    def _meanings(self) -> None:
        """What the columns mean, below the totals."""
        self.y -= 4 * mm
        for title, meaning in self.sheet.meanings:
            for line in simpleSplit(f"{title}: {meaning}", TEXT, SMALL, RIGHT - LEFT):
                if self.y - SMALL * 1.3 < BOTTOM:
                    self._end_page()
                    self._new_page()
                self.y -= SMALL * 1.3
                self._text(LEFT, line, SMALL, colour=GREY)

    def _cells(self, cells: list[str], font: str) -> None:
        """One row; a text that is too long goes on in the next line."""
        split = [
            self._split(cell, font, width - GAP + 0.1)
            for cell, width in zip(cells, self.widths, strict=True)
        ]
        step = self.size * 1.2
        height = step * max(map(len, split))
        if self.y - height < BOTTOM:
            self._end_page()
            self._new_page()
        x = LEFT
        self.y -= step
        start = self.y
        for lines, width, right in zip(split, self.widths, self.right, strict=True):
            self.y = start
            for line in lines:
                self._text(x + width - GAP if right else x, line, self.size, font, right=right)
                self.y -= step
            x += width
        self.y = start - height + step - 1.4

    def _split(self, text: str, font: str, width: float) -> list[str]:
        size = self.size
        if stringWidth(text, font, size) <= width:
            return [text]
        lines = []
        for line in simpleSplit(text, font, size, width):
            rest = line
            while stringWidth(rest, font, size) > width and len(rest) > 1:
                cut = max(1, int(len(rest) * width / stringWidth(rest, font, size)))
                lines.append(rest[:cut])
                rest = rest[cut:]
            lines.append(rest)
        return lines

    def _rule(self) -> None:
        self.canvas.setStrokeColor(PALE)
        self.canvas.setLineWidth(0.5)
        self.canvas.line(LEFT, self.y - 1, RIGHT, self.y - 1)
        self.y -= 2

    def _text(
        self,
        x: float,
        text: str,
        size: float,
        font: str = TEXT,
        *,
        right: bool = False,
        colour: Any = black,
    ) -> None:
        self.canvas.setFillColor(colour)
        self.canvas.setFont(font, size)
        (self.canvas.drawRightString if right else self.canvas.drawString)(x, self.y, text)
