"""What the displays at the tables show, read back (19.8).

A display reads back every ten seconds. One gone mad must not fill the disk: of one table at most
`ROWS_A_MINUTE` readings a minute are kept, what is beyond is only counted in an alarm.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Count

from tables.alarms import FloorAlarm, raise_alarm
from tables.models import DisplayReading
from tables.protocol.messages import Reading
from tables.protocol.table_ref import TableRef

ROWS_A_MINUTE = 120


def record(readings: Sequence[tuple[TableRef, Reading]], now: dt.datetime) -> None:
    """Append the readings; the same reading delivered twice is evidence twice, and harmless."""
    if not readings:
        return
    room = _room({table_ref.table_id for table_ref, _ in readings}, now)
    rows: list[DisplayReading] = []
    beyond: dict[TableRef, int] = defaultdict(int)
    for table_ref, reading in readings:
        if room[table_ref.table_id] <= 0:
            beyond[table_ref] += 1
            continue
        room[table_ref.table_id] -= 1
        rows.append(_row(table_ref, reading, now))
    DisplayReading.objects.bulk_create(rows)
    for table_ref, times in sorted(beyond.items(), key=lambda item: item[0].table_id):
        raise_alarm(
            "reading_limit",
            f"{table_ref.system}/{table_ref.table}",
            FloorAlarm.READINGS % {"most": ROWS_A_MINUTE},
            system_id=table_ref.system_id,
            times=times,
        )


def _room(tables: set[int], now: dt.datetime) -> dict[int, int]:
    """How many more readings each table may have this minute."""
    room = dict.fromkeys(tables, ROWS_A_MINUTE)
    since = now - dt.timedelta(minutes=1)
    recent = DisplayReading.objects.filter(table_id__in=tables, received_at__gt=since)
    for table_id, count in recent.values_list("table_id").annotate(count=Count("id")):
        room[table_id] -= count
    return room


def _row(table_ref: TableRef, reading: Reading, now: dt.datetime) -> DisplayReading:
    return DisplayReading(
        table_id=table_ref.table_id,
        display=reading.display,
        said_at=reading.at,
        received_at=now,
        system_seq=reading.system_seq,
        terms=reading.terms,
        shown={each.tier: each.value for each in reading.shown},
    )
