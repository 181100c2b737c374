"""What units say of themselves, and which tables are silent."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from tables.intake.boots.watermark import read_streams, receipt
from tables.models import GamingTable, UnitPresence
from tables.protocol.messages import Presence, Receipt
from tables.protocol.table_ref import TableRef

SILENT_AFTER_S = 30.0  # three presences missed


@dataclass(frozen=True, slots=True)
class PresenceReport:
    """A presence or a last will, and whether the broker said it from memory."""

    table_ref: TableRef
    presence: Presence
    retained: bool = False


def record(
    presence_messages: Sequence[PresenceReport], now: dt.datetime
) -> list[tuple[TableRef, Receipt]]:
    """Keep the last word of each unit; the receipts that answer those who are online."""
    if not presence_messages:
        return []
    tables = sorted({item.table_ref.table_id for item in presence_messages})
    rows = {
        row.table_id: row
        for row in UnitPresence.objects.select_for_update()
        .filter(table_id__in=tables)
        .order_by("table_id")
    }
    online: dict[int, PresenceReport] = {}
    for item in presence_messages:
        table_id = item.table_ref.table_id
        row = rows.setdefault(table_id, UnitPresence(table_id=table_id, heard_at=now))
        if item.presence.state == "online":
            online[table_id] = item
        _hear(row, item, now)
    UnitPresence.objects.bulk_create(
        [
            UnitPresence(**{name: getattr(rows[table], name) for name in _FIELDS})
            for table in tables
        ],
        update_conflicts=True,
        unique_fields=["table"],
        update_fields=[name for name in _FIELDS if name != "table_id"],
    )
    return _answers(list(online.values()))


_FIELDS = ("table_id", "online", "boot", "connection", "last_seq", "said_at", "heard_at")


def _hear(row: UnitPresence, message: PresenceReport, now: dt.datetime) -> None:
    """Fold one presence or will into what is known of its unit."""
    presence = message.presence
    this, stored = (presence.boot, presence.connection), (row.boot, row.connection)
    if presence.state == "offline":
        # The will of a connection that the unit has replaced comes late and means nothing. A
        # unit without memory (boot 0) stands below all its past, so there only equal counts.
        if this == stored or (row.boot > 0 and this > stored):
            row.online = False
            row.boot, row.connection = this
            row.heard_at = now
        return
    if message.retained and row.pk is not None and this == stored:
        return  # heard when it was said; the broker's memory is no sign of life
    row.online = True
    row.boot, row.connection = this
    row.last_seq = presence.last_seq or 0
    row.said_at = presence.at
    row.heard_at = now


def _answers(online: Sequence[PresenceReport]) -> list[tuple[TableRef, Receipt]]:
    """The watermark again, a resend where a unit has more, a boot for one without memory."""
    streams = read_streams((item.table_ref, item.presence.boot) for item in online)
    answers = []
    for item in online:
        table_ref, presence = item.table_ref, item.presence
        held = streams[table_ref.table_id, presence.boot]
        if presence.boot:
            held.last_seq = max(held.last_seq, presence.last_seq or 0)
        answers.append((table_ref, receipt(held)))
    return answers


def is_heard(presence: UnitPresence, now: dt.datetime) -> bool:
    """Whether the unit is online and said so recently."""
    return presence.online and now - presence.heard_at <= dt.timedelta(seconds=SILENT_AFTER_S)


def silent_tables(now: dt.datetime) -> list[GamingTable]:
    """Tables in service whose unit is offline, or has said nothing for 30 s."""
    since = now - dt.timedelta(seconds=SILENT_AFTER_S)
    heard = Q(presence__online=True, presence__heard_at__gte=since)
    return list(GamingTable.objects.filter(in_service=True).exclude(heard).select_related("system"))
