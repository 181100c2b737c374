"""One order across tables: with one intake, what arrived first gets its place first.

Ids of the inbox rise in the order of commits then, so a writer that sees an event sees all that
arrived before it on any table. What waited behind a gap has no place by arrival.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import psycopg

# System, table, boot, seq, id of the inbox, flags, entry; in the order of entries.
Row = tuple[str, str, int, int, int, list[str], int]

_EVENTS = """
    SELECT s.code, t.code, n.boot, n.event_seq, n.event_id,
           coalesce(n.outcome -> 'flags', '[]'), n.seq
    FROM jackpot_entry n
    JOIN tables_jackpotsystem s ON s.id = n.system_id
    JOIN tables_gamingtable t ON t.id = n.table_id
    WHERE n.kind = 'event' ORDER BY s.id, n.seq
"""


def findings(connection: psycopg.Connection) -> list[str]:
    """Events that stand behind one of another table that arrived after them."""
    return out_of_turn(connection.execute(_EVENTS))


@dataclass(slots=True)
class _Stream:
    through: int = 0
    ahead: set[int] = field(default_factory=set)
    arrived: int = 0  # the newest arrival up to here: what follows cannot be taken before it


def out_of_turn(rows: Iterable[Row]) -> list[str]:
    """The same, of such rows."""
    faults: list[str] = []
    newest: dict[str, int] = {}  # arrival, by system
    streams: dict[tuple[str, str, int], _Stream] = {}
    for system, table, boot, seq, arrival, flags, entry in rows:
        stream = streams.setdefault((system, table, boot), _Stream())
        last = newest.get(system, 0)
        stream.arrived = max(stream.arrived, arrival)
        if "ahead_of_gap" in flags:
            stream.ahead.add(seq)
        elif "late" not in flags:
            while stream.through + 1 in stream.ahead:
                stream.through += 1
            if seq != stream.through + 1:  # it waited for what is missing before it
                stream.arrived = max(stream.arrived, last)
            stream.through = seq
        if stream.arrived < last:
            faults.append(
                f"entry {entry} of {system}: {table}/{boot}/{seq} stands behind what arrived later"
            )
        newest[system] = max(last, stream.arrived)
    return faults
