"""One order across tables: with one intake, what arrived first gets its place first.

Ids of the inbox rise in the order of commits then, so a writer that sees an event sees all that
arrived before it on any table. What waited behind a gap has no place by arrival.

With two intakes ids do not say that much. What is promised holds all the same: an event that was
recorded before another one came has its place before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import psycopg

# Of an event: a moment before it was heard, and one at which it was recorded.
Moments = tuple[int, int]
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


def findings(
    connection: psycopg.Connection, taken_in: Mapping[int, Moments], *, intakes: int
) -> list[str]:
    """Events that stand behind one of another table that arrived after them.

    `taken_in`: of each event, by its id; what is not there was there from the beginning.
    """
    rows = connection.execute(_EVENTS).fetchall()
    faults = out_of_turn(rows, taken_in)
    if intakes == 1:
        faults += out_of_turn(rows, {row[4]: (row[4], row[4]) for row in rows})
    return faults


@dataclass(slots=True)
class _Stream:
    through: int = 0
    ahead: set[int] = field(default_factory=set)
    # When the newest up to here was recorded: what follows cannot be taken before it.
    arrived: int = 0


def out_of_turn(rows: Iterable[Row], moments: Mapping[int, Moments]) -> list[str]:
    """The same, of such rows."""
    faults: list[str] = []
    newest: dict[str, int] = {}  # when the last of a system was heard
    streams: dict[tuple[str, str, int], _Stream] = {}
    for system, table, boot, seq, id_, flags, entry in rows:
        stream = streams.setdefault((system, table, boot), _Stream())
        last = newest.get(system, 0)
        heard, recorded = moments.get(id_, (0, 0))
        stream.arrived = max(stream.arrived, recorded)
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
        newest[system] = max(last, heard)
    return faults
