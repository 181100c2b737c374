"""5: every claim, what became of it, and the time that each step took."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import bind
from settlement.core.words.labels import STATES
from settlement.core.words.rule_words import REASONS_TO_REJECT
from settlement.reports.definitions.definition import Definition, Field, Filters
from settlement.reports.definitions.sources import full_name, name_of, span

# Of several confirmations the first one counts, with the verification before it: supplements and
# later payments are in the registers of what was paid.
_STEP = """
    LEFT JOIN LATERAL (
        SELECT a.id, a.at, a.person_id FROM settlement_action a
        WHERE a.claim_id = c.id AND a.kind = {kind} AND {before} ORDER BY a.id {order} LIMIT 1
    ) AS {name} ON true
"""
_HITS = """
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN jackpot_hit h ON h.system_id = span.system_id
         AND h.place >= span.first_seq AND h.place < span.end_seq
    JOIN jackpot_entry placed ON (placed.system_id, placed.seq) = (h.system_id, h.place)
    LEFT JOIN jackpot_entry reported
         ON (reported.system_id, reported.seq) = (h.system_id, h.report_entry)
    LEFT JOIN settlement_claim c ON (c.system_id, c.number) = (h.system_id, h.number)
    {confirmed} {verified}
    LEFT JOIN LATERAL (
        SELECT sum(p.amount) AS paid, min(p.at) AS first_at, min(p.cashier) AS cashier
        FROM settlement_payout p WHERE p.claim_id = c.id AND {paid}
    ) AS p ON true
"""
_QUERY = """
    SELECT s.code AS system, h.number AS claim, h.place AS entry, h.at, g.code AS table_code,
           h.round, ti.jackpot, ti.code AS tier, h.state, h.before_pool AS pool_before,
           h.held AS amount, h.confirmed, coalesce(p.paid, 0)::bigint AS paid,
           placed.at AS recorded_at, reported.at AS reported_at, c.opened_at,
           verified.at AS verified_at, {verifier} AS verified_by,
           confirmed.at AS confirmed_at, {confirmer} AS confirmed_by, p.first_at AS paid_at,
           ended.at AS ended_at, ended.reason, {first} AS ended_by, {second} AS agreed_by,
           {steps},
           extract(epoch FROM coalesce(p.first_at, ended.at) - placed.at)::bigint AS seconds_in_all,
           {logins}
    {hits}
    JOIN tables_gamingtable g ON g.id = h.table_id
    LEFT JOIN jackpot_tier ti ON ti.id = h.tier_id
    LEFT JOIN LATERAL (
        SELECT n.at, d.first, d.second, d.body ->> 'reason' AS reason
        FROM jackpot_entry n
        JOIN jackpot_command d ON (d.system_id, d.number) = (n.system_id, n.command)
        WHERE n.system_id = h.system_id AND n.hit = h.number AND NOT n.outcome ? 'refused'
          AND n.type = CASE h.state WHEN 'rejected' THEN 'reject_claim'
                                    WHEN 'reversed' THEN 'reverse_claim' END
        ORDER BY n.seq DESC LIMIT 1
    ) AS ended ON true
"""
_STEPS = """
    extract(epoch FROM reported.at - placed.at)::bigint AS seconds_to_reported,
    extract(epoch FROM verified.at - reported.at)::bigint AS seconds_to_verified,
    extract(epoch FROM confirmed.at - verified.at)::bigint AS seconds_to_confirmed,
    extract(epoch FROM p.first_at - confirmed.at)::bigint AS seconds_to_paid
"""
_LOGINS = """
    (SELECT username FROM auth_user u WHERE u.id = verified.person_id) AS verified_login,
    (SELECT username FROM auth_user u WHERE u.id = confirmed.person_id) AS confirmed_login,
    p.cashier AS cashier_login, ended.first AS ended_login, ended.second AS agreed_login
"""


def _step(kind: str, order: str, before: str = "true") -> sql.Composed:
    fixed = {"order": sql.SQL(order), "before": sql.SQL(before)}
    return bind(_STEP, kind=kind, name=sql.SQL(f"{kind}ed".replace("ifyed", "ified")), **fixed)


def _hits(filters: Filters, paid: str = "true") -> sql.Composed:
    return bind(
        _HITS,
        span=span(filters),
        paid=sql.SQL(paid),
        confirmed=_step("confirm", "ASC"),
        verified=_step("verify", "DESC", "(confirmed.id IS NULL OR a.id < confirmed.id)"),
    )


def _query(filters: Filters) -> sql.Composed:
    return bind(
        _QUERY,
        hits=_hits(filters),
        steps=sql.SQL(_STEPS),
        logins=sql.SQL(_LOGINS),
        verifier=name_of("verified.person_id"),
        confirmer=name_of("confirmed.person_id"),
        first=full_name("ended.first"),
        second=full_name("ended.second"),
    )


def seconds_of_steps(filters: Filters) -> sql.Composed:
    """What each step of each claim took, in the same columns, without the rest of the report."""
    hits = _hits(filters, paid="confirmed.at IS NOT NULL")  # the time to pay begins there
    return bind("SELECT {steps} {hits}", steps=sql.SQL(_STEPS), hits=hits)


REPORT = Definition(
    number=5,
    code="hit-register",
    title=_("Hit register"),
    question=_("Which hands were called, what became of each claim, and how long did it take?"),
    columns=(
        Field("system", _("System")),
        Field("claim", _("Claim"), "number", link="claim"),
        Field("entry", _("Sequence no."), "number", link="entry"),
        Field("at", _("Time of hand"), "local", note=_("The time for settlement.")),
        Field("table_code", _("Table"), link="table"),
        Field("round", _("Round"), "number", note=_("The round of the table.")),
        Field("jackpot", _("Jackpot")),
        Field(
            "tier",
            _("Prize"),
            note=_("By its code in the terms; empty: the hand was called and got none."),
            link="pool",
        ),
        Field(
            "state", _("State"), words=STATES, note=_("The state of the claim in the books now.")
        ),
        Field(
            "pool_before",
            _("Pool before"),
            "money",
            note=_("The pool when the hand was recorded, without rejected claims."),
            link="report:derivation",
        ),
        Field(
            "amount",
            _("Amount"),
            "money",
            is_summed=True,
            note=_("What the claim is worth now; report 6 shows why."),
            link="report:derivation",
        ),
        Field(
            "confirmed",
            _("Confirmed"),
            "money",
            is_summed=True,
            note=_("What two people confirmed of it so far."),
        ),
        Field(
            "paid",
            _("Paid"),
            "money",
            is_summed=True,
            note=_("What was handed over so far, before anything was recovered."),
            link="claim",
        ),
        Field(
            "recorded_at",
            _("Recorded"),
            "local",
            note=_("When the hand was recorded in the sequence."),
        ),
        Field("reported_at", _("Reported"), "local", note=_("When the report that counts came.")),
        Field(
            "opened_at", _("Claim opened"), "local", note=_("When the console opened the claim.")
        ),
        Field(
            "verified_at",
            _("Verified"),
            "local",
            note=_("The verification on which the first confirmation stands, or the newest."),
        ),
        Field("verified_by", _("Verified by"), note=_("Who verified it.")),
        Field("confirmed_at", _("Confirmed at"), "local", note=_("The first confirmation.")),
        Field("confirmed_by", _("Confirmed by"), note=_("The second person.")),
        Field("paid_at", _("First paid"), "local", note=_("The first payment of any payee.")),
        Field("ended_at", _("Rejected or reversed"), "local", note=_("When that was decided.")),
        Field(
            "reason",
            _("Reason"),
            words=REASONS_TO_REJECT,
            note=_("Of the rejection or reversal, from the closed list."),
        ),
        Field("ended_by", _("Proposed by"), note=_("Who proposed the rejection or reversal.")),
        Field("agreed_by", _("Agreed by"), note=_("Who agreed to it.")),
        Field("seconds_to_reported", _("Seconds to report"), "number", note=_("From the call.")),
        Field("seconds_to_verified", _("Seconds to verify"), "number", note=_("From the report.")),
        Field(
            "seconds_to_confirmed",
            _("Seconds to confirm"),
            "number",
            note=_("From the verification."),
        ),
        Field("seconds_to_paid", _("Seconds to pay"), "number", note=_("From the confirmation.")),
        Field(
            "seconds_in_all",
            _("Seconds in all"),
            "number",
            note=_("From the hand to the first payment, or to the rejection."),
        ),
    ),
    order="system, claim",
    query=_query,
    compared={
        "jackpot": "jackpot",
        "tier": "tier",
        "table": "table_code",
        "person": (
            *("verified_login", "confirmed_login", "cashier_login"),
            *("ended_login", "agreed_login"),
        ),
    },
    rules=("19.10", "19.11", "19.12"),
)
