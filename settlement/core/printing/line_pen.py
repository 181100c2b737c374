"""What writes a line of text on a page of a PDF, in the fonts that its letters need."""

from __future__ import annotations

from reportlab.lib.colors import Color, black
from reportlab.pdfgen.canvas import Canvas

from settlement.core.printing.pdf_fonts import TEXT, runs_of, width_of


class LinePen:
    """`y` is where it stands, in points from below."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.y = canvas, 0.0

    def text(
        self,
        x: float,
        text: str,
        size: float,
        font: str = TEXT,
        *,
        right: bool = False,
        colour: Color = black,
    ) -> None:
        """One line from `x` on, or up to there where it is `right`."""
        self.canvas.setFillColor(colour)
        if right:
            x -= width_of(text, font, size)
        for part, own in runs_of(text, font):
            self.canvas.setFont(own, size)
            self.canvas.drawString(x, self.y, part)
            x += width_of(part, own, size)
        self.canvas.setFillColor(black)
