"""Promise: nothing that was recorded waits for ever, and what was refused is kept as it came.

Each event of the inbox has its entry once all is settled (`verifier.order.order` sees that none has
two), and the kept bytes of the quarantine still lead to the hash that was taken of them.
"""

from __future__ import annotations

from verifier.database.report import MOST_SHOWN, Scope
from verifier.database.rows import Connection, System, ask

KIND = "inbox"
_KEPT_BYTES = 64 * 1024  # of what was refused,
_BYTES_A_DAY = 32 * 1024 * 1024  # and of a unit's day (UTC), conflicts beside; then hashes alone


def every_event_has_its_entry(connection: Connection, scope: Scope, system: System) -> None:
    """No event of the inbox is without a place in the order."""
    rows = ask(
        connection,
        """
        SELECT g.code, e.boot, e.seq FROM tables_tableevent e
        JOIN tables_gamingtable g ON g.id = e.table_id
        WHERE e.system_id = %s
          AND NOT EXISTS (SELECT FROM jackpot_entry n WHERE n.event_id = e.id)
        ORDER BY g.code, e.boot, e.seq LIMIT %s
        """,
        [system.id, 50 * MOST_SHOWN],
    )
    for table, boot, seq in rows:
        scope.add(KIND, f"event {table}/{boot}/{seq}", "it is recorded and has no entry")


def every_event_has_its_table(connection: Connection, scope: Scope, system: System) -> None:
    """Each event is of a table of its own system."""
    rows = ask(
        connection,
        """
        SELECT e.table_id, min(e.boot), min(e.seq), count(*) FROM tables_tableevent e
        WHERE e.system_id = %s AND NOT EXISTS (
            SELECT FROM tables_gamingtable g WHERE (g.id, g.system_id) = (e.table_id, e.system_id))
        GROUP BY e.table_id ORDER BY e.table_id LIMIT %s
        """,
        [system.id, 50 * MOST_SHOWN],
    )
    for table_id, boot, seq, count in rows:
        scope.add(
            KIND,
            f"row {table_id} of tables_gamingtable",
            f"{count} events name it, the first of boot {boot}, seq {seq}; the system has no such"
            " table",
        )


def quarantine_is_whole(connection: Connection, scope: Scope, system: System) -> int:
    """What was refused is kept as it came, without its bytes only where its day had enough of
    them; returns how many messages there are."""
    rows = ask(
        connection,
        """
        SELECT q.id, q.topic FROM tables_quarantine q
        JOIN tables_gamingtable g ON g.id = q.table_id
        WHERE g.system_id = %(system)s AND (
            length(q.body) <> least(q.size, %(whole)s)
            OR q.size <= %(whole)s AND sha256(q.body) <> q.sha256)
          AND NOT (length(q.body) = 0 AND least(q.size, %(whole)s) + (
            SELECT coalesce(sum(length(k.body)), 0) FROM tables_quarantine k
            WHERE k.table_id = q.table_id AND k.id < q.id
              AND (k.reason = 'conflict') = (q.reason = 'conflict')
              AND (k.received_at AT TIME ZONE 'UTC')::date
                = (q.received_at AT TIME ZONE 'UTC')::date) > %(day)s)
        ORDER BY q.id LIMIT %(most)s
        """,
        {
            "system": system.id,
            "whole": _KEPT_BYTES,
            "day": _BYTES_A_DAY,
            "most": 50 * MOST_SHOWN,
        },
    )
    for id_, topic in rows:
        scope.add(KIND, f"quarantined message {id_}", f"its bytes were changed (sent to {topic})")
    ((count,),) = ask(
        connection,
        "SELECT count(*) FROM tables_quarantine q JOIN tables_gamingtable g ON g.id = q.table_id"
        " WHERE g.system_id = %s",
        [system.id],
    )
    return int(count)
