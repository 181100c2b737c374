"""11: the drop that was counted, beside what the books expect."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.words.translation import Labels
from settlement.drop.figures import LOGINS, people_of, reported_variances
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query

STATES = Labels(
    {
        "open": _("Not assigned"),
        "take": _("To be explained"),
        "explain": _("To be signed off"),
        "return": _("Sent back"),
        "sign": _("Signed off"),
    }
)
COLUMNS = (
    Field("day", _("Gaming day"), "day", link="counts"),
    Field("system", _("System")),
    Field("table_code", _("Table"), link="table"),
    Field(
        "expected",
        _("Expected"),
        "money",
        is_summed=True,
        note=_("What the books took from the drop of the table on that day, less what went back."),
        link="report:round-ledger",
    ),
    Field(
        "counted",
        _("Counted"),
        "money",
        is_summed=True,
        note=_("As it was entered; otherwise empty."),
        link="counts",
    ),
    Field(
        "variance",
        _("Counted less expected"),
        "money",
        is_summed=True,
        note=_("Below zero the box had too little."),
    ),
    Field(
        "stopped_since",
        _("Not counted by rule since"),
        "day",
        note=_("Two people decided that this house counts no drop from that gaming day on."),
    ),
    Field("entered_by", _("Entered by"), note=_("Who entered the count.")),
    Field("state", _("Finding"), words=STATES, note=_("Where the finding of a variance stands.")),
    Field("owner", _("Owner"), note=_("Who is responsible for the finding.")),
    Field("explanation", _("Explanation"), note=_("The owner's latest explanation.")),
    Field("signed_by", _("Signed off by"), note=_("Who accepted the explanation.")),
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
            "stopped_since": each.stopped_since,
            **(people_of(each.count) if each.count is not None else {}),
        }
        for system in filters.systems
        for each in reported_variances(system, filters.first, filters.last)
    ]
    return as_query((*COLUMNS, *(Field(each, "") for each in LOGINS)), rows)


REPORT = Definition(
    number=11,
    code="drop",
    title=_("Drop: counted against expected"),
    question=_("What was counted at each table, what do the books expect, and why do they differ?"),
    columns=COLUMNS,
    is_final=True,
    order="system, day, table_code",
    query=_query,
    compared={"table": "table_code", "person": LOGINS},
    rules=("19.2", "NJ 13:69F-14.19"),
)
