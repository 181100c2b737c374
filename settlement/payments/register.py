"""The register of what was paid: to whom, in which parts, and by whom (19.12, 19.15).

For each payment it names all who took part: who verified, the first of two managers where two were
asked, who confirmed the very line that was paid, and who paid it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import sql

from settlement.core.gaming_day import Days
from settlement.core.report_query import EARLIEST, LATEST, Lean, Report, ask, bind, in_words
from settlement.core.words.rule_words import CAPACITY_TITLES
from tables.models import Casino

_NAME = """
    coalesce(nullif(trim(concat_ws(' ', u.first_name, u.last_name)), ''), u.username)
"""
# Rows with what they are sorted, chosen and added up by alone: however many there are, that is
# cheap. What came back of a reversed claim is a line of its own that takes away from what was paid,
# with the tax that was withheld and not remitted.
_PAID = """
    SELECT p.id, 'payout' AS what, c.number AS claim, s.code AS system, p.at,
           p.amount AS amount_micros, p.chips AS chips_micros, p.cash AS cash_micros,
           p.equivalent AS equivalent_micros, p.tax AS tax_micros,
           s.id AS system_id, c.id AS claim_id, p.line, p.cashier, NULL AS first, NULL AS second
    FROM settlement_payout p
    JOIN settlement_claim c ON c.id = p.claim_id
    JOIN tables_jackpotsystem s ON s.id = c.system_id
    WHERE s.casino_id = {casino} AND NOT starts_with(s.code, 'rehearsal-')
      AND p.at >= {start} AND p.at < {end}
"""
_UNDONE = """
    SELECT n.seq, 'reversal', n.hit, s.code, n.at, -b.all_methods - tax.back, -b.chips, -b.cash,
           -b.equivalent, -tax.back, s.id, NULL, NULL, NULL, c.first, c.second
    FROM jackpot_entry n
    JOIN jackpot_command c ON c.system_id = n.system_id AND c.number = n.command
    JOIN tables_jackpotsystem s ON s.id = n.system_id
    CROSS JOIN LATERAL (
        SELECT chips, cash, equivalent, chips + cash + equivalent AS all_methods
        FROM (SELECT coalesce(r.chips, 0) AS chips, coalesce(r.cash, 0) AS cash,
                     coalesce(r.equivalent, 0) AS equivalent
              FROM jsonb_to_record(c.body -> 'recovered')
                   AS r (chips bigint, cash bigint, equivalent bigint)) AS r
    ) AS b
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(t.amount), 0)::bigint AS back
        FROM jackpot_account a JOIN jackpot_transfer t ON t.debit_id = a.id
        WHERE a.system_id = n.system_id AND a.code = 'withheld_tax' AND t.entry_seq = n.seq
          AND t.reason <> 'contribution'  -- as the index of rare transfers has it
    ) AS tax
    WHERE n.type = 'reverse_claim' AND NOT n.outcome ? 'refused'
      AND n.hit IS NOT NULL  -- as the index of entries of hits has it
      AND s.casino_id = {casino} AND NOT starts_with(s.code, 'rehearsal-')
      AND n.at >= {start} AND n.at < {end}
"""
_BEHIND = """
    (SELECT {name} FROM settlement_action a JOIN auth_user u ON u.id = a.person_id
     WHERE a.claim_id = r.claim_id AND a.kind = {kind} AND a.id < confirmed.id
     ORDER BY a.id DESC LIMIT 1)
"""
# An approval is of one amount: one given for an earlier confirmation is not of this one.
_APPROVED = """
    (SELECT {name} FROM settlement_action a JOIN auth_user u ON u.id = a.person_id
     WHERE a.claim_id = r.claim_id AND a.kind = 'approve' AND a.id < confirmed.id
       AND a.id > coalesce((SELECT max(b.id) FROM settlement_action b WHERE b.claim_id = r.claim_id
                            AND b.kind = 'confirm' AND b.id < confirmed.id), 0)
       AND a.body -> 'amount' = confirmed.amount ORDER BY a.id DESC LIMIT 1)
"""
# Lines are numbered through all confirmations: the one in which this line is.
_CONFIRMED = """
    LEFT JOIN LATERAL (
        SELECT a.id, a.person_id, each.amount
        FROM (SELECT n.seq, d.number, d.body -> 'amount' AS amount,
                     sum(jsonb_array_length(d.body -> 'payees')) OVER (ORDER BY n.seq) AS last_line
              FROM jackpot_entry n
              JOIN jackpot_command d ON d.system_id = n.system_id AND d.number = n.command
              WHERE n.system_id = r.system_id AND n.hit = r.claim AND n.type = 'confirm_claim'
                AND NOT n.outcome ? 'refused') AS each
        JOIN settlement_action a
          ON a.claim_id = r.claim_id AND a.kind = 'confirm' AND a.command = each.number
        WHERE each.last_line >= r.line ORDER BY each.seq LIMIT 1
    ) AS confirmed ON true
"""
_FULL_NAME = "coalesce((SELECT {name} FROM auth_user u WHERE u.username = {column}), {column})"
_IN_FULL = """
    SELECT r.id, r.claim, r.system, s.name AS system_name, p.seat,
           coalesce(p.entry_seq, r.id) AS entry_seq, r.at, g.name AS table_name,
           g.code AS table_code, ti.code AS tier,
           coalesce(named.tier ->> 'name', ti.code) AS tier_name, r.amount_micros, r.chips_micros,
           r.cash_micros, r.equivalent_micros, r.tax_micros, {verified} AS verified_by,
           {approved} AS approved_by,
           (SELECT {name} FROM auth_user u WHERE u.id = confirmed.person_id) AS confirmed_by,
           {payer} AS paid_by, {first} AS proposed_by, {second} AS agreed_by, r.what,
           {role} AS role,
           (SELECT max(n.seq) FROM jackpot_entry n
            WHERE r.what = 'payout' AND n.system_id = r.system_id AND n.hit = r.claim
              AND n.type = 'reverse_rejection' AND NOT n.outcome ? 'refused') AS unrejected
    FROM ({rows}) AS r
    JOIN tables_jackpotsystem s ON s.id = r.system_id
    JOIN jackpot_hit h ON h.system_id = r.system_id AND h.number = r.claim
    JOIN tables_gamingtable g ON g.id = h.table_id
    LEFT JOIN jackpot_tier ti ON ti.id = h.tier_id
    LEFT JOIN settlement_payout p ON r.what = 'payout' AND p.id = r.id
    LEFT JOIN LATERAL (
        SELECT tier FROM jackpot_terms t, jsonb_array_elements(t.document -> 'tiers') AS tier
        WHERE p.id IS NOT NULL AND t.system_id = r.system_id AND t.jackpot = ti.jackpot
          AND t.number <= h.terms AND tier ->> 'code' = ti.code
        ORDER BY t.number DESC LIMIT 1
    ) AS named ON true
    LEFT JOIN LATERAL (
        SELECT payee ->> 'role' AS role FROM jsonb_array_elements(h.payees) AS payee
        WHERE (payee ->> 'line')::int = p.line
    ) AS payee ON true
    {confirmed}
"""
# Who took part in what was paid: whom its row names, and nobody whose act no longer counts. First
# what this person acted on at all, by which there is little left to look at.
_OF_PERSON = """
    SELECT r.* FROM ({rows}) AS r {confirmed}
    WHERE (r.cashier = {person} OR {person} IN (r.first, r.second) OR r.claim_id IN (
            SELECT a.claim_id FROM settlement_action a JOIN auth_user u ON u.id = a.person_id
            WHERE u.username = {person}))
      AND {person} IN (r.cashier, r.first, r.second, {verified}, {approved},
        (SELECT u.username FROM auth_user u WHERE u.id = confirmed.person_id))
"""
_TOTALS = """
    SELECT count(*) FILTER (WHERE what = 'payout') AS payouts,
           count(*) FILTER (WHERE what = 'reversal') AS reversals,
           coalesce(sum(amount_micros), 0)::bigint AS amount_micros,
           coalesce(sum(chips_micros), 0)::bigint AS chips_micros,
           coalesce(sum(cash_micros), 0)::bigint AS cash_micros,
           coalesce(sum(equivalent_micros), 0)::bigint AS equivalent_micros,
           coalesce(sum(tax_micros), 0)::bigint AS tax_micros
    FROM ({payouts}) AS payouts
"""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Of the register: amounts in micros, both included, and a person who took part; empty: all.

    A reversal takes away from what was paid: its amount is below zero, and counts by its size.
    """

    least: int | None = None
    most: int | None = None
    person: str = ""  # a log-in


def payout_register(
    casino: Casino, days: Days, system: str = "", chosen: Chosen | None = None
) -> Report:
    """Every payout of these gaming days, newest first; of one system, or of all."""
    chosen = chosen or Chosen()
    span = {
        "casino": casino.pk,
        "start": days.start(casino) or EARLIEST,
        "end": days.end(casino) or LATEST,
    }
    rows = bind("{paid} UNION ALL {undone}", paid=bind(_PAID, **span), undone=bind(_UNDONE, **span))
    if system:
        rows = bind("SELECT * FROM ({rows}) AS r WHERE system = {system}", rows=rows, system=system)
    if chosen.person:
        rows = _of_person(chosen.person, rows)
    for sign, amount in ((">=", chosen.least), ("<=", chosen.most)):
        if amount is not None:
            rows = bind(
                "SELECT * FROM ({rows}) AS r WHERE abs(amount_micros) {sign} {amount}",
                rows=rows,
                sign=sql.SQL(sign),
                amount=amount,
            )
    return Report(
        "payouts",
        casino,
        _in_full(rows),
        sql.SQL("at DESC, id DESC"),
        lean=Lean(rows, _in_full),
    )


def _in_full(rows: sql.Composed) -> sql.Composed:
    """The rows with the hand, the prize and all who took part."""
    name = sql.SQL(_NAME)

    def full_name(column: str) -> sql.Composed:
        return bind(_FULL_NAME, name=name, column=sql.SQL(column))

    return bind(
        _IN_FULL,
        rows=rows,
        name=name,
        verified=bind(_BEHIND, name=name, kind="verify"),
        approved=bind(_APPROVED, name=name),
        confirmed=sql.SQL(_CONFIRMED),
        payer=full_name("r.cashier"),
        first=full_name("r.first"),
        second=full_name("r.second"),
        role=in_words("payee.role", CAPACITY_TITLES),
    )


def _of_person(person: str, rows: sql.Composed) -> sql.Composed:
    """Of payments and of reversals those in which this log-in took part."""
    login = sql.SQL("u.username")
    return bind(
        _OF_PERSON,
        rows=rows,
        person=person,
        confirmed=sql.SQL(_CONFIRMED),
        verified=bind(_BEHIND, name=login, kind="verify"),
        approved=bind(_APPROVED, name=login),
    )


def totals(register: Report) -> dict[str, Any]:
    """How many payouts there are in the register, and what they come to."""
    return ask(bind(_TOTALS, payouts=register.shortest))[0]
