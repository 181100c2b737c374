"""9: people by number who were paid, with the forms that the sums of their day ask for."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.jurisdiction.persons_day import lists
from settlement.reports.definition import Definition, Field, Filters, as_query

COLUMNS = (
    Field("day", _("Gaming day"), "day"),
    Field(
        "player",
        _("Identified as"),
        "number",
        note=_("The number of the first identification by the same document: no name."),
    ),
    Field(
        "payouts",
        _("Payouts"),
        "number",
        is_summed=True,
        note=_("Payments to this person on that day."),
        link="report:payouts",
    ),
    Field("total", _("Amount"), "money", is_summed=True, note=_("What they come to.")),
    Field("cash", _("Cash"), "money", is_summed=True, note=_("Of it in cash.")),
    Field("tax", _("Tax withheld"), "money", is_summed=True, note=_("Kept back of payments.")),
    Field(
        "forms",
        _("Forms due"),
        note=_("What the amounts of the day require by the local rules of that day."),
    ),
)


def _query(filters: Filters) -> sql.Composed:
    rows = [
        {
            "day": each.day,
            "player": each.person,
            "payouts": each.payouts,
            "total": each.total,
            "cash": each.cash,
            "tax": each.tax,
            "forms": ", ".join(each.forms),
        }
        for each in lists(filters.casino, filters.first, filters.last)
    ]
    return as_query(COLUMNS, rows)


REPORT = Definition(
    number=9,
    code="tax-and-cash-reports",
    title=_("Tax and cash reporting"),
    question=_("Who, by number, was paid how much on each gaming day, and which forms are due?"),
    columns=COLUMNS,
    order="day, player",
    query=_query,
    rules=("31 CFR 1021.311", "IRC 6041"),
    is_of_casino=True,
)
