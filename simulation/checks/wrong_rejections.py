"""Rejections that were reversed, read off the order and the acts: by whom, and who pays for it."""

from __future__ import annotations

import psycopg

_SAME_PEOPLE = """
    SELECT s.code, n.seq FROM jackpot_entry n
    JOIN tables_jackpotsystem s ON s.id = n.system_id
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    JOIN settlement_claim k ON (k.system_id, k.number) = (n.system_id, n.hit)
    JOIN settlement_action a ON a.claim_id = k.id
      AND a.kind IN ('propose_rejection', 'second_rejection') AND a.at < c.issued_at
    JOIN auth_user u ON u.id = a.person_id AND u.username IN (c.first, c.second)
    WHERE n.type = 'reverse_rejection' AND NOT n.outcome ? 'refused'
"""
_LESS = """
    SELECT s.code, h.number FROM jackpot_hit h JOIN tables_jackpotsystem s ON s.id = h.system_id
    WHERE h.held < h.confirmed
"""
# What the operator covers, by tier: never below nothing, and nothing before a reversal.
_COVERS = """
    SELECT s.code, t.code, sum(CASE WHEN d.code = 'operator' THEN m.amount ELSE -m.amount END)
    FROM jackpot_transfer m
    JOIN jackpot_account d ON d.id = m.debit_id JOIN jackpot_account c ON c.id = m.credit_id
    JOIN jackpot_tier t ON t.id = coalesce(d.tier_id, c.tier_id)
    JOIN tables_jackpotsystem s ON s.id = m.system_id
    WHERE m.reason = 'cover' GROUP BY 1, 2
    HAVING sum(CASE WHEN d.code = 'operator' THEN m.amount ELSE -m.amount END) < 0
        OR min(m.entry_seq) < (
            SELECT coalesce(min(n.seq), 9223372036854775807) FROM jackpot_entry n
            WHERE n.system_id = min(m.system_id) AND n.type = 'reverse_rejection'
              AND NOT n.outcome ? 'refused')
"""


def findings(looking: psycopg.Connection) -> list[str]:
    """People who undid what they had part in, claims that lost what was confirmed, covers that
    nothing asked for."""
    faults = [f"entry {n} of {s}: by who rejected it" for s, n in looking.execute(_SAME_PEOPLE)]
    faults += [f"hit {n} of {s} holds less than confirmed" for s, n in looking.execute(_LESS)]
    faults += [f"{t} of {s}: the operator covers {a}" for s, t, a in looking.execute(_COVERS)]
    return faults
