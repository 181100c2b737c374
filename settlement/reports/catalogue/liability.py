"""12: what the house owes players, and for their tax, when each day ends, by account."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.domain.state.books import WITHHELD_TAX
from settlement.drop.figures import BANK, counted, explanation_of
from settlement.reports.definition import Definition, Field, Filters, as_query
from settlement.reports.sources import DayOfBooks, days_of_books

OF_TIERS = ("pool", "reserve", "overflow", "held")
OWED = ("payable", "unclaimed", "to_return", "adjustments")
_TITLES = {
    "pool": _("Pools"),
    "reserve": _("Reserves"),
    "overflow": _("Overflow"),
    "held": _("Held for claims"),
    "payable": _("Confirmed, not handed over"),
    "unclaimed": _("Unclaimed"),
    "to_return": _("To be returned to players"),
    "adjustments": _("Of closed prizes"),
}
COLUMNS = (
    Field("day", _("Gaming day"), "day"),
    Field("system", _("System")),
    *(Field(name, _TITLES[name], "money") for name in (*OF_TIERS, *OWED)),
    Field("liability", _("Owed to players"), "money"),
    Field("tax", _("Withheld tax, not remitted"), "money"),
    Field("bank", _("At the bank"), "money"),
    Field("variance", _("Bank less owed"), "money"),
    Field("explanation", _("Explanation")),
)


def _row(day: DayOfBooks) -> dict[str, Any]:
    sums = dict.fromkeys((*OF_TIERS, *OWED), 0)
    for code, balance in day.closing.items():
        kind = code.rpartition(":")[2]
        if kind in sums:
            sums[kind] += balance
    liability = sum(sums.values())
    tax = day.closing.get(WITHHELD_TAX, 0)
    return {"day": day.day, "system": day.system.code, **sums, "liability": liability, "tax": tax}


def rows_of(filters: Filters) -> list[dict[str, Any]]:
    """A row for each day and system; the bank where a balance was entered."""
    counts = {
        (system.pk, each.day): each
        for system in filters.systems
        for each in counted(system, BANK, filters.first, filters.last)
    }
    rows = []
    for day in days_of_books(filters):
        row = _row(day)
        count = counts.get((day.system.pk, day.day))
        if count is not None:
            owed = row["liability"] + row["tax"]
            row |= {"bank": count.amount, "variance": count.amount - owed}
            row["explanation"] = explanation_of(count)
        rows.append(row)
    return rows


def _query(filters: Filters) -> sql.Composed:
    return as_query(COLUMNS, rows_of(filters))


REPORT = Definition(
    number=12,
    code="liability",
    title=_("Liability against the bank"),
    question=_(
        "What does the house owe players and for their tax when a day ends, is it at the bank?"
    ),
    columns=COLUMNS,
    order="system, day",
    query=_query,
)
