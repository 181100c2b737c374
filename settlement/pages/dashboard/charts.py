"""The charts of the dashboard, from its figures."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import dateformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from jackpot.labels.figures import (
    write_amount,
    write_count,
    write_exact,
    write_money,
    write_money_exact,
)
from settlement.closing.table_days import TableTotal
from settlement.dashboard.figures import DayOfDrop, MonthOfHits
from settlement.pages.shared.charts.axes import CENT, Chart, amounts
from settlement.pages.shared.charts.bars import Figure, Words, lying, standing
from settlement.templatetags.when import day_of, short_day
from tables.models import Casino

TABLES = 20  # the largest; all of them are in the table beside the chart


def hits_a_month(months: Sequence[MonthOfHits], casino: Casino) -> Chart | None:
    """Hits that stand, month by month."""
    figures = [
        Figure(
            dateformat.format(each.month.first, pgettext("format of a month", "M Y")),
            each.month.name,
            each.hits,
            ngettext("%(count)s hit", "%(count)s hits", each.hits)
            % {"count": write_count(each.hits)},
        )
        for each in months
    ]
    summary = _("Hits in %(months)s months: %(hits)s, this month: %(this)s.") % {
        "hits": write_count(sum(each.hits for each in months)),
        "months": len(months),
        "this": write_count(months[-1].hits),
    }
    rows = tuple(
        (
            each.month.name,
            write_count(each.hits),
            write_count(each.claims - each.hits),
            write_amount(each.amount, casino.minor_digits),
        )
        for each in reversed(months)
    )
    headings = (
        _("Month"),
        _("Hits"),
        _("Rejected or ended otherwise"),
        f"{_('Amount')}, {casino.currency}",
    )
    return standing(figures, Words(summary, headings, rows, 3), write_count, 1)


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
            write_money(each.contributed, casino),
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
        "amount": write_amount(whole, digits),
        "count": len(totals),
    }
    if len(totals) > TABLES:
        summary += " " + _("The chart shows the largest %(count)s.") % {"count": TABLES}
    rows = tuple((name(each), write_exact(each.contributed, digits)) for each in totals)
    headings = (_("Table"), f"{_('Contributed')}, {casino.currency}")
    return lying(figures, Words(summary, headings, rows))


def drop_variance(days: Sequence[DayOfDrop], casino: Casino) -> Chart | None:
    """Counted less expected, day by day: above zero boxes that had too much, below it those that
    had too little."""
    digits = casino.minor_digits

    def text(amount: int) -> str:
        return write_money_exact(amount, casino)

    figures = [
        Figure(
            short_day(each.day, casino),
            day_of(each.day, casino),
            each.over,
            text(each.over),
            (each.short, text(each.short)),
        )
        for each in days
    ]
    summary = ngettext(
        "%(over)s over and %(short)s short on %(count)s counted day: %(amount)s in all.",
        "%(over)s over and %(short)s short on %(count)s counted days: %(amount)s in all.",
        len(days),
    ) % {
        "count": len(days),
        "over": text(sum(each.over for each in days)),
        "short": text(-sum(each.short for each in days)),
        "amount": text(sum(each.variance for each in days)),
    }
    rows = tuple(
        (
            day_of(each.day, casino),
            write_exact(each.expected, digits),
            write_exact(each.counted, digits),
            write_exact(each.over, digits),
            write_exact(each.short, digits),
            write_exact(each.variance, digits),
        )
        for each in reversed(days)
    )
    headings = (
        *(_("Gaming day"), _("Expected"), _("Counted")),
        pgettext("of a count, more than expected", "Over"),
        pgettext("of a count, less than expected", "Short"),
        f"{_('Variance')}, {casino.currency}",
    )
    finest = CENT if digits else 100 * CENT
    write = amounts(casino, CENT)
    return standing(figures, Words(summary, headings, rows, 5), write, finest)
