"""How far the console holds the events of each boot without a gap.

Held are recorded events, quarantined ones whose seq can be read (unless their MAC is wrong:
then the unit did not say it; or their boot cannot be the unit's), and those declared lost by the
unit or given up by a person.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tables.process.prepared_statements import prepared_cursor
from tables.protocol.decode import NOT_HELD
from tables.protocol.messages import MAX_BOOT, Receipt, Result
from tables.protocol.table_ref import TableRef

StreamKey = tuple[int, int]  # table id, boot

HINT_CHANNEL = "jackpot_inbox"  # whoever sequences events listens here
# A boot so far above the newest is not taken: one event with the last of all would leave a unit
# that lost its memory none for ever. Units restart some times a day.
BOOTS_AHEAD = 10_000

_MISSING = """
    INSERT INTO tables_stream (system_id, table_id, boot, committed_seq, last_seq)
    SELECT wanted.system_id, wanted.table_id, wanted.boot, 0, 0
    FROM unnest(%(systems)s::bigint[], %(tables)s::bigint[], %(boots)s::bigint[])
         AS wanted (system_id, table_id, boot)
    WHERE NOT EXISTS (SELECT FROM tables_stream AS known
                      WHERE (known.system_id, known.table_id, known.boot)
                          = (wanted.system_id, wanted.table_id, wanted.boot))
      AND wanted.boot <= %(ahead)s + coalesce(
          (SELECT max(every.boot) FROM tables_stream AS every
           WHERE (every.system_id, every.table_id) = (wanted.system_id, wanted.table_id)
             AND NOT every.discarded), 0)
    ORDER BY wanted.table_id, wanted.boot
    ON CONFLICT DO NOTHING
"""
_STREAMS = """
    SELECT wanted.table_id, wanted.boot, coalesce(stream.id, 0),
           coalesce(stream.committed_seq, 0), coalesce(stream.last_seq, 0),
           (SELECT coalesce(max(every.boot), 0) FROM tables_stream AS every
            WHERE (every.system_id, every.table_id) = (wanted.system_id, wanted.table_id)
              AND NOT every.discarded),
           coalesce(stream.discarded, false)
    FROM unnest(%(systems)s::bigint[], %(tables)s::bigint[], %(boots)s::bigint[])
         AS wanted (system_id, table_id, boot)
    LEFT JOIN tables_stream AS stream
      ON (stream.system_id, stream.table_id, stream.boot)
       = (wanted.system_id, wanted.table_id, wanted.boot)
"""
_LOCKED = """
    SELECT stream.table_id, stream.boot, stream.id, stream.committed_seq, stream.last_seq,
           (SELECT coalesce(max(every.boot), 0) FROM tables_stream AS every
            WHERE (every.system_id, every.table_id) = (stream.system_id, stream.table_id)
              AND NOT every.discarded),
           stream.discarded
    FROM tables_stream AS stream
    JOIN unnest(%(systems)s::bigint[], %(tables)s::bigint[], %(boots)s::bigint[])
         AS wanted (system_id, table_id, boot)
      ON (stream.system_id, stream.table_id, stream.boot)
       = (wanted.system_id, wanted.table_id, wanted.boot)
    ORDER BY stream.table_id, stream.boot
    FOR UPDATE OF stream
"""
_REACHED = """
    WITH RECURSIVE reached (seq) AS (
        VALUES (%(committed)s::bigint)
        UNION ALL
        SELECT step.seq FROM reached, LATERAL (
            SELECT max(held.seq) FROM (
                SELECT seq FROM tables_tableevent
                WHERE system_id = %(system)s AND table_id = %(table)s AND boot = %(boot)s
                  AND seq = reached.seq + 1
                UNION ALL
                SELECT seq FROM tables_quarantine
                WHERE table_id = %(table)s AND boot = %(boot)s AND seq = reached.seq + 1
                  AND reason <> ALL(%(not_held)s)
                UNION ALL
                SELECT to_seq FROM tables_closedgap
                WHERE table_id = %(table)s AND boot = %(boot)s
                  AND reached.seq + 1 BETWEEN from_seq AND to_seq
            ) AS held (seq)
        ) AS step (seq)
        WHERE step.seq IS NOT NULL
    )
    SELECT max(seq) FROM reached
"""
# With the commit a hint goes out: only a hint, nothing depends on its arrival.
_ADVANCED = f"""
    UPDATE tables_stream AS stream
    SET committed_seq = advanced.committed_seq, last_seq = advanced.last_seq, settled = false
    FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[])
         AS advanced (id, committed_seq, last_seq)
    WHERE stream.id = advanced.id
    RETURNING pg_notify('{HINT_CHANNEL}', '')
"""  # noqa: S608 - of a constant
_WENT_PAST = f"""
    UPDATE tables_stream SET committed_seq = %s WHERE id = %s
    RETURNING pg_notify('{HINT_CHANNEL}', '')
"""  # noqa: S608 - of a constant


@dataclass(slots=True)
class Held:
    """One boot of one unit: what is held of it, and the newest boot of this unit."""

    id: int
    table_ref: TableRef
    boot: int
    committed_seq: int
    last_seq: int
    newest_boot: int
    is_discarded: bool = False  # not the unit's own: nothing new is taken of it

    @property
    def resend_from(self) -> int | None:
        return self.committed_seq + 1 if self.last_seq > self.committed_seq else None


def lock_streams(streams: Iterable[tuple[TableRef, int]]) -> dict[StreamKey, Held]:
    """The streams, made where new, their rows locked until the transaction ends.

    A boot that is new and far above the newest is left out: it cannot be the unit's.
    Two intakes with the same streams lock them, and make what is missing, in the order of table
    and boot. Should one still hold a row that the other had not seen, the database ends the
    deadlock, and the batch is tried again like after any outage.
    """
    table_refs = _by_key(streams)
    held_streams = _lock(table_refs)
    if len(held_streams) < len(table_refs):  # a new boot
        with prepared_cursor() as cursor:
            cursor.execute(_MISSING, {**_columns(table_refs), "ahead": BOOTS_AHEAD})
        held_streams = _lock(table_refs)
    return held_streams


def lock_stream(table_ref: TableRef, boot: int) -> Held | None:
    """One stream, its row locked until the transaction ends; None: nothing was heard of it."""
    return _lock(_by_key([(table_ref, boot)])).get((table_ref.table_id, boot))


def _lock(table_refs: dict[StreamKey, TableRef]) -> dict[StreamKey, Held]:
    if not table_refs:
        return {}
    with prepared_cursor() as cursor:
        cursor.execute(_LOCKED, _columns(table_refs))
        return _held(cursor.fetchall(), table_refs)


def read_streams(streams: Iterable[tuple[TableRef, int]]) -> dict[StreamKey, Held]:
    """The streams as they stand, neither made nor locked; of one that is not there nothing is
    held.
    """
    table_refs = _by_key(streams)
    if not table_refs:
        return {}
    with prepared_cursor() as cursor:
        cursor.execute(_STREAMS, _columns(table_refs))
        return _held(cursor.fetchall(), table_refs)


def _held(
    rows: Iterable[tuple[Any, ...]], table_refs: dict[StreamKey, TableRef]
) -> dict[StreamKey, Held]:
    return {
        (table, boot): Held(id_, table_refs[table, boot], boot, committed, last, newest, discarded)
        for table, boot, id_, committed, last, newest, discarded in rows
    }


def _by_key(streams: Iterable[tuple[TableRef, int]]) -> dict[StreamKey, TableRef]:
    return {(table_ref.table_id, boot): table_ref for table_ref, boot in streams}


def _columns(table_refs: dict[StreamKey, TableRef]) -> dict[str, list[int]]:
    return {
        "systems": [table_ref.system_id for table_ref in table_refs.values()],
        "tables": [table_id for table_id, _ in table_refs],
        "boots": [boot for _, boot in table_refs],
    }


def advance(streams: dict[StreamKey, Held], now_held: dict[StreamKey, set[int]]) -> None:
    """Move the watermarks of locked streams over what this transaction made held."""
    moved = []
    for key, held in streams.items():
        before = held.committed_seq, held.last_seq
        seqs = now_held.get(key, set())
        held.last_seq = max(held.last_seq, *seqs) if seqs else held.last_seq
        while held.committed_seq + 1 in seqs:
            held.committed_seq += 1
        if held.last_seq > held.committed_seq:  # a gap, or more behind what was filled now
            held.committed_seq = _reached(held)
            held.last_seq = max(held.last_seq, held.committed_seq)
        if before != (held.committed_seq, held.last_seq):
            moved.append((held.id, held.committed_seq, held.last_seq))
    if moved:
        with prepared_cursor() as cursor:
            cursor.execute(_ADVANCED, [list(column) for column in zip(*moved, strict=True)])


def go_past(held: Held) -> None:
    """Move the watermark of a locked stream over a gap that was closed.

    It asks for no right to say what was heard last: a gap ends below that.
    """
    held.committed_seq = _reached(held)
    with prepared_cursor() as cursor:
        cursor.execute(_WENT_PAST, [held.committed_seq, held.id])


def _reached(held: Held) -> int:
    with prepared_cursor() as cursor:
        cursor.execute(
            _REACHED,
            {
                "system": held.table_ref.system_id,
                "table": held.table_ref.table_id,
                "boot": held.boot,
                "committed": held.committed_seq,
                "not_held": list(NOT_HELD),
            },
        )
        ((seq,),) = cursor.fetchall()
    return int(seq)


def next_boot(newest: int) -> int:
    """The boot that a unit without memory takes next; the last of all is named for ever."""
    return min(newest + 1, MAX_BOOT)


def receipt(held: Held, results: list[Result] | None = None) -> Receipt:
    """What the console tells the unit of this stream."""
    return Receipt(
        era=held.table_ref.era,
        boot=held.boot,
        committed_seq=held.committed_seq,
        next_boot=next_boot(held.newest_boot),
        resend_from=held.resend_from,
        results=results or [],
    )
