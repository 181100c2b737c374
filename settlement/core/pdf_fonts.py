"""The fonts of everything that is printed: those of PDF itself have no macrons and no suits."""

from functools import cache
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

TEXT, BOLD = "Slip", "Slip-Bold"
_FOLDER = Path(__file__).parent / "fonts"


@cache
def register() -> None:
    """Make TEXT and BOLD known to reportlab; once for each process."""
    for name, file in ((TEXT, "DejaVuSansCondensed"), (BOLD, "DejaVuSansCondensed-Bold")):
        pdfmetrics.registerFont(TTFont(name, _FOLDER / f"{file}.ttf"))
