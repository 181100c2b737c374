"""What people type, as it is stored: notes, reasons and what shows them."""

import re

from django.utils.translation import gettext as _

from jackpot.labels.figures import localized, marks
from jackpot.terms.money import MICROS
from settlement.core.errors import BadReason

LONGEST_TEXT = 500  # as long as the columns of most notes and reasons
_AMOUNT = re.compile(r"(?P<units>\d{1,3}(,\d{3})+|\d{1,12})(\.(?P<decimals>\d{0,6}))?", re.ASCII)
_BLANKS = re.compile(r"[\s\u00a0\u202f]")
_NONE = "\0"


def stripped_text(text: str) -> str:
    """Without what the database cannot hold, and without blanks around it.

    >>> stripped_text(" camera 4 ")
    'camera 4'
    """
    return text.replace("\x00", "").strip()


def clean_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """The same, and as long as it may be."""
    return stripped_text(text)[:longest]


def text_within(text: str, longest: int = LONGEST_TEXT) -> str | None:
    """The stripped text; None where it is longer than it may be, so that nothing of it is lost.

    >>> text_within(" camera 4 ", 8), text_within(" camera 14 ", 8)
    ('camera 4', None)
    """
    stripped = stripped_text(text)
    return stripped if len(stripped) <= longest else None


def required_text(text: str, missing: str, longest: int = LONGEST_TEXT) -> str:
    """The clean text; BadReason with `missing` where nothing is left."""
    cleaned = clean_text(text, longest)
    if not cleaned:
        raise BadReason(missing)
    return cleaned


def as_english(text: str) -> str:
    """A figure that was typed as the language of now writes it, with the marks of English; one that
    has a mark of another language stays unreadable.

    >>> as_english("1,234.50")
    '1,234.50'
    """
    decimal, thousand = marks()
    text = text.strip()
    if decimal == ".":
        return text
    if thousand.isspace():
        text = _BLANKS.sub(thousand, text)
    return text.translate(
        {ord("."): _NONE, ord(","): _NONE} | {ord(thousand): ",", ord(decimal): "."}
    )


def read_amount(text: str, digits: int) -> int:
    """Micros of an amount as people write it in the language of now. ValueError says what is wrong
    with it.

    >>> read_amount("10,026.00", 2), read_amount("0.5", 2), read_amount("12", 0)
    (10026000000, 500000, 12000000)
    >>> read_amount("1.005", 2)
    Traceback (most recent call last):
    ValueError: This currency has 2 decimals: write 1,234.50.
    >>> read_amount("1.500", 6)
    Traceback (most recent call last):
    ValueError: This can be read in two ways: write 1,500 or 1.5000.
    """
    match = _AMOUNT.fullmatch(as_english(text))
    example = localized("1,234.50" if digits else "1,234")
    if match is None:
        raise ValueError(
            _("This is not an amount: write it like %(example)s.") % {"example": example}
        )
    typed = match["decimals"] or ""
    decimals = typed.rstrip("0")
    # Three of them are most often thousands, with the mark of another language.
    if len(decimals) > digits or digits < len(typed) == 3:
        words = _("This currency has no decimals: write %(example)s.")
        if digits:
            words = _("This currency has %(digits)s decimals: write %(example)s.")
        raise ValueError(words % {"digits": digits, "example": example})
    units = int(match["units"].replace(",", ""))
    if len(typed) == 3 and 0 < units < 1000:
        raise ValueError(
            _("This can be read in two ways: write %(thousands)s or %(decimals)s.")
            % {
                "thousands": localized(f"{units},{typed}"),
                "decimals": localized(f"{units}.{typed}0"),
            }
        )
    return units * MICROS + int(decimals.ljust(6, "0") or "0")
