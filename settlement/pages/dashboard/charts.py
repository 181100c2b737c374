"""The charts of the dashboard, from its figures."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import dateformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from jackpot.terms.money import format_exact, format_micros
from settlement.closing.table_days import TableTotal
from settlement.dashboard.figures import DayOfDrop, MonthOfHits
from settlement.pages.shared.charts.axes import CENT, Chart, amounts
from settlement.pages.shared.charts.bars import Figure, Words, lying, standing
from settlement.templatetags.when import day_of
from tables.models import Casino

TABLES = 20  # the largest; all of them are in the table beside the chart


def hits_a_month(months: Sequence[MonthOfHits], casino: Casino) -> Chart | None:
    """Hits that stand, month by month."""
    figures = [
        Figure(
            dateformat.format(each.month.first, pgettext("format of a month", "M Y")),
            each.month.name,
            each.hits,
            ngettext("%(count)s hit", "%(count)s hits", each.hits) % {"count": f"{each.hits:,}"},
        )
        for each in months
    ]
    summary = _("%(hits)s hits in %(months)s months, %(this)s of them this month.") % {
        "hits": f"{sum(each.hits for each in months):,}",
        "months": len(months),
        "this": f"{months[-1].hits:,}",
    }
    rows = tuple(
        (
            each.month.name,
            f"{each.hits:,}",
            f"{each.claims - each.hits:,}",
            format_micros(each.amount, casino.minor_digits),
        )
        for each in reversed(months)
    )
    headings = (
        _("Month"),
        _("Hits"),
        _("Rejected or ended otherwise"),
        f"{_('Amount')}, {casino.currency}",
    )
    return standing(figures, Words(summary, headings, rows, 3), lambda value: f"{value:,}", 1)


def by_table(
    totals: Sequence[TableTotal], casino: Casino, *, several_systems: bool
) -> Chart | None:
    """What tables contributed, the largest first."""
    digits = casino.minor_digits

    def name(each: TableTotal) -> str:
        return f"{each.name}, {each.system_name}" if several_systems else each.name

    figures = [
        Figure(
            name(each),
            name(each),
            each.contributed,
            f"{casino.currency} {format_micros(each.contributed, digits)}",
        )
        for each in totals[:TABLES]
        if each.contributed > 0
    ]
    whole = sum(each.contributed for each in totals)
    summary = ngettext(
        "%(currency)s %(amount)s from %(count)s table.",
        "%(currency)s %(amount)s from %(count)s tables.",
        len(totals),
    ) % {
        "currency": casino.currency,
        "amount": format_micros(whole, digits),
        "count": len(totals),
    }
    if len(totals) > TABLES:
        summary += " " + _("The chart shows the largest %(count)s.") % {"count": TABLES}
    rows = tuple((name(each), format_exact(each.contributed, digits)) for each in totals)
    headings = (_("Table"), f"{_('Contributed')}, {casino.currency}")
    return lying(figures, Words(summary, headings, rows))


def drop_variance(days: Sequence[DayOfDrop], casino: Casino) -> Chart | None:
    """Counted less expected, day by day; below zero the boxes had too little."""
    digits = casino.minor_digits
    figures = [
        Figure(
            dateformat.format(each.day, pgettext("format of a day", "j M")),
            day_of(each.day, casino),
            each.variance,
            f"{casino.currency} {format_exact(each.variance, digits)}",
        )
        for each in days
    ]
    whole = sum(each.variance for each in days)
    summary = ngettext(
        "%(currency)s %(amount)s in all, over %(count)s counted day.",
        "%(currency)s %(amount)s in all, over %(count)s counted days.",
        len(days),
    ) % {"currency": casino.currency, "amount": format_exact(whole, digits), "count": len(days)}
    rows = tuple(
        (
            day_of(each.day, casino),
            format_exact(each.expected, digits),
            format_exact(each.counted, digits),
            format_exact(each.variance, digits),
        )
        for each in reversed(days)
    )
    headings = (_("Gaming day"), _("Expected"), _("Counted"), f"{_('Variance')}, {casino.currency}")
    finest = CENT if digits else 100 * CENT
    write = amounts(casino, CENT)
    return standing(figures, Words(summary, headings, rows, 3), write, finest)
