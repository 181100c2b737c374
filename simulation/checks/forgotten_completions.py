"""Completions that supervisors credited, and what came for those rounds later.

By a plain reading of the order their money counts once, and a contradiction is an incident.
"""

from __future__ import annotations

import psycopg
from django.db import connection

_PRESSED_AGAIN = """
    SELECT s.code, n.seq FROM jackpot_entry n
    JOIN tables_jackpotsystem s ON s.id = n.system_id
    WHERE n.type = 'missed_rounds' AND n.outcome ? 'completion' AND EXISTS (
        SELECT FROM jackpot_transfer m JOIN jackpot_account a ON a.id = m.debit_id
        WHERE m.system_id = n.system_id AND m.entry_seq = n.seq AND a.code = 'operator')
"""
# It agrees with what was credited for it: nothing is left to move.
_TWICE = """
    SELECT s.code, n.seq FROM jackpot_entry n
    JOIN tables_jackpotsystem s ON s.id = n.system_id
    WHERE n.type = 'round_completed' AND n.outcome -> 'flags' ? 'adjusted_before'
      AND NOT n.outcome -> 'flags' ? 'figures_differ' AND EXISTS (
        SELECT FROM jackpot_transfer m WHERE m.system_id = n.system_id AND m.entry_seq = n.seq)
"""
_SILENT = """
    SELECT s.code, max(n.seq) FROM jackpot_entry n
    JOIN tables_jackpotsystem s ON s.id = n.system_id
    WHERE n.outcome -> 'flags' ? 'figures_differ'
    GROUP BY s.id, s.code, n.table_id, n.round HAVING NOT EXISTS (
        SELECT FROM settlement_incident i WHERE i.system_id = s.id AND i.entry = max(n.seq))
"""


def findings(looking: psycopg.Connection) -> list[str]:
    """Money that was credited twice for one round."""
    pressed = looking.execute(_PRESSED_AGAIN).fetchall()
    faults = [f"entry {n} of {s} credits a press with a completion" for s, n in pressed]
    twice = looking.execute(_TWICE).fetchall()
    return faults + [f"entry {n} of {s} counts a completion once more" for s, n in twice]


def without_incident() -> list[str]:
    """Contradictions that nobody is alerted to."""
    with connection.cursor() as cursor:
        cursor.execute(_SILENT)
        return [f"entry {n} of {s} contradicts, without an incident" for s, n in cursor.fetchall()]
