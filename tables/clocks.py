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
    SELECT e.table_id, e.boot, k.seq, count(*), min(e.received_at - e.recorded_at),
           percentile_disc(0.5) WITHIN GROUP (ORDER BY e.received_at - e.recorded_at)
    FROM unnest(%(tables)s::bigint[], %(boots)s::bigint[], %(seqs)s::bigint[])
        AS k (table_id, boot, seq)
    JOIN tables_tableevent e ON e.table_id = k.table_id AND e.boot = k.boot
        AND e.seq BETWEEN k.seq - %(around)s AND k.seq + %(around)s
    WHERE e.system_id = %(system)s GROUP BY e.table_id, e.boot, k.seq
"""

EventKey = tuple[int, int, int]  # id of the table, boot, seq


@dataclass(frozen=True, slots=True)
class ClockError:
    """`behind`: what the unit's clock lacks to the console's (below zero: it runs ahead), if the
    quickest message took no time. `spread`: how much slower the usual one was, as a measure of
    how sure that is. `events`: how many were compared.
    """

    behind: dt.timedelta
    spread: dt.timedelta
    events: int

    def on_the_console(self, recorded_at: dt.datetime) -> dt.datetime:
        """An instant of the unit's clock, as the console's would have said it."""
        return recorded_at + self.behind


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
            (table, boot, seq): ClockError(quickest, usual - quickest, events)
            for table, boot, seq, events, quickest, usual in cursor.fetchall()
        }
