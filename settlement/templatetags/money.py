"""Amounts in templates: integer micros in, text for people out.

`currency` is whatever says how the casino writes money: it has `currency` and `minor_digits`.
"""

from django import template
from django.utils.safestring import SafeString, mark_safe

from jackpot.labels.figures import Currency, with_code, write_amount, write_exact
from jackpot.labels.figures import unparted as without_parting
from jackpot.terms.money import minor_to_micros
from settlement.core.markup import escaped, markup

register = template.Library()


@register.filter
def money(micros: int | None, currency: Currency) -> str:
    """`10,000.37`, never more than there is; a dash where there is no amount."""
    return "–" if micros is None else write_amount(micros, currency.minor_digits)


@register.filter
def money_exact(micros: int | None, currency: Currency) -> str:
    """With every micro that is there: `10,000.371234`."""
    return "–" if micros is None else write_exact(micros, currency.minor_digits)


@register.filter
def money_minor(minor: int | None, currency: Currency) -> str:
    """An amount in minor units, as tables and displays say it."""
    if minor is None:
        return "–"
    return money(minor_to_micros(minor, currency.minor_digits), currency)


@register.filter
def unparted(text: str, currency: Currency) -> str:
    """A sentence whose amounts keep their code on the same line."""
    return without_parting(text, currency.currency)


@register.filter
def amount(micros: int | None, currency: Currency) -> SafeString:
    """`NZD 10,000.37`, the code small and never parted from the figure."""
    if micros is None:
        return SafeString("–")
    code = markup('<span class="amount-code">{}</span>', currency.currency)
    return markup(
        '<span class="amount{}">{}</span>',
        " negative" if micros < 0 else "",
        mark_safe(with_code(code, escaped(money(micros, currency)))),  # noqa: S308
    )
