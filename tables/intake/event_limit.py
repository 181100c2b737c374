"""How many events of one unit are taken in: far above play, so that a wild unit starves nobody.

A table has room for `BURST_MINUTES` times UNIT_EVENTS_PER_MINUTE events at once, more than a unit
journals in days of outage, and gets the minute's number back in each minute. What is beyond is
neither recorded nor answered: its unit keeps it and sends it again, ever more rarely, as it does
with whatever a broker lost (docs/protocol.md, What a unit does). From the first event that was
held back a table's events are taken in without a gap, so that its order stays its unit's.

An intake counts by itself, after the MAC was checked and as its transaction is committed: forged
messages take no room, and neither does a batch that is tried again.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.conf import settings
from django.db import transaction

from tables import metrics
from tables.alarms import FloorAlarm, raise_alarm
from tables.protocol.decode import Decoded, Refused
from tables.protocol.table_ref import TableRef

ALARM = "event_limit"
BURST_MINUTES = 50


@dataclass(frozen=True, slots=True)
class _Room:
    """What a table may still send, since when, and the boot and seq first held back."""

    events: float
    at: float
    resumes_at: tuple[int, int] | None = None


class EventLimit:
    """The room of each table, as one intake counts it."""

    def __init__(self) -> None:
        self._rooms: dict[int, _Room] = {}

    def within(self, batch: Sequence[Decoded | Refused]) -> Sequence[Decoded | Refused]:
        """The batch without the events that are beyond their tables' room, with an alarm for each
        such table. In a transaction, with whose commit the room is taken."""
        per_minute = settings.UNIT_EVENTS_PER_MINUTE
        counts = Counter(item.table_ref.table_id for item in batch if isinstance(item, Decoded))
        if not per_minute or not counts:
            return batch
        rooms = {table: self._room(table, per_minute) for table in counts}
        full = {
            table
            for table, room in rooms.items()
            if room.resumes_at is not None or room.events < counts[table]
        }
        for table in counts.keys() - full:
            rooms[table] = replace(rooms[table], events=rooms[table].events - counts[table])
        if full:
            batch = _held_to(batch, full, rooms)
        transaction.on_commit(partial(self._rooms.update, rooms), robust=True)
        return batch

    def _room(self, table: int, per_minute: int) -> _Room:
        """As of now; with a minute's room again its events come as they will."""
        now, most = time.monotonic(), per_minute * BURST_MINUTES
        room = self._rooms.get(table)
        if room is None:
            return _Room(most, now)
        events = min(most, room.events + (now - room.at) * per_minute / 60)
        return _Room(events, now, None if events >= min(most, per_minute) else room.resumes_at)


def _held_to(
    batch: Sequence[Decoded | Refused], full: set[int], rooms: dict[int, _Room]
) -> list[Decoded | Refused]:
    within: list[Decoded | Refused] = []
    beyond: Counter[TableRef] = Counter()
    for item in batch:
        if not isinstance(item, Decoded) or item.table_ref.table_id not in full:
            within.append(item)
            continue
        table, place = item.table_ref.table_id, (item.event.boot, item.event.seq)
        room = rooms[table]
        is_next = (
            room.resumes_at is None or place[0] != room.resumes_at[0] or place <= room.resumes_at
        )
        if room.events >= 1 and is_next:
            within.append(item)
            resumes_at = (place[0], place[1] + 1) if place == room.resumes_at else room.resumes_at
            rooms[table] = replace(room, events=room.events - 1, resumes_at=resumes_at)
        else:
            beyond[item.table_ref] += 1
            if room.resumes_at is None or place[0] > room.resumes_at[0]:
                rooms[table] = replace(room, resumes_at=place)
    _raise_alarms(beyond)
    return within


def _raise_alarms(beyond: Counter[TableRef]) -> None:
    for table_ref, times in sorted(beyond.items(), key=lambda item: item[0].table_id):
        raise_alarm(
            ALARM,
            f"{table_ref.system}/{table_ref.table}",
            FloorAlarm.EVENTS % {"most": settings.UNIT_EVENTS_PER_MINUTE},
            system_id=table_ref.system_id,
            times=times,
        )
    if beyond:
        count = metrics.TAKEN_IN.labels("held_back").inc
        transaction.on_commit(partial(count, beyond.total()), robust=True)
