"""The fonts of everything that is printed: those of PDF itself have no macrons and no suits.

Chinese is drawn with a font that a reader of PDF takes from its machine: one of our own would be
larger than the console. Where the settings name a file of one, its letters are in the PDF.
"""

from functools import cache
from itertools import groupby
from pathlib import Path

from django.conf import settings
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont

TEXT, BOLD = "Slip", "Slip-Bold"
CHINESE = "STSong-Light"
_FOLDER = Path(__file__).parent / "fonts"
_FIRST_IDEOGRAM = "\u2e80"


@cache
def register() -> None:
    """Make the fonts known to reportlab; once for each process."""
    for name, file in ((TEXT, "DejaVuSansCondensed"), (BOLD, "DejaVuSansCondensed-Bold")):
        pdfmetrics.registerFont(TTFont(name, _FOLDER / f"{file}.ttf"))
    if settings.CHINESE_FONT:
        pdfmetrics.registerFont(TTFont(CHINESE, settings.CHINESE_FONT))
    else:
        pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))


def runs_of(text: str, font: str) -> list[tuple[str, str]]:
    """The text in parts with their fonts: that of Chinese may have no figures."""
    parts = groupby(text, key=lambda letter: letter >= _FIRST_IDEOGRAM)
    return [("".join(letters), CHINESE if is_chinese else font) for is_chinese, letters in parts]


def width_of(text: str, font: str, size: float) -> float:
    return sum(pdfmetrics.stringWidth(part, own, size) for part, own in runs_of(text, font))


def lines_of(text: str, font: str, size: float, width: float) -> list[str]:
    """The text in lines of that width; Chinese is parted between any two letters."""
    if not any(own == CHINESE for _part, own in runs_of(text, font)):
        return list(simpleSplit(text, font, size, width))
    lines = [""]
    for letter in text:
        if width_of(lines[-1] + letter, font, size) > width:
            lines.append("")
        lines[-1] += letter
    return lines
