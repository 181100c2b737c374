"""Informative receipts: the unit is told which number its event got in the order.

They go to the outbox in the posting transaction, so they leave only after its commit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import connection, transaction

from jackpot.sequence import StreamKey
from jackpot.writing import Row
from tables import outbox, repeats, topics
from tables.messages import Receipt, Result, encoder
from tables.outbox import Outgoing
from tables.prepared import prepared_cursor
from tables.watermark import next_boot

Results = dict[StreamKey, list[Result]]

AT_ONCE = 500

_PLACES = """
    SELECT e.system_id, v.table_id, v.boot, v.seq, e.seq, e.hit
    FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
         AS again (system_id, table_id, boot, seq)
    JOIN tables_tableevent v ON (v.system_id, v.table_id, v.boot, v.seq)
                              = (again.system_id, again.table_id, again.boot, again.seq)
    JOIN jackpot_entry e ON e.event_id = v.id
    ORDER BY e.system_id, e.seq
"""
# Stream by stream, whatever a planner thinks of tables that it has not counted yet.
_STREAMS = """
    SELECT told.table_id, told.boot, g.code, system.code, system.era, s.committed_seq, s.last_seq,
           (SELECT max(n.boot) FROM tables_stream n
            WHERE n.system_id = %(system)s AND n.table_id = told.table_id)
    FROM unnest(%(tables)s::bigint[], %(boots)s::bigint[]) AS told (table_id, boot)
    CROSS JOIN LATERAL (
        SELECT s.committed_seq, s.last_seq FROM tables_stream s
        WHERE (s.system_id, s.table_id, s.boot) = (%(system)s, told.table_id, told.boot) LIMIT 1
    ) s
    JOIN tables_gamingtable g ON g.id = told.table_id
    JOIN tables_jackpotsystem system ON system.id = %(system)s
"""


def announce(system_id: int, rows: Sequence[Row], table_ids: Mapping[str, int]) -> None:
    """Tell each unit the numbers of its events, one receipt for each stream; ids by table code."""
    results: Results = {}
    for row in rows:
        if row.table is None or row.boot is None or row.event_seq is None:
            continue
        told = results.setdefault((table_ids[row.table], row.boot), [])
        told.append(_sequenced(row.event_seq, row.seq, row.hit))
    _put(system_id, results)


@transaction.atomic
def announce_again(system_ids: Sequence[int]) -> int:
    """Tell units the numbers of events that they sent once more; how many had one.

    An event that has no number yet is announced like any other once it gets one.
    """
    repeated = repeats.take(system_ids, AT_ONCE)
    if not repeated:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_PLACES, [list(column) for column in zip(*repeated, strict=True)])
        places = cursor.fetchall()
    of_system: dict[int, Results] = {}
    for system_id, table_id, boot, event_seq, seq, hit in places:
        results = of_system.setdefault(system_id, {})
        results.setdefault((table_id, boot), []).append(_sequenced(event_seq, seq, hit))
    for system_id, results in of_system.items():
        _put(system_id, results)
    return len(places)


def _sequenced(event_seq: int, system_seq: int, hit: int | None) -> Result:
    hits = [hit] if hit is not None else None
    return Result(seq=event_seq, outcome="sequenced", system_seq=system_seq, hit=hits)


def _put(system_id: int, results: Results) -> None:
    if not results:
        return
    tables, boots = zip(*results, strict=True)
    with prepared_cursor() as cursor:
        names = {"system": system_id, "tables": list(tables), "boots": list(boots)}
        cursor.execute(_STREAMS, names)
        streams = cursor.fetchall()
    told = [
        Outgoing(
            topics.receipts(system, table),
            encoder.encode(
                Receipt(
                    era=era,
                    boot=boot,
                    committed_seq=committed,
                    next_boot=next_boot(newest),
                    resend_from=committed + 1 if last > committed else None,
                    results=results[table_id, boot],
                )
            ),
        )
        for table_id, boot, table, system, era, committed, last, newest in streams
    ]
    outbox.put_all(system_id, told)
