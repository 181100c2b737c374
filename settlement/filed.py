"""Whether the files of claims are what was attached. Part of every whole reconciliation.

The database hashes them where they lie, one after the other: nobody reads a file for it.
"""

from __future__ import annotations

from django.db import connection

_CHANGED = """
    SELECT k.number, a.id FROM settlement_attachment a
    JOIN settlement_claim k ON k.id = a.claim_id
    WHERE k.system_id = %s AND NOT EXISTS (
        SELECT FROM digest_of_attachment(a.id) AS d
        WHERE d.size = a.size AND d.sha256 = a.sha256)
    ORDER BY a.id LIMIT 10
"""


def changed_files(system: int) -> list[str]:
    """Files whose bytes are not those of their SHA-256."""
    with connection.cursor() as cursor:
        cursor.execute(_CHANGED, [system])
        return [
            f"claim {number}: file {id_} is not what was attached"
            for number, id_ in cursor.fetchall()
        ]
