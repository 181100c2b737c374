"""Confirmed claims that two people undid: by whom, and where all that the claim held went."""

from __future__ import annotations

import psycopg

_PEOPLE = """
    SELECT s.code, n.seq FROM jackpot_entry n
    JOIN tables_jackpotsystem s ON s.id = n.system_id
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    WHERE n.type = 'reverse_claim' AND NOT n.outcome ? 'refused' AND (
        c.second IS NULL OR c.first = c.second
        OR EXISTS (
            SELECT FROM jackpot_entry e
            JOIN jackpot_command d ON (d.system_id, d.number) = (e.system_id, e.command)
            WHERE e.system_id = n.system_id AND e.hit = n.hit AND e.seq < n.seq
              AND e.type IN ('confirm_claim', 'pay') AND NOT e.outcome ? 'refused'
              AND (d.first IN (c.first, c.second) AND e.type = 'pay'
                   OR coalesce(d.second, d.first) IN (c.first, c.second))))
"""
# What the claim held before, what was handed over of it and did not come back, and what the entry
# moved: into pools, and out of the operator's account.
_MONEY = """
    SELECT s.code, n.seq, held.amount, paid.amount - back.amount, into_pool.amount, lost.amount
    FROM jackpot_entry n JOIN tables_jackpotsystem s ON s.id = n.system_id
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(CASE m.reason WHEN 'hold' THEN m.amount ELSE -m.amount END), 0)
               AS amount
        FROM jackpot_transfer m WHERE m.system_id = n.system_id AND m.hit = n.hit
          AND m.entry_seq < n.seq AND m.reason IN ('hold', 'release')) held
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(m.amount), 0) AS amount FROM jackpot_transfer m
        WHERE m.system_id = n.system_id AND m.hit = n.hit
          AND m.entry_seq < n.seq AND m.reason = 'payment') paid
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(value::bigint), 0) AS amount
        FROM jsonb_each_text(c.body -> 'recovered')) back
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(m.amount), 0) AS amount FROM jackpot_transfer m
        JOIN jackpot_account a ON a.id = m.credit_id AND a.code LIKE '%%:pool'
        WHERE m.system_id = n.system_id AND m.entry_seq = n.seq AND m.reason = 'reversal') into_pool
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(m.amount), 0) AS amount FROM jackpot_transfer m
        JOIN jackpot_account a ON a.id = m.debit_id AND a.code = 'operator'
        WHERE m.system_id = n.system_id AND m.entry_seq = n.seq AND m.reason = 'reversal') lost
    WHERE n.type = 'reverse_claim' AND NOT n.outcome ? 'refused'
"""


def findings(looking: psycopg.Connection) -> list[str]:
    """People who undid what they had part in, and money that is in no pool again."""
    faults = [f"entry {n} of {s}: by who confirmed or paid" for s, n in looking.execute(_PEOPLE)]
    for system, seq, held, unrecovered, into_pool, lost in looking.execute(_MONEY):
        if (into_pool, lost) != (held, unrecovered):
            faults.append(
                f"entry {seq} of {system}: {into_pool} of {held} is in the pool again,"
                f" {lost} of the operator for {unrecovered} that did not come back"
            )
    return faults
