"""5: every claim, what became of it, and the time that each step took."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import bind
from settlement.reports.definition import Definition, Field, Filters
from settlement.reports.sources import span

_QUERY = """
    SELECT s.code AS system, h.number AS claim, h.place AS entry, h.at, g.code AS table_code,
           h.round, ti.jackpot, ti.code AS tier, h.state, h.before_pool AS pool_before,
           h.held AS amount, h.confirmed, coalesce(p.paid, 0)::bigint AS paid,
           steps.reported_at, c.opened_at, steps.verified_at, steps.confirmed_at,
           p.first_at AS paid_at,
           extract(epoch FROM steps.verified_at - h.at)::bigint AS seconds_to_verified,
           extract(epoch FROM steps.confirmed_at - steps.verified_at)::bigint
               AS seconds_to_confirmed,
           extract(epoch FROM p.first_at - steps.confirmed_at)::bigint AS seconds_to_paid
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN jackpot_hit h ON h.system_id = span.system_id
         AND h.place >= span.first_seq AND h.place < span.end_seq
    JOIN tables_gamingtable g ON g.id = h.table_id
    LEFT JOIN jackpot_tier ti ON ti.id = h.tier_id
    LEFT JOIN settlement_claim c ON (c.system_id, c.number) = (h.system_id, h.number)
    LEFT JOIN LATERAL (
        SELECT (SELECT n.at FROM jackpot_entry n
                WHERE (n.system_id, n.seq) = (h.system_id, h.report_entry)) AS reported_at,
               max(a.at) FILTER (WHERE a.kind = 'verify') AS verified_at,
               max(a.at) FILTER (WHERE a.kind = 'confirm') AS confirmed_at
        FROM settlement_action a WHERE a.claim_id = c.id
    ) AS steps ON true
    LEFT JOIN LATERAL (
        SELECT sum(p.amount) AS paid, min(p.at) AS first_at
        FROM settlement_payout p WHERE p.claim_id = c.id
    ) AS p ON true
"""


def _query(filters: Filters) -> sql.Composed:
    return bind(_QUERY, span=span(filters))


REPORT = Definition(
    number=5,
    code="hit-register",
    title=_("Hit register"),
    question=_("Which hands were called, what became of each claim, and how long did it take?"),
    columns=(
        Field("system", _("System")),
        Field("claim", _("Claim"), "number"),
        Field("entry", _("Entry"), "number"),
        Field("at", _("Time of hand"), "local"),
        Field("table_code", _("Table")),
        Field("round", _("Round"), "number"),
        Field("jackpot", _("Jackpot")),
        Field("tier", _("Prize")),
        Field("state", _("State")),
        Field("pool_before", _("Pool before"), "money"),
        Field("amount", _("Amount"), "money", is_summed=True),
        Field("confirmed", _("Confirmed"), "money", is_summed=True),
        Field("paid", _("Paid"), "money", is_summed=True),
        Field("reported_at", _("Reported"), "local"),
        Field("opened_at", _("Claim opened"), "local"),
        Field("verified_at", _("Verified"), "local"),
        Field("confirmed_at", _("Confirmed at"), "local"),
        Field("paid_at", _("First paid"), "local"),
        Field("seconds_to_verified", _("Seconds to verify"), "number"),
        Field("seconds_to_confirmed", _("Seconds to confirm"), "number"),
        Field("seconds_to_paid", _("Seconds to pay"), "number"),
    ),
    order="system, claim",
    query=_query,
    compared={"jackpot": "jackpot", "tier": "tier", "table": "table_code"},
)
