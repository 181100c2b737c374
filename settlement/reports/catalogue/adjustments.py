"""10: what people added by hand: adjustments of pools and rounds credited as missed."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.labels import ENTRIES
from settlement.core.report_query import bind
from settlement.reports.definition import Definition, Field, Filters
from settlement.reports.sources import named, span

_QUERY = """
    SELECT s.code AS system, n.seq AS entry, n.at, n.type AS what, d.body ->> 'tier' AS tier,
           coalesce(d.body ->> 'table', g.code) AS table_code,
           (d.body ->> 'count')::bigint AS rounds,
           CASE n.type WHEN 'adjust_pool' THEN (d.body ->> 'amount')::bigint
                ELSE coalesce(moved.amount, 0)::bigint END AS amount,
           d.body ->> 'source' AS source, d.body ->> 'reason' AS reason,
           coalesce(d.body ->> 'evidence', d.body ->> 'note') AS evidence,
           d.first AS proposed_login, {first} AS proposed_by, {second} AS agreed_by,
           d.second AS agreed_login
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN jackpot_command d ON d.system_id = span.system_id
         AND d.kind IN ('adjust_pool', 'missed_rounds')
    JOIN jackpot_entry n ON (n.system_id, n.command) = (d.system_id, d.number)
         AND n.seq >= span.first_seq AND n.seq < span.end_seq AND NOT n.outcome ? 'refused'
    LEFT JOIN tables_gamingtable g ON g.id = n.table_id
    LEFT JOIN LATERAL (
        SELECT sum(t.amount) AS amount FROM jackpot_transfer t
        WHERE n.type = 'missed_rounds' AND t.system_id = n.system_id AND t.entry_seq = n.seq
          AND t.number >= span.first_transfer AND t.number < span.end_transfer
          AND t.reason = 'contribution'
    ) AS moved ON true
"""


def _query(filters: Filters) -> sql.Composed:
    return bind(_QUERY, span=span(filters), first=named("d.first"), second=named("d.second"))


REPORT = Definition(
    number=10,
    code="adjustments",
    title=_("Adjustments and missed rounds"),
    question=_("What did people add or take by hand, why, and who decided it?"),
    columns=(
        Field("system", _("System")),
        Field("entry", _("Entry"), "number"),
        Field("at", _("Time"), "local"),
        Field("what", _("What"), words=ENTRIES),
        Field("tier", _("Prize")),
        Field("table_code", _("Table")),
        Field("rounds", _("Missed rounds"), "number", is_summed=True),
        Field("amount", _("Amount"), "money", is_summed=True),
        Field("source", _("Other side")),
        Field("reason", _("Reason")),
        Field("evidence", _("Evidence")),
        Field("proposed_by", _("First person")),
        Field("agreed_by", _("Second person")),
    ),
    order="system, entry",
    query=_query,
    compared={"tier": "tier", "table": "table_code", "person": ("proposed_login", "agreed_login")},
)
