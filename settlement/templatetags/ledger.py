"""Exact amounts under each other: every micro is there, what is beyond a cent is set smaller."""

from collections.abc import Mapping
from typing import Protocol

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from jackpot.labels.figures import write_count

register = template.Library()


class Writing(Protocol):
    """What the filters ask of `settlement.pages.shared.amount_tables.Precision`."""

    def parts(self, micros: int) -> tuple[str, str]: ...


@register.filter
def exact(micros: int | None, writing: Writing) -> SafeString:
    """`1,234.5675`, the last two figures small; a dash where there is no amount."""
    if micros is None:
        return SafeString("–")
    plain, fine = writing.parts(micros)
    if not fine:
        return SafeString(plain)
    return format_html('{}<span class="fine">{}</span>', plain, fine)


@register.filter
def moved(micros: int | None, writing: Writing) -> SafeString:
    """The same for a movement: a dash where nothing moved."""
    if not micros:
        return SafeString('<span class="muted">–</span>')
    return exact(micros, writing)


@register.filter
def grouped(number: int | None) -> str:
    """A count or a number of the order: `1,234,567`; a dash where there is none."""
    return "–" if number is None else write_count(number)


@register.filter
def word(words: Mapping[str, str], code: str | None) -> str:
    """A code in the words of a table; the code itself where it has none."""
    return words.get(code or "", code or "–")
