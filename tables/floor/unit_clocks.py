"""How far the clock of a table unit was off, measured by what it sent around an event.

An event carries the unit's clock, and the console writes down when it came. A message takes time
and never arrives before it was sent: of many, the quickest one tells most of the clock.

A clock that was set meanwhile, from 1970 to today when the unit found the time, tells two times.
Events whose clock differs by more than any message can have waited are measured by
themselves; and where an event alone tells such a time, it was recorded between its neighbours.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Any, NamedTuple

from django.db import connection

from tables.intake.presence import SILENT_AFTER_S
from tables.models import GamingTable

AROUND = 50  # events before and behind, of the same boot
FEWEST = 10  # events that a clock is measured by
# So long units keep what they cannot send: a larger distance is a clock's doing.
LONGEST_WAIT = dt.timedelta(days=7)
OFF = dt.timedelta(minutes=2)  # from here on a wrong clock is named

_AROUND = """
    SELECT k.table_id, k.boot, k.seq, e.seq, e.recorded_at, e.received_at
    FROM unnest(%(tables)s::bigint[], %(boots)s::bigint[], %(seqs)s::bigint[])
        AS k (table_id, boot, seq)
    JOIN tables_tableevent e ON e.table_id = k.table_id AND e.boot = k.boot
        AND e.seq BETWEEN k.seq - %(around)s AND k.seq + %(around)s
    WHERE e.system_id = %(system)s ORDER BY 1, 2, 3, 4
"""
# What the unit says of itself every ten seconds, and what it recorded last. An event may have
# waited, so it tells no clock that is slow by less than that.
_WRONG = """
    SELECT g.id, presence.said_at - presence.heard_at, newest.recorded_at - newest.received_at
    FROM tables_gamingtable g
    LEFT JOIN tables_unitpresence presence ON presence.table_id = g.id AND presence.online
          AND presence.heard_at >= %(heard)s
    LEFT JOIN LATERAL (
        SELECT e.recorded_at, e.received_at FROM tables_stream s
        CROSS JOIN LATERAL (
            SELECT e.recorded_at, e.received_at FROM tables_tableevent e
            WHERE e.system_id = s.system_id AND e.table_id = s.table_id AND e.boot = s.boot
            ORDER BY e.seq DESC LIMIT 1
        ) e
        WHERE s.system_id = g.system_id AND s.table_id = g.id AND NOT s.discarded
        ORDER BY s.boot DESC LIMIT 1
    ) newest ON true
    WHERE g.in_service AND (
        presence.said_at - presence.heard_at NOT BETWEEN -%(off)s::interval AND %(off)s
        OR newest.recorded_at - newest.received_at NOT BETWEEN -%(waits)s::interval AND %(off)s)
"""

EventKey = tuple[int, int, int]  # id of the table, boot, seq


@dataclass(frozen=True, slots=True)
class ClockError:
    """`behind`: what the unit's clock lacks to the console's (below zero: it runs ahead), if the
    quickest message took no time. `spread`: how much slower the usual one was, and how far the
    clock was set back meanwhile, as a measure of how sure that is. `events`: how many were
    compared.
    """

    recorded_at: dt.datetime  # the event itself, by the unit's clock
    behind: dt.timedelta
    spread: dt.timedelta
    events: int

    @property
    def corrected(self) -> dt.datetime:
        """When the event was recorded, as the console's clock would have said it."""
        return self.recorded_at + self.behind


class _ClockSample(NamedTuple):
    """One event around that which is asked for, in the unit's own order."""

    seq: int
    recorded_at: dt.datetime
    received_at: dt.datetime

    @property
    def delay(self) -> dt.timedelta:
        return self.received_at - self.recorded_at


def clock_errors(system_id: int, events: Iterable[EventKey]) -> dict[EventKey, ClockError]:
    """The error of each unit's clock around these events. One query."""
    keys = list(events)
    around: dict[EventKey, list[_ClockSample]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(
            _AROUND,
            {
                "tables": [table for table, _, _ in keys],
                "boots": [boot for _, boot, _ in keys],
                "seqs": [seq for _, _, seq in keys],
                "around": AROUND,
                "system": system_id,
            },
        )
        for table, boot, seq, *heard in cursor.fetchall():
            around[table, boot, seq].append(_ClockSample(*heard))
    return {key: _error(key[2], heard) for key, heard in around.items()}


def _error(seq: int, around: Sequence[_ClockSample]) -> ClockError:
    own = next(event for event in around if event.seq == seq)
    like_it = _of_one_clock(around, own.delay)
    usual = _of_one_clock(around, median_low(event.delay for event in around))
    if len(like_it) < FEWEST <= len(usual) and own not in usual:
        return _between(own, usual)
    return ClockError(own.recorded_at, *_measured(like_it))


def _of_one_clock(around: Sequence[_ClockSample], delay: dt.timedelta) -> list[_ClockSample]:
    """The events that one clock tells: no more between them than messages wait."""
    return [event for event in around if abs(event.delay - delay) <= LONGEST_WAIT]


def _measured(events: Sequence[_ClockSample]) -> tuple[dt.timedelta, dt.timedelta, int]:
    delays = [event.delay for event in events]
    quickest = min(delays)
    backwards = (
        before.recorded_at - after.recorded_at for before, after in itertools.pairwise(events)
    )
    set_back = max(max(backwards, default=dt.timedelta()), dt.timedelta())
    return quickest, median_low(delays) - quickest + set_back, len(events)


def _between(own: _ClockSample, others: Sequence[_ClockSample]) -> ClockError:
    """The event's own clock is out of all reason: it was recorded behind those before it, and
    before those behind it and before it came."""
    behind, spread, count = _measured(others)
    earlier = [event.recorded_at + behind for event in others if event.seq < own.seq]
    later = [event.recorded_at + behind for event in others if event.seq > own.seq]
    last = min([own.received_at, *later])
    first = min(max(earlier, default=last), last)
    spread += (last - first) / 2
    middle = first + (last - first) / 2
    return ClockError(own.recorded_at, middle - own.recorded_at, spread, count)


def wrong_clocks(now: dt.datetime) -> list[tuple[GamingTable, dt.timedelta]]:
    """Tables in service, of those that whoever asks may see, whose unit's clock is wrong at
    present, and by how much (below zero: it is slow); by what the unit says of itself, or else by
    what it recorded last."""
    with connection.cursor() as cursor:
        names: dict[str, Any] = {"off": OFF, "waits": LONGEST_WAIT}
        names["heard"] = now - dt.timedelta(seconds=SILENT_AFTER_S)
        cursor.execute(_WRONG, names)
        rows = cursor.fetchall()
    tables = GamingTable.objects.select_related("system").in_bulk([id_ for id_, *_ in rows])
    errors = []
    for id_, by_word, by_event in rows:
        off = by_word if by_word is not None and abs(by_word) > OFF else by_event
        if id_ in tables:
            errors.append((tables[id_], off))
    return sorted(errors, key=lambda each: (each[0].system.name, len(each[0].code), each[0].code))
