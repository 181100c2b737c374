"""Informative receipts: the unit learns which number its event got in the order.

They go to the outbox in the posting transaction, so they leave only after its commit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection, transaction

from jackpot.storage.copying import columns
from jackpot.storage.writing import Batch
from jackpot.writer.sequence import StreamKey
from tables.intake import outbox
from tables.intake.boots import redeliveries
from tables.intake.boots.watermark import next_boot
from tables.intake.outbox import Outgoing
from tables.process.prepared_statements import prepared_cursor
from tables.protocol import topics
from tables.protocol.messages import Receipt, Result, encoder


class _Numbered(NamedTuple):
    """An event's own seq, its number in the order, and a claim of its hand."""

    event_seq: int
    seq: int
    hit: int | None


Results = dict[tuple[int, StreamKey], list[_Numbered]]  # by system id and stream

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
    SELECT told.system_id, told.table_id, told.boot, g.code, system.code, system.era,
           s.committed_seq, s.last_seq,
           (SELECT coalesce(max(n.boot), 0) FROM tables_stream n
            WHERE n.system_id = told.system_id AND n.table_id = told.table_id
              AND NOT n.discarded)
    FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS told (system_id, table_id, boot)
    CROSS JOIN LATERAL (
        SELECT s.committed_seq, s.last_seq FROM tables_stream s
        WHERE (s.system_id, s.table_id, s.boot) = (told.system_id, told.table_id, told.boot)
        LIMIT 1
    ) s
    JOIN tables_gamingtable g ON g.id = told.table_id
    JOIN tables_jackpotsystem system ON system.id = told.system_id
"""
# A hand may have a claim for each of several prizes (rule 9): the unit learns of all that stand.
_CLAIMS = """
    SELECT mine.system_id, mine.number,
           array_agg(other.number ORDER BY other.number)
               FILTER (WHERE other.state NOT IN ('withdrawn', 'paired'))
    FROM unnest(%s::bigint[], %s::bigint[]) AS told (system_id, number)
    JOIN jackpot_hit mine ON (mine.system_id, mine.number) = (told.system_id, told.number)
    JOIN jackpot_hit other ON (other.system_id, other.table_id, other.round)
                            = (mine.system_id, mine.table_id, mine.round)
    GROUP BY mine.system_id, mine.number
"""


def announce(batches: Sequence[Batch]) -> None:
    """Tell each unit the numbers of its events, one receipt for each stream."""
    results: Results = {}
    for batch in batches:
        system_id, table_ids = batch.system_id, batch.loaded.table_ids
        for row in batch.rows:
            if row.table is None or row.boot is None or row.event_seq is None:
                continue
            stream = table_ids[row.table], row.boot
            numbers = results.setdefault((system_id, stream), [])
            numbers.append(_Numbered(row.event_seq, row.seq, row.hit))
    _put(results)


@transaction.atomic
def announce_again(system_ids: Sequence[int]) -> int:
    """Tell units the numbers of events that they sent once more; how many had one.

    An event that has no number yet is announced like any other once it gets one.
    """
    repeated = redeliveries.take(system_ids, AT_ONCE)
    if not repeated:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_PLACES, [list(column) for column in zip(*repeated, strict=True)])
        places = cursor.fetchall()
    results: Results = {}
    for system_id, table_id, boot, event_seq, seq, hit in places:
        numbers = results.setdefault((system_id, (table_id, boot)), [])
        numbers.append(_Numbered(event_seq, seq, hit))
    _put(results)
    return len(places)


def _claims(results: Results) -> dict[tuple[int, int], list[int]]:
    """The claims that stand of each hand, by its system and the claim of the entry."""
    hits = {
        (system_id, each.hit)
        for (system_id, _), numbers in results.items()
        for each in numbers
        if each.hit is not None
    }
    if not hits:
        return {}
    with prepared_cursor() as cursor:
        cursor.execute(_CLAIMS, columns([*hits]))
        return {(system_id, hit): claims or [hit] for system_id, hit, claims in cursor.fetchall()}


def _put(results: Results) -> None:
    if not results:
        return
    claims = _claims(results)
    with prepared_cursor() as cursor:
        streams = [(system_id, table_id, boot) for system_id, (table_id, boot) in results]
        cursor.execute(_STREAMS, columns(streams))
        rows = cursor.fetchall()
    outbox.put_all(
        (
            system_id,
            Outgoing(
                topics.receipts(system, table),
                encoder.encode(
                    Receipt(
                        era=era,
                        boot=boot,
                        committed_seq=committed,
                        next_boot=next_boot(newest),
                        resend_from=committed + 1 if last > committed else None,
                        results=[
                            Result(
                                seq=each.event_seq,
                                outcome="sequenced",
                                system_seq=each.seq,
                                hit=claims.get((system_id, each.hit or 0)),
                            )
                            for each in results[system_id, (table_id, boot)]
                        ],
                    )
                ),
            ),
        )
        for system_id, table_id, boot, table, system, era, committed, last, newest in rows
    )
