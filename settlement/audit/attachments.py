"""Whether the files of claims and of filed forms are what was attached. Part of every whole
reconciliation.

The database hashes them where they lie, one after the other: nobody reads a file for it. Length and
SHA-256 are also held against the command that took them into the order.
"""

from __future__ import annotations

from django.db import connection

_CHANGED = """
    SELECT k.number, a.id FROM settlement_attachment a
    JOIN settlement_claim k ON k.id = a.claim_id
    LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (k.system_id, a.command)
    WHERE k.system_id = %s AND (NOT EXISTS (
        SELECT FROM digest_of_attachment(a.id) AS d
        WHERE d.size = a.size AND d.sha256 = a.sha256
    ) OR a.command IS NOT NULL AND c.body IS DISTINCT FROM jsonb_build_object(
        'hit', k.number, 'sha256', encode(a.sha256, 'hex'), 'size', a.size))
    ORDER BY a.id LIMIT 10
"""
_FILED = """
    SELECT k.number, f.id FROM settlement_filingfile f
    JOIN settlement_formfiling n ON n.id = f.filing_id
    JOIN settlement_payout p ON p.id = n.payout_id
    JOIN settlement_claim k ON k.id = p.claim_id
    WHERE k.system_id = %s AND NOT EXISTS (
        SELECT FROM digest_of_filing_file(f.id) AS d
        WHERE d.size = f.size AND d.sha256 = f.sha256)
    ORDER BY f.id LIMIT 10
"""
_MISSING = """
    SELECT c.body ->> 'hit' FROM jackpot_command c
    WHERE c.system_id = %s AND c.kind = 'attach_file' AND NOT EXISTS (
        SELECT FROM settlement_attachment a JOIN settlement_claim k ON k.id = a.claim_id
        WHERE (k.system_id, a.command) = (c.system_id, c.number))
    ORDER BY c.number LIMIT 10
"""


def changed_files(system: int) -> list[str]:
    """Files whose bytes are not those that people attached, and those that are gone."""
    with connection.cursor() as cursor:
        cursor.execute(_CHANGED, [system])
        changed = cursor.fetchall()
        cursor.execute(_FILED, [system])
        filed = cursor.fetchall()
        cursor.execute(_MISSING, [system])
        return [
            *(
                f"claim {number}: file {id_} of a form is not what was sent"
                for number, id_ in filed
            ),
            *(f"claim {number}: file {id_} is not what was attached" for number, id_ in changed),
            *(f"claim {hit}: a file that the order names is gone" for (hit,) in cursor.fetchall()),
        ]
