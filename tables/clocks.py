"""How far the clock of a table unit was off, measured by what it sent around an event.

An event carries the unit's clock, and the console writes down when it came. A message takes time
and never arrives before it was sent: of many, the quickest one tells most of the clock.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection

AROUND = 50  # events before and behind, of the same boot

_MEASURED = """
    SELECT table_id, boot, asked, max(recorded_at) FILTER (WHERE seq = asked), count(*),
           min(delay), percentile_disc(0.5) WITHIN GROUP (ORDER BY delay), max(set_back)
    FROM (
        SELECT k.table_id, k.boot, k.seq AS asked, e.seq, e.recorded_at,
               e.received_at - e.recorded_at AS delay,
               greatest(interval '0', lag(e.recorded_at) OVER around - e.recorded_at) AS set_back
        FROM unnest(%(tables)s::bigint[], %(boots)s::bigint[], %(seqs)s::bigint[])
            AS k (table_id, boot, seq)
        JOIN tables_tableevent e ON e.table_id = k.table_id AND e.boot = k.boot
            AND e.seq BETWEEN k.seq - %(around)s AND k.seq + %(around)s
        WHERE e.system_id = %(system)s
        WINDOW around AS (PARTITION BY k.table_id, k.boot, k.seq ORDER BY e.seq)
    ) AS compared GROUP BY table_id, boot, asked
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


def clock_errors(system_id: int, events: Iterable[EventKey]) -> dict[EventKey, ClockError]:
    """The error of each unit's clock around these events. One query."""
    keys = list(events)
    with connection.cursor() as cursor:
        cursor.execute(
            _MEASURED,
            {
                "tables": [table for table, _, _ in keys],
                "boots": [boot for _, boot, _ in keys],
                "seqs": [seq for _, _, seq in keys],
                "around": AROUND,
                "system": system_id,
            },
        )
        return {
            (table, boot, seq): ClockError(at, quickest, usual - quickest + set_back, events)
            for table, boot, seq, at, events, quickest, usual, set_back in cursor.fetchall()
        }
