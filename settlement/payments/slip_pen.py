"""A pen that goes down a page: lines of text, perhaps in two languages, and cards."""

from __future__ import annotations

from typing import NamedTuple

from reportlab.lib.colors import Color, HexColor, black
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from settlement.core.printing.line_pen import LinePen
from settlement.core.printing.pdf_fonts import BOLD, TEXT, lines_of

LEFT = 18 * mm  # and as much on the right
GREY, PALE, RED = HexColor("#555555"), HexColor("#bbbbbb"), HexColor("#b00020")
SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


class Setting(NamedTuple):
    """How lines are set; `leading`: millimetres from one to the next."""

    size: float
    font: str = TEXT
    leading: float = 5
    colour: Color = black


class Pen(LinePen):
    """`y` is where it stands; `size`: of the paper, in points."""

    def __init__(self, canvas: Canvas, size: tuple[float, float]) -> None:
        super().__init__(canvas)
        self.width, self.height = size
        self.right = self.width - LEFT

    def pair(
        self,
        x: float,
        pair: tuple[str, str],
        setting: Setting,
        width: float | None = None,
    ) -> None:
        """Lines in English, and below them in grey those of the second language; as wide as the
        page unless `width` says less."""
        english, second = pair
        width = width or self.right - LEFT
        size, font, leading, colour = setting
        for line in lines_of(english, font, size, width):
            self.text(x, line, size, font, colour=colour)
            self.y -= leading * mm
        if second and second != english:
            for line in lines_of(second, TEXT, size - 0.5, width):
                self.text(x, line, size - 0.5, colour=GREY)
                self.y -= leading * mm

    def lines(self, pair: tuple[str, str], size: float, font: str, width: float) -> int:
        """How many lines they take."""
        below = len(lines_of(pair[1], TEXT, size - 0.5, width)) if pair[1] else 0
        return len(lines_of(pair[0], font, size, width)) + below

    def rule(self, colour: Color) -> None:
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(0.6)
        self.canvas.line(LEFT, self.y, self.right, self.y)

    def card(self, x: float, y: float, text: str, counts: bool) -> float:
        canvas, width, height = self.canvas, 12 * mm, 17 * mm
        canvas.setStrokeColor(black if counts else PALE)
        canvas.setLineWidth(1.6 if counts else 0.6)
        canvas.roundRect(x, y, width, height, 1.6 * mm)
        rank, suit = text[:-1].replace("T", "10"), SUITS.get(text[-1:], text[-1:])
        canvas.setFillColor(RED if suit in "♥♦" else black)
        canvas.setFont(BOLD, 17 if len(rank) == 1 else 13.5)
        canvas.drawCentredString(x + width / 2, y + 7 * mm, rank + suit)
        canvas.setFillColor(black)
        canvas.setLineWidth(0.6)
        return x + width + 2 * mm
