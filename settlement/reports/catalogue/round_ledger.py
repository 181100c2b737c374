"""2: every round with its figures, and what it added to prizes."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.labels import ENTRIES
from settlement.core.report_query import bind
from settlement.reports.definition import Definition, Field, Filters
from settlement.reports.sources import span

TYPES = [
    *("round_started", "round_completed", "void_round", "cancel_round", "missed_rounds"),
    *("accept_rounds", "refuse_rounds"),
]
_QUERY = """
    SELECT s.code AS system, n.seq AS entry, n.at, g.code AS table_code, n.round, n.type AS what,
           r.dealt AS players, r.pot, r.commission, r.taken AS "drop",
           coalesce(t.contributed, 0)::bigint AS contributed, r.hit AS claim
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN jackpot_entry n ON n.system_id = span.system_id
         AND n.seq >= span.first_seq AND n.seq < span.end_seq AND n.type = ANY({types})
         AND NOT n.outcome ? 'refused'
    JOIN tables_gamingtable g ON g.id = n.table_id
    LEFT JOIN jackpot_roundstate r
         ON (r.system_id, r.table_id, r.round) = (n.system_id, n.table_id, n.round)
    LEFT JOIN (
        SELECT t.system_id, t.entry_seq, sum(t.amount) AS contributed
        FROM {span} AS span
        JOIN jackpot_transfer t ON t.system_id = span.system_id
             AND t.number >= span.first_transfer AND t.number < span.end_transfer
        WHERE t.reason = 'contribution' GROUP BY t.system_id, t.entry_seq
    ) AS t ON (t.system_id, t.entry_seq) = (n.system_id, n.seq)
"""


def _query(filters: Filters) -> sql.Composed:
    return bind(_QUERY, span=span(filters), types=TYPES)


REPORT = Definition(
    number=2,
    code="round-ledger",
    title=_("Round ledger"),
    question=_("Which rounds were played, with which figures, and what did each add to prizes?"),
    columns=(
        Field("system", _("System")),
        Field("entry", _("Entry"), "number"),
        Field("at", _("Time"), "local"),
        Field("table_code", _("Table")),
        Field("round", _("Round"), "number"),
        Field("what", _("What"), words=ENTRIES),
        Field("players", _("Players"), "number"),
        Field("pot", _("Pot"), "money"),
        Field("commission", _("Commission"), "money"),
        Field("drop", _("Drop"), "money"),
        Field("contributed", _("Added to prizes"), "money", is_summed=True),
        Field("claim", _("Claim"), "number"),
    ),
    order="system, entry",
    query=_query,
    compared={"table": "table_code"},
    is_long=True,
)
