"""What people type, as it is stored: notes, reasons and what shows them."""

import re

from django.utils.translation import gettext as _

from jackpot.terms.money import MICROS
from settlement.core.errors import BadReason

LONGEST_TEXT = 500  # as long as the columns of most notes and reasons
_AMOUNT = re.compile(r"(?P<units>\d{1,3}(,\d{3})+|\d{1,12})(\.(?P<decimals>\d{0,6}))?", re.ASCII)


def clean_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """Without what the database cannot hold, without blanks around it, and as long as it may be."""
    return text.replace("\x00", "").strip()[:longest]


def required_text(text: str, missing: str, longest: int = LONGEST_TEXT) -> str:
    """The same; BadReason with `missing` where nothing is left."""
    cleaned = clean_text(text, longest)
    if not cleaned:
        raise BadReason(missing)
    return cleaned


def read_amount(text: str, digits: int) -> int:
    """Micros of an amount as people write it. ValueError says what is wrong with it.

    >>> read_amount("10,026.00", 2), read_amount("0.5", 2), read_amount("12", 0)
    (10026000000, 500000, 12000000)
    >>> read_amount("1.005", 2)
    Traceback (most recent call last):
    ValueError: This currency has 2 decimals: write 1,234.50.
    """
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        example = "1,234.50" if digits else "1,234"
        raise ValueError(
            _("This is not an amount: write it like %(example)s.") % {"example": example}
        )
    decimals = (match["decimals"] or "").rstrip("0")
    if len(decimals) > digits:
        if digits:
            raise ValueError(
                _("This currency has %(digits)s decimals: write 1,234.50.") % {"digits": digits}
            )
        raise ValueError(_("This currency has no decimals: write 1,234."))
    units = int(match["units"].replace(",", ""))
    return units * MICROS + int(decimals.ljust(6, "0") or "0")
