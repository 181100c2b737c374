"""Events that came again: notes from intake to whoever gives events their place.

A unit that missed a receipt sends its event once more. Intake answers that it is a duplicate; its
place in the order is known further up, where nobody here may look. So a note is left, and the
floor above takes it and says the place again.

However soon it came: with two intakes one of them hears every event as a repeat, but so does a
unit send again whose line broke with the receipts in it, and here nobody can distinguish the two.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db import connection

from tables.intake.watermark import HINT_CHANNEL
from tables.protocol.decode import Decoded

_NOTE = f"""
    INSERT INTO tables_repeatedevent (system_id, table_id, boot, seq)
    SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
         AS again (system_id, table_id, boot, seq)
    ORDER BY table_id, boot, seq
    ON CONFLICT DO NOTHING
    RETURNING pg_notify('{HINT_CHANNEL}', '')
"""  # noqa: S608 - of a constant
_COUNT = """
    UPDATE tables_unitpresence AS presence SET resent = resent + again.times
    FROM (SELECT table_id, count(*) AS times FROM unnest(%s::bigint[]) AS again (table_id)
          GROUP BY table_id) AS again
    WHERE presence.table_id = again.table_id
"""
# Two takers do not wait for each other.
_TAKE = """
    DELETE FROM tables_repeatedevent WHERE id IN (
        SELECT id FROM tables_repeatedevent WHERE system_id = ANY(%s)
        ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED)
    RETURNING system_id, table_id, boot, seq
"""


class Redelivery(NamedTuple):
    """The identity of an event that came again."""

    system_id: int
    table_id: int
    boot: int
    seq: int


def note(duplicates: Iterable[Decoded]) -> None:
    """Leave a note for each event that was recorded before, and count it at its unit."""
    redeliveries = [
        Redelivery(one.table_ref.system_id, one.table_ref.table_id, one.event.boot, one.event.seq)
        for one in duplicates
    ]
    if redeliveries:
        with connection.cursor() as cursor:
            cursor.execute(_NOTE, [list(column) for column in zip(*redeliveries, strict=True)])
            cursor.execute(_COUNT, [[each.table_id for each in redeliveries]])


def take(system_ids: Sequence[int], limit: int) -> list[Redelivery]:
    """The oldest notes of these systems, at most `limit`, gone when the transaction commits."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [list(system_ids), limit])
        return [Redelivery(*row) for row in cursor.fetchall()]
