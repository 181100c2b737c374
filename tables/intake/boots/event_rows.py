"""The rows of recorded events: how the inbox writes them, and what stands there."""

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db import connection

from tables.intake.boots import out_of_order
from tables.intake.boots.redeliveries import Recorded
from tables.process.prepared_statements import is_in_pipeline, prepared_cursor
from tables.protocol.decode import Decoded

Identity = tuple[int, int, int]  # table id, boot, seq

_COLUMNS = {
    "system_id": "bigint",
    "table_id": "bigint",
    "boot": "bigint",
    "seq": "bigint",
    "type": "text",
    "round": "bigint",
    "test": "boolean",
    "recorded_at": "timestamptz",
    "received_at": "timestamptz",
    "body": "bytea",
    "intake": "text",
}
# Up to so many, an INSERT in a pipeline is faster than COPY, which no pipeline takes.
MOST_IN_A_PIPELINE = 10
_NAMES = ", ".join(_COLUMNS)
_COPY = f"COPY tables_tableevent ({_NAMES}) FROM STDIN (FORMAT BINARY)"
_INSERT = f"""
    INSERT INTO tables_tableevent ({_NAMES})
    SELECT * FROM unnest({", ".join(f"%s::{kind}[]" for kind in _COLUMNS.values())})
"""  # noqa: S608 - of constants
_INSERT_MISSING = f"""
    {_INSERT} ON CONFLICT DO NOTHING RETURNING id, system_id, table_id, boot, seq
"""
_PRESENT = """
    SELECT event.table_id, event.boot, event.seq, event.body, event.id, event.intake
    FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
         AS asked (system_id, table_id, boot, seq)
    JOIN tables_tableevent AS event
      ON (event.system_id, event.table_id, event.boot, event.seq)
       = (asked.system_id, asked.table_id, asked.boot, asked.seq)
"""
_COPY_IN = f"{_INSERT} RETURNING table_id, boot, seq, id"


class Arrival(NamedTuple):
    """When a batch came, and to which intake."""

    at: dt.datetime
    intake: str


def identity_of(decoded: Decoded) -> Identity:
    return decoded.table_ref.table_id, decoded.event.boot, decoded.event.seq


def insert_new(events: Iterable[Decoded], arrival: Arrival) -> None:
    """Write events of which none is there."""
    rows = [_row(decoded, arrival) for decoded in events]
    with prepared_cursor() as cursor:
        if is_in_pipeline():
            cursor.execute(_INSERT, [list(column) for column in zip(*rows, strict=True)])
            return
        with cursor.copy(_COPY) as copy:
            copy.set_types(list(_COLUMNS.values()))
            for row in rows:
                copy.write_row(row)


def insert_missing(
    events: Iterable[Decoded], behind: set[Identity], arrival: Arrival
) -> set[Identity]:
    """Write the events that are not there yet, with notes of those that come behind later ones;
    the identities of those written.
    """
    columns = zip(*(_row(decoded, arrival) for decoded in events), strict=True)
    with connection.cursor() as cursor:
        cursor.execute(_INSERT_MISSING, [list(column) for column in columns])
        rows = cursor.fetchall()
    out_of_order.note([row for row in rows if row[2:] in behind])
    return {row[2:] for row in rows}


def stored(events: Sequence[Decoded]) -> dict[Identity, Recorded]:
    """What stands under the identities of events that were not new."""
    if not events:
        return {}
    keys = [(e.table_ref.system_id, *identity_of(e)) for e in events]
    with connection.cursor() as cursor:
        cursor.execute(_PRESENT, [list(column) for column in zip(*keys, strict=True)])
        return {
            (table, boot, seq): Recorded(bytes(body), *rest)
            for table, boot, seq, body, *rest in cursor.fetchall()
        }


def copy_in(rows: Sequence[tuple[object, ...]]) -> dict[Identity, int]:
    """Keep events as another database recorded them (a replay); their ids here.

    A row has the columns of `_COLUMNS` with this database's ids of system and table.
    """
    if not rows:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_COPY_IN, [list(column) for column in zip(*rows, strict=True)])
        return {(table, boot, seq): id_ for table, boot, seq, id_ in cursor.fetchall()}


def _row(decoded: Decoded, arrival: Arrival) -> tuple[object, ...]:
    event, table_ref = decoded.event, decoded.table_ref
    return (
        table_ref.system_id,
        table_ref.table_id,
        event.boot,
        event.seq,
        event.type,
        getattr(event, "round", None),
        event.test,
        event.recorded_at,
        arrival.at,
        decoded.body,
        arrival.intake,
    )
