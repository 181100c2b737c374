"""Amounts in words, as they stand on slips: nobody adds a nought to them."""

from __future__ import annotations

from django.utils.translation import get_language

from jackpot.terms.money import micros_to_minor
from settlement.payments.number_words import IN_WORDS

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_GROUPS = ("", " thousand", " million", " billion", " trillion")


def number_in_words(number: int) -> str:
    """A whole number from 0 to below 10 to the 15th.

    >>> number_in_words(0), number_in_words(342), number_in_words(1_000_017)
    ('zero', 'three hundred and forty-two', 'one million and seventeen')
    """
    if number < 1000:
        return _below_a_thousand(number)
    parts, rest = [], number
    for name in _GROUPS:
        rest, group = divmod(rest, 1000)
        if group:
            parts.append((_below_a_thousand(group) + name, group, name))
    parts.reverse()
    text = " ".join(words for words, _, _ in parts)
    last, group, name = parts[-1]
    if not name and group < 100:
        text = f"{' '.join(words for words, _, _ in parts[:-1])} and {last}"
    return text


def amount_in_words(micros: int, currency: str, digits: int) -> str:
    """An amount of whole minor units, which are given as a fraction; in the language of now, in
    English where there are no words of it.

    >>> amount_in_words(10_001_500_000, "NZD", 2)
    'NZD ten thousand and one and 50/100'
    """
    units, minor = divmod(micros_to_minor(micros, digits), 10**digits)
    in_words, between = IN_WORDS.get(get_language() or "", (number_in_words, "and"))
    words = f"{currency} {in_words(units)}"
    return f"{words} {between} {minor:0{digits}d}/{10**digits}" if digits else words


def _below_a_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    words = f"{_SMALL[hundreds]} hundred" if hundreds else ""
    if hundreds and rest:
        words += " and "
    if rest or not hundreds:
        tens, ones = divmod(rest, 10)
        if rest < len(_SMALL):
            words += _SMALL[rest]
        else:
            words += _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")
    return words
