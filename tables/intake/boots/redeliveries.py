"""Events that came again: notes from intake to whoever gives events their place.

A unit that missed a receipt sends its event once more. Intake answers that it is a duplicate; its
place in the order is known further up, where nobody here may look. So a note is left, and the
floor above takes it and says the place again.

Not everything that arrives a second time was said a second time. The broker delivers again what it
holds no acknowledgement of, and marks that. And where two intakes listen, each hears its own copy
of every event: one is recorded, the other is a duplicate. Which intake recorded an event stands at
it. What another one recorded was said again for certain only where the own copy has come before: so
it is with all that was recorded when an own heartbeat left that came back since, as the broker
delivers in one order (decision 0140).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection

from tables.intake.boots.watermark import HINT_CHANNEL
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
_NEWEST = "SELECT coalesce(max(id), 0) FROM tables_tableevent"


class Redelivery(NamedTuple):
    """The identity of an event that came again."""

    system_id: int
    table_id: int
    boot: int
    seq: int


@dataclass(frozen=True, slots=True)
class Hearer:
    """Who hears: the name of an intake, and through which event of the inbox, by its id, it has had
    its own copies."""

    intake: str = ""
    heard_through: int = 0


class Recorded(NamedTuple):
    """An event as the inbox has it."""

    body: bytes
    id: int
    intake: str  # that recorded it


def newest_event() -> int:
    """The id of the newest event of the inbox."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST)
        return int(cursor.fetchone()[0])


def note(duplicates: Iterable[tuple[Decoded, Recorded]], hearer: Hearer) -> None:
    """Leave a note for each event that its unit said again, and count it at its unit."""
    redeliveries = [
        Redelivery(one.table_ref.system_id, one.table_ref.table_id, one.event.boot, one.event.seq)
        for one, recorded in duplicates
        if _is_said_again(one, recorded, hearer)
    ]
    if redeliveries:
        with connection.cursor() as cursor:
            cursor.execute(_NOTE, [list(column) for column in zip(*redeliveries, strict=True)])
            cursor.execute(_COUNT, [[each.table_id for each in redeliveries]])


def _is_said_again(duplicate: Decoded, recorded: Recorded, hearer: Hearer) -> bool:
    if duplicate.message.redelivered:
        return False
    is_own = recorded.intake in ("", hearer.intake)
    return is_own or recorded.id <= hearer.heard_through


def take(system_ids: Sequence[int], limit: int) -> list[Redelivery]:
    """The oldest notes of these systems, at most `limit`, gone when the transaction commits."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [list(system_ids), limit])
        return [Redelivery(*row) for row in cursor.fetchall()]
