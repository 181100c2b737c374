"""11: the drop that was counted, beside what the books expect."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.drop.figures import variances
from settlement.reports.definition import Definition, Field, Filters, as_query

COLUMNS = (
    Field("day", _("Gaming day"), "day"),
    Field("system", _("System")),
    Field("table_code", _("Table")),
    Field("expected", _("Expected"), "money", is_summed=True),
    Field("counted", _("Counted"), "money", is_summed=True),
    Field("variance", _("Counted less expected"), "money", is_summed=True),
    Field("explanation", _("Explanation")),
)


def _query(filters: Filters) -> sql.Composed:
    rows = [
        {
            "day": each.day,
            "system": system.code,
            "table_code": each.table.code,
            "expected": each.expected,
            "counted": each.counted,
            "variance": each.variance,
            "explanation": each.explanation,
        }
        for system in filters.systems
        for each in variances(system, filters.first, filters.last)
    ]
    return as_query(COLUMNS, rows)


REPORT = Definition(
    number=11,
    code="drop",
    title=_("Drop: counted against expected"),
    question=_("What was counted at each table, what do the books expect, and why do they differ?"),
    columns=COLUMNS,
    order="system, day, table_code",
    query=_query,
    compared={"table": "table_code"},
)
