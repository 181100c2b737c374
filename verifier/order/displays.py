"""Promise: a table was taken out for a dark display only where nothing was read back (19.7)."""

from __future__ import annotations

from verifier.database.report import Scope
from verifier.database.rows import Connection, Entry, System, ask, parsed

KIND = "displays"

# A reading may be written a moment after the time that it carries; and where a clock was set back
# since, one of afterwards carries such a time, and names an entry from then.
_READ = """
    SELECT display, received_at::text FROM tables_displayreading r
    JOIN tables_gamingtable g ON g.id = r.table_id
    WHERE g.system_id = %s AND g.code = %s AND r.system_seq < %s
      AND r.received_at > %s::timestamptz
      AND r.received_at < %s::timestamptz - interval '20 seconds'
    ORDER BY r.received_at LIMIT 1
"""


def dark(connection: Connection, scope: Scope, system: System, entries: list[Entry]) -> None:
    """Hold the silence that each of these facts names against the readings."""
    for entry in entries:
        fact = parsed(entry.body_text or "{}")
        since, until = fact.get("since"), fact.get("until")
        for display, at in ask(
            connection, _READ, [system.id, entry.table, entry.seq, since, until]
        ):
            sentence = f"dark from {since} to {until}, yet {display} was read back at {at}"
            scope.add(KIND, f"entry {entry.seq}", sentence)
