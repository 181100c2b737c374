"""A draft of a form drawn as PDF: boxes by number in rows, tables of payments, pages x of y.

The layout is the house's, no copy of an official form. A box that is empty is filled in by hand.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from reportlab.lib.colors import Color, HexColor, black
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from settlement.core.printing import pdf_fonts
from settlement.core.printing.line_pen import LinePen
from settlement.core.printing.paper import SIZES, Paper
from settlement.core.printing.pdf_fonts import BOLD, TEXT, lines_of, width_of
from settlement.jurisdiction.layouts import WIDTH, Layout

GREY, PALE, RED = HexColor("#555555"), HexColor("#bbbbbb"), HexColor("#b00020")
SHADE = HexColor("#efefef")
WATERMARK = Color(0, 0, 0, alpha=0.05)
MARGIN, TOP, BOTTOM = 16 * mm, 15 * mm, 30 * mm
NAME, VALUE, LINE = 6.3, 9.5, 11.5  # points: name of a box, what is in it, height of its lines
PAD = 2.2


@dataclass(frozen=True, slots=True, repr=False)
class Cell:
    """A box: number, name and value; `width` of the row's twelve. It does not print itself.
    `hint`: what stands small where a value that the console might know is missing."""

    box: str
    name: str
    value: str
    width: int
    hint: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Part:
    """A section: boxes, or with `lines` a table under its `cells`."""

    title: str
    cells: list[Cell]
    lines: list[list[str]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Draft:
    """What a draft says, with a player's data. `condition`: what the console does not know;
    `paper`: on which the form is filed."""

    layout: Layout
    casino: str
    parts: list[Part]
    foot: list[str]
    condition: str = ""
    paper: Paper = "a4"


def draw(draft: Draft) -> bytes:
    """The PDF. Drawn twice: only the first time tells how many pages there are."""
    pdf_fonts.register()
    pages = _Paper(draft, Canvas(io.BytesIO(), pagesize=SIZES[draft.paper]), 0).draw()
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=SIZES[draft.paper], invariant=True)
    canvas.setTitle(_("Draft of %(form)s") % {"form": draft.layout.form})
    canvas.setAuthor(draft.casino)
    _Paper(draft, canvas, pages).draw()
    canvas.save()
    return out.getvalue()


def _split(text: str, font: str, size: float, width: float) -> list[str]:
    """Lines of that width (points); none of an empty text."""
    return lines_of(text, font, size, width) if text else []


class _Paper(LinePen):
    """A pen that goes down the pages; `y` is where it stands."""

    def __init__(self, draft: Draft, canvas: Canvas, pages: int) -> None:
        super().__init__(canvas)
        self.draft, self.pages = draft, pages
        self.width, self.height = SIZES[draft.paper]
        self.left, self.right = MARGIN, self.width - MARGIN
        self.column = (self.right - self.left) / WIDTH
        self.page = 0

    def draw(self) -> int:
        self._new_page()
        for part in self.draft.parts:
            self._part(part)
        self._notes()
        self.canvas.showPage()
        return self.page

    # --- the page -------------------------------------------------------------------------------

    def _new_page(self) -> None:
        if self.page:
            self.canvas.showPage()
        self.page += 1
        self._watermark()
        layout = self.draft.layout
        self.y = self.height - TOP
        self.text(self.left, layout.form, 15, BOLD)
        self.text(self.right, _("DRAFT"), 15, BOLD, right=True, colour=RED)
        self.y -= 5.5 * mm
        self.text(self.left, layout.name, 9.5, BOLD)
        self.text(self.right, f"{self.draft.casino}, {layout.country}", 8.5, right=True)
        self.y -= 4.5 * mm
        filing = _("DRAFT, for filing by %(filing)s") % {"filing": layout.filing}
        if self.draft.condition:
            filing = _("%(filing)s; %(condition)s") % {
                "filing": filing,
                "condition": self.draft.condition,
            }
        self._lines(filing, 8, colour=GREY)
        self._rule(black)
        self.y -= 3 * mm
        self._foot()

    def _watermark(self) -> None:
        canvas = self.canvas
        canvas.saveState()
        canvas.setFillColor(WATERMARK)
        canvas.setFont(BOLD, 130)
        canvas.translate(self.width / 2, self.height / 2)
        canvas.rotate(52)
        canvas.drawCentredString(0, -45, _("DRAFT"))
        canvas.restoreState()

    def _foot(self) -> None:
        y, self.y = self.y, BOTTOM - 6 * mm
        self._rule(PALE)
        self.y -= 3.4 * mm
        for text in self.draft.foot:
            self._lines(text, 6.5, colour=GREY)
        page = _("Page %(page)s of %(pages)s") % {"page": self.page, "pages": self.pages}
        self.y = 8 * mm
        self.text(self.right, page, 7, right=True, colour=GREY)
        self.y = y

    def _room(self, height: float) -> None:
        if self.y - height < BOTTOM:
            self._new_page()

    # --- sections -------------------------------------------------------------------------------

    def _part(self, part: Part) -> None:
        first = part.cells if part.lines is not None else _rows(part.cells)[0]
        self._room(7 * mm + self._height(first))
        self.y -= 3.6 * mm
        self.text(self.left, part.title, 8.5, BOLD)
        self.y -= 1.4 * mm
        if part.lines is None:
            for row in _rows(part.cells):
                self._boxes(row)
        else:
            self._table(part.cells, part.lines)
        self.y -= 2.5 * mm

    def _boxes(self, row: list[Cell]) -> None:
        height = self._height(row)
        self._room(height)
        x, top = self.left, self.y
        for cell in row:
            self._frame(x, top, cell, height)
            x += cell.width * self.column
        self.y = top - height

    def _frame(self, x: float, top: float, cell: Cell, height: float) -> None:
        width = cell.width * self.column
        self.canvas.setStrokeColor(PALE)
        self.canvas.setLineWidth(0.6)
        self.canvas.setFillColor(SHADE)
        self.canvas.rect(x, top - height, width, height, fill=0 if cell.value else 1)
        self.y = top - NAME - PAD
        start = x + PAD
        if cell.box:
            self.text(start, cell.box, NAME + 0.7, BOLD)
            start += width_of(f"{cell.box} ", BOLD, NAME + 0.7) + 1
        lines = _split(cell.name, TEXT, NAME, x + width - PAD - start)
        for line in lines:
            self.text(start, line, NAME, colour=GREY)
            self.y -= NAME + 1
        self.y = top - height + PAD + (len(self._value(cell)) - 1) * LINE + 1.5
        if cell.hint and not cell.value:
            self.text(x + PAD, cell.hint, NAME, colour=GREY)
        for line in self._value(cell):
            self.text(x + PAD, line, VALUE, BOLD)
            self.y -= LINE

    def _table(self, heads: list[Cell], lines: list[list[str]]) -> None:
        self._line([head.name for head in heads], heads, NAME, TEXT)
        for line in lines:
            self._line(line, heads, VALUE - 1, BOLD)

    def _line(self, texts: list[str], heads: list[Cell], size: float, font: str) -> None:
        split = [
            _split(text, font, size, head.width * self.column - 2 * PAD)
            for text, head in zip(texts, heads, strict=True)
        ]
        height = max(5.6 * mm, (size + 2) * max(map(len, split)) + 2 * PAD)
        self._room(height)
        x, top = self.left, self.y
        for lines, head in zip(split, heads, strict=True):
            width = head.width * self.column
            self.canvas.setStrokeColor(PALE)
            self.canvas.setFillColor(SHADE)
            self.canvas.rect(x, top - height, width, height, fill=0 if lines else 1)
            self.y = top - size - PAD
            for line in lines:
                self.text(x + PAD, line, size, font, colour=GREY if font == TEXT else black)
                self.y -= size + 2
            x += width
        self.y = top - height

    def _notes(self) -> None:
        self.y -= 2 * mm
        for note in (*self.draft.layout.notes, _("Shaded boxes are filled in by hand.")):
            self._room(9 * mm)
            self._lines(f"• {note}", 7.5)

    # --- the pen --------------------------------------------------------------------------------

    def _height(self, row: list[Cell]) -> float:
        """As high as the box of the row that needs most."""
        return max(
            PAD * 2.5 + self._name_lines(cell) * (NAME + 1) + max(1, len(self._value(cell))) * LINE
            for cell in row
        )

    def _name_lines(self, cell: Cell) -> int:
        width = cell.width * self.column - 2 * PAD
        if cell.box:
            width -= width_of(f"{cell.box} ", BOLD, NAME + 0.7) + 1
        return len(_split(cell.name, TEXT, NAME, width))

    def _value(self, cell: Cell) -> list[str]:
        return _split(cell.value, BOLD, VALUE, cell.width * self.column - 2 * PAD)

    def _lines(self, text: str, size: float, **style: Any) -> None:
        for line in lines_of(text, TEXT, size, self.right - self.left):
            self.text(self.left, line, size, **style)
            self.y -= size + 1.8

    def _rule(self, colour: Color) -> None:
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(0.6)
        self.canvas.line(self.left, self.y, self.right, self.y)


def _rows(cells: list[Cell]) -> list[list[Cell]]:
    """Boxes in rows of twelve: one that has no room any more begins the next."""
    rows: list[list[Cell]] = [[]]
    for cell in cells:
        if sum(each.width for each in rows[-1]) + cell.width > WIDTH:
            rows.append([])
        rows[-1].append(cell)
    return rows
