"""Figures as the reader's language writes them: `1,234.50`, `1.234,50`, `1 234,50`.

The one home of that. What is stored, hashed or read by programs is written in one way by
`jackpot.terms.money`; the separators of each language stand in `config/formats`.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Protocol

from django.utils.formats import get_format
from django.utils.translation import gettext, ngettext, pgettext

from jackpot.terms.money import format_exact, format_micros
from rules.phrases import Figure, Phrase

NO_BREAK = "\u00a0"
_MAYBE_THOUSANDS = re.compile(r"-?[1-9]\d{0,2}\.\d{3}", re.ASCII)


class Currency(Protocol):
    """What is asked of a casino."""

    currency: str
    minor_digits: int


def marks() -> tuple[str, str]:
    """What stands before decimals, and between thousands, in the language of now."""
    return get_format("DECIMAL_SEPARATOR"), get_format("THOUSAND_SEPARATOR")


def localized(english: str) -> str:
    """A figure written as in English, with the marks of the language of now: `12,5 %`."""
    decimal, thousand = marks()
    if decimal == ".":
        return english
    return english.translate({ord("."): decimal, ord(","): thousand, ord("%"): f"{NO_BREAK}%"})


def write_amount(micros: int, digits: int) -> str:
    """An amount without its currency, rounded towards zero to the currency's decimals."""
    return localized(format_micros(micros, digits))


def write_exact(micros: int, digits: int) -> str:
    """The same with every micro that is there; `1.125` has a fourth decimal, or it might be read as
    thousands where the other mark stands before decimals."""
    exact = format_exact(micros, digits)
    is_ambiguous = _MAYBE_THOUSANDS.fullmatch(exact) is not None
    return localized(f"{exact}0" if is_ambiguous else exact)


def write_count(number: int | Decimal) -> str:
    """How many, or a number of the order: `1,234,567`."""
    return localized(f"{number:,}")


def write_decimals(number: float | Decimal, places: int) -> str:
    """With so many decimals: seconds, shares, scores."""
    return localized(f"{number:,.{places}f}")


def write_percent(hundredths: int) -> str:
    """Hundredths of a percent without its sign: `12.5`."""
    return localized(f"{hundredths / 100:g}")


def with_code(code: str, figure: str) -> str:
    """An amount with the code of its currency, in the order of the language."""
    words = pgettext("an amount with its currency", "%(currency)s %(amount)s")
    return words % {"currency": code, "amount": figure}


def write_figure(figure: Figure) -> str:
    """A figure of a phrase of the floors below."""
    plain = localized(figure.plain)
    return with_code(figure.code, plain) if figure.code else plain


def in_words(phrase: str) -> str:
    """A phrase of the floors below in the language of now; another text as it is."""
    if not isinstance(phrase, Phrase):
        return phrase
    return phrase.looked_up(gettext, ngettext, write_figure)


def write_money(micros: int, casino: Currency) -> str:
    """`NZD 10,000.37`."""
    return with_code(casino.currency, write_amount(micros, casino.minor_digits))


def write_money_exact(micros: int, casino: Currency) -> str:
    """The same with every micro that is there."""
    return with_code(casino.currency, write_exact(micros, casino.minor_digits))


def unparted(text: str, currency: str) -> str:
    """A sentence whose amounts keep their code on the same line, on whichever side it stands."""
    code = re.escape(currency)
    return re.sub(rf"({code}) (?=\d)|(?<=\d) ({code})", _unbroken, text)


def _unbroken(match: re.Match[str]) -> str:
    return f"{match[1]}{NO_BREAK}" if match[1] else f"{NO_BREAK}{match[2]}"
