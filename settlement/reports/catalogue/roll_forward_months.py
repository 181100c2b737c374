"""21: the roll-forward of each month: opening, what moved the pool, closing."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.gaming_day import Month
from settlement.reports.catalogue.roll_forward import (
    AT_THE_END,
    CLOSING,
    HITS,
    MOVED,
    MOVEMENTS,
    OPENING,
    PRIOR,
    rows_of,
)
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query

COLUMNS = (
    Field(
        "month", _("Month"), note=_("Gaming days of this month that are within the days asked for.")
    ),
    Field(
        "days", _("Gaming days"), "number", note=_("How many of them."), link="report:roll-forward"
    ),
    Field("system", _("System")),
    Field("jackpot", _("Jackpot")),
    Field("tier", _("Prize"), link="pool"),
    OPENING,
    *MOVED,
    CLOSING,
    PRIOR,
    HITS,
    *AT_THE_END,
)
_SUMS = (*MOVEMENTS, "prior", "hits")


def _rows(filters: Filters) -> list[dict[str, Any]]:
    months: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in rows_of(filters):
        month = str(Month.of(row["day"]))
        key = row["system"], row["tier"], month
        sums = months.get(key)
        if sums is None:
            months[key] = {**row, "month": month, "days": 1}
            continue
        for name in _SUMS:
            sums[name] += row[name]
        sums["days"] += 1
        for name in ("closing", *(each.source for each in AT_THE_END)):
            sums[name] = row.get(name)
    return list(months.values())


def _query(filters: Filters) -> sql.Composed:
    return as_query(COLUMNS, _rows(filters))


REPORT = Definition(
    number=21,
    code="monthly-roll-forward",
    title=_("Monthly roll-forward"),
    question=_(
        "What did each pool hold when a month began and ended, and which transactions changed it?"
    ),
    columns=COLUMNS,
    is_final=True,
    order="system, tier, month",
    query=_query,
    compared={"jackpot": "jackpot", "tier": "tier"},
    rules=("19.8", "19.13", "19.14(a)"),
)
