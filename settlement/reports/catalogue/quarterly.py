"""17: the return of a period for the regulator, composed of the other reports."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.translation import Labels
from settlement.reports.catalogue import (
    adjustments,
    hit_register,
    liability,
    payouts,
    player_fund,
    significant_events,
)
from settlement.reports.definition import Definition, Field, Filters, as_query

WORDS = Labels(
    {
        "opening": _("Player fund at the beginning"),
        "funded": _("Funded by players"),
        "given": _("Added by the house"),
        "paid": _("Paid to players, tax included"),
        "back": _("Recovered of payments"),
        "kept": _("Taken back by the house"),
        "closing": _("Player fund at the end"),
        "liability": _("Owed to players at the end"),
        "tax": _("Tax withheld of payouts"),
        "tax_due": _("Withheld tax, not remitted at the end"),
        "hits": _("Claims, with their amounts"),
        "confirmed": _("Confirmed"),
        "payouts": _("Payouts"),
        "adjustments": _("Adjustments and missed rounds"),
        "events": _("Significant events"),
    }
)
COLUMNS = (
    Field("system", _("System")),
    Field("line", _("Line"), "number"),
    Field("what", _("What"), words=WORDS),
    Field("source", _("From report")),
    Field("number", _("Number"), "number"),
    Field("amount", _("Amount"), "money"),
)


def _rows(filters: Filters) -> list[dict[str, Any]]:
    return [row for system in filters.systems for row in _of_system(filters, system.code)]


def _of_system(filters: Filters, system: str) -> list[dict[str, Any]]:
    own = Filters(filters.casino, filters.first, filters.last, {"system": system})
    funds, owed = player_fund.rows_of(own), liability.rows_of(own)
    sums = {name: sum(row[name] for row in funds) for name in _FUND}
    hits, paid, moved = (
        each.REPORT.totals(each.REPORT.report(own)) for each in (hit_register, payouts, adjustments)
    )
    events = significant_events.REPORT.report(own).count()
    lines = [
        ("opening", "player-fund", None, funds[0]["opening"] if funds else 0),
        *((name, "player-fund", None, sums[name]) for name in _FUND),
        ("closing", "player-fund", None, funds[-1]["closing"] if funds else 0),
        ("liability", "liability", None, owed[-1]["liability"] if owed else 0),
        ("hits", "hit-register", hits["rows"], hits["amount"]),
        ("confirmed", "hit-register", None, hits["confirmed"]),
        ("payouts", "payouts", paid["rows"], paid["amount_micros"]),
        ("tax", "payouts", None, paid["tax_micros"]),
        ("tax_due", "liability", None, owed[-1]["tax"] if owed else 0),
        ("adjustments", "adjustments", moved["rows"], moved["amount"]),
        ("events", "significant-events", events, None),
    ]
    return [
        {
            "system": system,
            "line": place,
            "what": what,
            "source": source,
            "number": number,
            "amount": amount,
        }
        for place, (what, source, number, amount) in enumerate(lines, start=1)
    ]


_FUND = ("funded", "given", "paid", "back", "kept")


def _query(filters: Filters) -> sql.Composed:
    return as_query(COLUMNS, _rows(filters))


REPORT = Definition(
    number=17,
    code="quarterly-return",
    title=_("Return for the regulator"),
    question=_("What does the regulator ask for each quarter, and from which report is each line?"),
    columns=COLUMNS,
    order="system, line",
    query=_query,
)
