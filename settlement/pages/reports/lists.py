"""Reports that people read as lists, rounds and slips: sorted by a column, read by key, with views.

Rounds, of which there are millions, are sorted by their sequence number alone, which is their time
as well: along that index a page is read whole wherever it stands. By table, figures or what was
added to prizes every round of the days would have to be sorted first. Filters narrow to a table.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_noop

from settlement.core.report_query import Report, bind
from settlement.pages.shared.lists.cursor import (
    ListPage,
    cursor_of,
    page_between,
    page_of_report,
)
from settlement.pages.shared.lists.order import Column, Order, Sort, SortLink, order_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.order import headings as order_headings
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.reports.definitions.definition import Definition, Filters

_SYSTEM, _AT = Column("system", str), Column("at", dt.datetime)
_ROW = (_SYSTEM, Column("what", str), Column("id", int))  # unique to a payment
SORTS: Mapping[str, tuple[Sort, ...]] = {
    "round-ledger": (Sort("entry", gettext_noop("Sequence no."), (_SYSTEM, Column("entry", int))),),
    "payouts": (
        Sort("at", gettext_noop("Paid at"), (_AT, *_ROW)),
        Sort("claim", gettext_noop("Claim"), (_SYSTEM, Column("claim", int), *_ROW[1:])),
        Sort("amount_micros", gettext_noop("Amount"), (Column("amount_micros", int), _AT, *_ROW)),
        Sort("slips", gettext_noop("Slips printed"), (Column("printed", int), _AT, *_ROW)),
    ),
}
ROWS = 100  # on a page
# As they were before anybody sorted them: the first of the days first.
USUAL = {"round-ledger": "entry", "payouts": "at"}
# What was recovered has no slip; the columns of a sort are never empty.
_WITH_PRINTED = "SELECT r.*, coalesce(r.slips, -1) AS printed FROM ({whole}) AS r"


def headings(request: HttpRequest, code: str, order: Order) -> Mapping[str, SortLink]:
    """By the column, where its heading leads."""
    return order_headings(request, SORTS[code], order)


def order_of_report(request: HttpRequest, code: str) -> Order | None:
    """None for a report that is no such list."""
    return order_of(request, SORTS[code], USUAL[code]) if code in SORTS else None


def page(
    request: HttpRequest, definition: Definition, filters: Filters, report: Report, order: Order
) -> ListPage:
    """The page that the address asks for."""
    if definition.onward is None:
        whole = replace(report, query=bind(_WITH_PRINTED, whole=report.query))
        return page_of_report(request, whole, order.columns, ROWS)
    cursor = cursor_of(request, order.columns)
    is_back = cursor is not None and cursor.is_back
    rows = definition.rows_behind(
        filters, ROWS + 1, cursor.values if cursor else (), is_down=order.is_down != is_back
    )
    names = [each.name for each in order.columns]
    return page_between(request, rows, ROWS, cursor, lambda row: [row[name] for name in names])


def context_of(request: HttpRequest, code: str, order: Order) -> dict[str, Any]:
    """What the template asks for besides rows."""
    return {
        **order_context(request, SORTS[code], order),
        **views_context(request, name_of(code)),
    }


def name_of(code: str) -> str:
    """Under which views of the report are kept."""
    return f"report:{code}"
