"""Promise: a receipt never says more than the database holds.

A unit stops sending what a receipt covers. So every seq up to a stream's watermark is recorded,
quarantined, declared lost by the unit or given up by a person; and every receipt that still waits
in the outbox, or that a unit was seen to get, is at most that watermark.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask

KIND = "receipts"
StreamKey = tuple[str, int]  # table, boot

_STREAMS = """
    SELECT g.code, s.boot, s.table_id, s.committed_seq, s.last_seq,
           (SELECT count(*) FROM tables_tableevent e
            WHERE e.system_id = s.system_id AND e.table_id = s.table_id AND e.boot = s.boot
              AND e.seq BETWEEN 1 AND s.committed_seq),
           (SELECT coalesce(max(e.seq), 0) FROM tables_tableevent e
            WHERE e.system_id = s.system_id AND e.table_id = s.table_id AND e.boot = s.boot)
    FROM tables_stream s JOIN tables_gamingtable g ON g.id = s.table_id
    WHERE s.system_id = %s ORDER BY g.code, s.boot
"""
_HOLES = """
    SELECT seq + 1, next - 1 FROM (
        SELECT seq, lead(seq, 1, %(through)s + 1) OVER (ORDER BY seq) AS next FROM (
            SELECT 0 AS seq UNION ALL
            SELECT seq FROM tables_tableevent
            WHERE system_id = %(system)s AND table_id = %(table)s AND boot = %(boot)s
              AND seq BETWEEN 1 AND %(through)s
        ) held
    ) steps WHERE next > seq + 1 ORDER BY seq
"""
_OTHERWISE = """
    SELECT g.code, q.boot, q.seq, q.seq FROM tables_quarantine q
    JOIN tables_gamingtable g ON g.id = q.table_id
    WHERE g.system_id = %(system)s AND q.boot IS NOT NULL AND q.seq IS NOT NULL
      AND q.reason NOT IN ('wrong_mac', 'implausible_boot')
    UNION
    SELECT g.code, c.boot, c.from_seq, c.to_seq FROM tables_closedgap c
    JOIN tables_gamingtable g ON g.id = c.table_id
    WHERE c.system_id = %(system)s
"""


class HeldOtherwise:
    """Seqs without an event that intake holds all the same: quarantined, lost, given up."""

    def __init__(self, connection: Connection, system: System) -> None:
        self._ranges: dict[StreamKey, list[tuple[int, int]]] = {}
        for table, boot, first, last in ask(connection, _OTHERWISE, {"system": system.id}):
            self._ranges.setdefault((table, boot), []).append((first, last))
        for ranges in self._ranges.values():
            ranges.sort()

    def missing(self, table: str, boot: int, first: int, last: int) -> int | None:
        """The first seq of a range that is not held so; None if all of it is."""
        for low, high in self._ranges.get((table, boot), ()):
            if low > first:
                break
            first = max(first, high + 1)
        return first if first <= last else None

    def all_of(self, table: str, boot: int, first: int, last: int) -> bool:
        """Whether all of a range is held so."""
        return self.missing(table, boot, first, last) is None


def receipts(
    connection: Connection,
    scope: Scope,
    system: System,
    otherwise: HeldOtherwise,
    last_seqs: Mapping[StreamKey, int],
) -> None:
    """`last_seqs`: the highest committed_seq that a unit got in a receipt of the present era."""
    committed: dict[StreamKey, int] = {}
    for table, boot, table_id, through, last, count, highest in ask(
        connection, _STREAMS, [system.id]
    ):
        committed[table, boot] = through
        place = f"table {table}, boot {boot}"
        if last < through or last < highest:
            scope.add(KIND, place, f"it says that seq {last} is the last that is held")
        if count == through:
            continue
        keys = {"system": system.id, "table": table_id, "boot": boot, "through": through}
        for low, high in ask(connection, _HOLES, keys):
            missing = otherwise.missing(table, boot, low, high)
            if missing is not None:
                sentence = f"receipts cover seq {through}, and seq {missing} is nowhere"
                scope.add(KIND, place, sentence)
    for (table, boot), through in [*last_seqs.items(), *_waiting(connection, system)]:
        if through > committed.get((table, boot), 0):
            sentence = f"a receipt says {through}, held is {committed.get((table, boot), 0)}"
            scope.add(KIND, f"table {table}, boot {boot}", sentence)


def _waiting(connection: Connection, system: System) -> list[tuple[StreamKey, int]]:
    """Receipts that were not sent yet."""
    rows = ask(
        connection,
        "SELECT topic, payload FROM tables_outboxmessage"
        " WHERE system_id = %s AND topic LIKE '%%/receipts' ORDER BY id LIMIT 100000",
        [system.id],
    )
    waiting = []
    for topic, payload in rows:
        receipt = json.loads(bytes(payload))
        if receipt.get("era") == system.era and receipt.get("boot"):
            waiting.append(((topic.split("/")[-2], receipt["boot"]), receipt["committed_seq"]))
    return waiting
