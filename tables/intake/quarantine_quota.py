"""How much of a unit's unusable input a day keeps: so many bytes, so many rows, then only counts.

Messages of one day (UTC), of one unit; conflicts are counted for themselves. Behind the bytes a
message is kept as its size and SHA-256; behind the rows it is counted, and its SHA-256 goes into
one running digest: whoever has the messages can still show that these came.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable

from tables.models import QuarantineDay

BYTES_A_DAY = 32 * 1024 * 1024  # of a unit; as many of its conflicts
ROWS_A_DAY = 10_000  # likewise

UNKNOWN_UNITS = 0  # they share one day
DayKey = tuple[int, bool]  # id of the table, whether for conflicts


def of(units: Iterable[tuple[int | None, bool]], now: dt.datetime) -> dict[DayKey, QuarantineDay]:
    """The days of these units, made where new, their rows locked until the transaction ends."""
    day = now.astimezone(dt.UTC).date()
    keys = sorted({(unit or UNKNOWN_UNITS, conflicts) for unit, conflicts in units})
    new_rows = [QuarantineDay(unit=unit, conflicts=conflicts, day=day) for unit, conflicts in keys]
    QuarantineDay.objects.bulk_create(new_rows, ignore_conflicts=True)
    days = QuarantineDay.objects.select_for_update().filter(
        day=day, unit__in={unit for unit, _ in keys}
    )
    rows = {(row.unit, row.conflicts): row for row in days.order_by("unit", "conflicts")}
    return {key: rows[key] for key in keys}


def has_room(day: QuarantineDay) -> bool:
    """Whether one more message of this day gets a row."""
    return day.rows < ROWS_A_DAY


def kept_of(day: QuarantineDay, body: bytes) -> bytes:
    """What is kept of a message that gets a row: its bytes, or none once the day has enough."""
    day.rows += 1
    if day.kept_bytes + len(body) > BYTES_A_DAY:
        return b""
    day.kept_bytes += len(body)
    return body


def drop(day: QuarantineDay, sha256: bytes) -> None:
    """Count a message of which no row is kept."""
    day.dropped += 1
    day.digest = hashlib.sha256(bytes(day.digest) + sha256).digest()


def save(days: Iterable[QuarantineDay]) -> None:
    """Write down what was counted."""
    QuarantineDay.objects.bulk_update(days, ["rows", "kept_bytes", "dropped", "digest"])
