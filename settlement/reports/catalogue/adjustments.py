"""10: what people added or took by hand: adjustments, missed, void and cancelled rounds."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import ask, bind
from settlement.core.words.labels import ENTRIES
from settlement.core.words.rule_words import REASONS_TO_ADJUST
from settlement.reports.definitions.definition import Definition, Field, Filters
from settlement.reports.definitions.sources import full_name, login_of, name_of, span

_KINDS = [
    *("adjust_pool", "missed_rounds", "void_round", "cancel_round"),
    *("accept_rounds", "refuse_rounds", "close_tier"),
]
# What these decisions moved, by entry and prize. None of it is a contribution, so it is found along
# the small indexes of rare transfers, account by account, however much was played.
_QUERY = """
    WITH span AS (SELECT * FROM {span} AS span), moved AS (
        SELECT span.system_id, t.entry_seq AS seq, a.tier_id,
               sum(t.amount) FILTER (WHERE a.code LIKE '%:pool') AS pool,
               sum(t.amount) FILTER (WHERE a.code LIKE '%:reserve' OR a.code LIKE '%:overflow')
                   AS other,
               sum(t.amount) FILTER (WHERE a.code = 'to_return') AS to_return,
               string_agg(DISTINCT b.code, ', ' ORDER BY b.code) AS source
        FROM span
        JOIN jackpot_account a ON a.system_id = span.system_id
             AND (a.tier_id IS NOT NULL OR a.code = 'to_return')
        CROSS JOIN LATERAL (
            SELECT entry_seq, amount, debit_id AS other_id FROM jackpot_transfer
            WHERE credit_id = a.id AND number >= span.first_transfer
              AND number < span.end_transfer AND reason <> 'contribution'
              AND reason IN ('adjustment', 'closing')
            UNION ALL
            SELECT entry_seq, -amount, credit_id FROM jackpot_transfer
            WHERE debit_id = a.id AND number >= span.first_transfer
              AND number < span.end_transfer AND reason <> 'contribution'
              AND reason IN ('adjustment', 'closing')
        ) AS t
        JOIN jackpot_account b ON b.id = t.other_id
        GROUP BY 1, 2, 3
    ), decided AS (
        SELECT span.system_id, n.seq FROM span
        JOIN jackpot_command d ON d.system_id = span.system_id AND d.kind = ANY({kinds})
        JOIN jackpot_entry n ON (n.system_id, n.command) = (d.system_id, d.number)
             AND n.seq >= span.first_seq AND n.seq < span.end_seq AND NOT n.outcome ? 'refused'
        UNION SELECT system_id, seq FROM moved
    )
    SELECT s.code AS system, n.seq AS entry, n.at, n.type AS what, ti.jackpot,
           coalesce(ti.code, d.body ->> 'tier') AS tier,
           coalesce(g.code, d.body ->> 'table') AS table_code,
           coalesce(n.round, (d.body ->> 'round')::bigint) AS round,
           CASE WHEN row_number() OVER (PARTITION BY n.system_id, n.seq ORDER BY ti.code) = 1
                THEN (d.body ->> 'count')::bigint END AS rounds,
           coalesce(moved.pool, 0)::bigint AS pool, coalesce(moved.other, 0)::bigint AS other,
           coalesce(moved.to_return, 0)::bigint AS to_return, moved.source,
           d.body ->> 'reason' AS reason,
           coalesce(nullif(d.body ->> 'evidence', ''), d.body ->> 'note') AS evidence,
           {first} AS proposed_by, {approver} AS approved_by, {second} AS agreed_by,
           {countersigner} AS countersigned_by, d.first AS proposed_login,
           d.second AS agreed_login, {approver_login} AS approved_login,
           {countersigner_login} AS countersigned_login
    FROM decided
    JOIN tables_jackpotsystem s ON s.id = decided.system_id
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (decided.system_id, decided.seq)
    LEFT JOIN jackpot_command d ON (d.system_id, d.number) = (n.system_id, n.command)
    LEFT JOIN moved ON (moved.system_id, moved.seq) = (n.system_id, n.seq)
    LEFT JOIN jackpot_tier ti ON ti.id = moved.tier_id
    LEFT JOIN tables_gamingtable g ON g.id = n.table_id
    LEFT JOIN settlement_proposaldecision x ON x.command = d.number AND EXISTS (
        SELECT FROM settlement_proposal p WHERE p.id = x.proposal_id AND p.system_id = d.system_id)
    LEFT JOIN LATERAL (
        SELECT a.person_id FROM settlement_proposalapproval a
        WHERE a.proposal_id = x.proposal_id ORDER BY a.id DESC LIMIT 1
    ) AS approval ON true
    LEFT JOIN settlement_ruling r ON r.system_id = d.system_id AND r.command = d.number
    LEFT JOIN settlement_countersignature k ON k.ruling_id = r.id
"""


def _query(filters: Filters) -> sql.Composed:
    return bind(
        _QUERY,
        span=span(filters),
        kinds=_KINDS,
        first=full_name("d.first"),
        second=full_name("d.second"),
        approver=name_of("approval.person_id"),
        countersigner=name_of("k.person_id"),
        approver_login=login_of("approval.person_id"),
        countersigner_login=login_of("k.person_id"),
    )


def decisions(filters: Filters) -> int:
    """How many entries the report lists: of some there are several lines, one for each prize."""
    (row,) = ask(bind("SELECT count(DISTINCT (system, entry)) FROM ({q}) AS r", q=_query(filters)))
    return int(row["count"])


REPORT = Definition(
    number=10,
    code="adjustments",
    title=_("Adjustments and missed rounds"),
    question=_("What did people add or take by hand, why, and who decided it?"),
    columns=(
        Field("system", _("System")),
        Field("entry", _("Sequence no."), "number", link="entry"),
        Field("at", _("Time"), "local", note=_("When it was recorded in the sequence.")),
        Field("what", _("What"), words=ENTRIES, note=_("What was decided, or came late.")),
        Field("jackpot", _("Jackpot")),
        Field("tier", _("Prize"), link="pool"),
        Field("table_code", _("Table"), link="table"),
        Field("round", _("Round"), "number", note=_("The round of the table, where it is one.")),
        Field(
            "rounds",
            _("Missed rounds"),
            "number",
            is_summed=True,
            note=_("How many were credited; of an entry in several lines, in the first."),
        ),
        Field(
            "pool",
            _("Into the pool"),
            "money",
            is_summed=True,
            note=_("Below zero: taken out. Report 1 has it in the column “Adjusted”."),
            link="entry",
        ),
        Field(
            "other",
            _("Into reserve, overflow"),
            "money",
            is_summed=True,
            note=_("The same for reserve and overflow of the prize."),
        ),
        Field(
            "to_return",
            _("To be returned"),
            "money",
            is_summed=True,
            note=_("The same for players' money that no prize can have."),
        ),
        Field("source", _("Other side"), note=_("The accounts that gave it, or got it.")),
        Field(
            "reason",
            _("Reason"),
            words=REASONS_TO_ADJUST,
            note=_("From the closed list of the decision."),
        ),
        Field("evidence", _("Evidence"), note=_("What the people who decided referred to.")),
        Field("proposed_by", _("First person"), note=_("Who proposed it, or decided it alone.")),
        Field("approved_by", _("Approved by"), note=_("The first of two managers, above a limit.")),
        Field("agreed_by", _("Second person"), note=_("Who agreed to it.")),
        Field(
            "countersigned_by",
            _("Countersigned by"),
            note=_("Who looked at missed rounds that one person credited alone."),
        ),
    ),
    order="system, entry, tier",
    query=_query,
    compared={
        "jackpot": "jackpot",
        "tier": "tier",
        "table": "table_code",
        "person": ("proposed_login", "approved_login", "agreed_login", "countersigned_login"),
    },
    rules=("19.19", "19.20", "20.1"),
)
