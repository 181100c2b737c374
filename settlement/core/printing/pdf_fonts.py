"""The fonts of everything that is printed: those of PDF itself have no macrons and no suits.

Chinese is drawn with a font that a reader of PDF takes from its machine: one of our own would be
larger than the console. Where the settings name a file of one, its letters are in the PDF.
"""

import re
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

from django.conf import settings
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont

TEXT, BOLD = "Slip", "Slip-Bold"
CHINESE = "STSong-Light"
_FOLDER = Path(__file__).parent / "fonts"
_FIRST_IDEOGRAM = "\u2e80"
_CHINESE = f"{_FIRST_IDEOGRAM}-\U0010ffff"
_HAS_CHINESE = re.compile(f"[{_CHINESE}]")
# A no-break space breaks nothing.
_WORDS = re.compile(f"[ \\t]*(?:[{_CHINESE}]|[^ \\t{_CHINESE}]+)")


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
    if not _HAS_CHINESE.search(text):
        return [(text, font)]
    parts = groupby(text, key=lambda letter: letter >= _FIRST_IDEOGRAM)
    return [("".join(letters), CHINESE if is_chinese else font) for is_chinese, letters in parts]


def width_of(text: str, font: str, size: float) -> float:
    return size * _width(text, font)


@lru_cache(maxsize=20_000)  # a report says the same names and amounts again and again
def _width(text: str, font: str) -> float:
    """In type of one point."""
    return sum(pdfmetrics.stringWidth(part, own, 1) for part, own in runs_of(text, font))


def words_of(text: str) -> list[str]:
    """What no line breaks: words between blanks, and each letter of Chinese.

    >>> words_of("Paid to 王芳 today")
    ['Paid', 'to', '王', '芳', 'today']
    """
    return [piece.lstrip(" \t") for line in text.splitlines() for piece in _WORDS.findall(line)]


def lines_of(text: str, font: str, size: float, width: float) -> list[str]:
    """The text in lines of that width. A word is broken only where it is wider than a line."""
    if "\n" not in text and width_of(text, font, size) <= width:
        return [text.strip(" \t")]
    lines = []
    for paragraph in text.splitlines() or [""]:
        line = ""
        for piece in _WORDS.findall(paragraph):
            if line and width_of(line + piece, font, size) > width:
                lines.append(line)
                line = ""
            line = line + piece if line else piece.lstrip(" \t")
            while len(line) > 1 and width_of(line, font, size) > width:
                cut = _fitting(line, font, size, width)
                lines.append(line[:cut])
                line = line[cut:]
        lines.append(line)
    return lines


def _fitting(word: str, font: str, size: float, width: float) -> int:
    """How many letters of it fit, one at least."""
    cut = len(word) - 1
    while cut > 1 and width_of(word[:cut], font, size) > width:
        cut -= 1
    return cut
