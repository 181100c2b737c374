"""Sealed keys of units that stay shut: one table's, or all."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import Error, connection

from tables.alarms import FloorAlarm, raise_alarm
from tables.process.sealing_keys import SealingKeyFault
from tables.protocol.table_ref import TableRef

ALARM = "unit_key_shut"


def tell_shut(table_refs: Iterable[TableRef]) -> None:
    """An alarm for each table whose key does not open while others do: somebody changed its row, or
    sealed it with a key that this intake lacks."""
    for ref in sorted(table_refs, key=lambda each: each.table_id):  # in one order: each is locked
        if ref.is_key_shut:
            raise_alarm(
                ALARM,
                f"{ref.system}/{ref.table}",
                FloorAlarm.KEY_SHUT,
                system_id=ref.system_id,
            )


def tell_none_opens(intake: str, fault: SealingKeyFault) -> bool:
    """The alarm of an intake that acknowledges nothing; False where it could not be raised now."""
    try:
        raise_alarm(ALARM, f"intake {intake}", FloorAlarm.KEYS_SHUT % {"fault": fault})
    except Error:
        connection.close()
        return False
    return True
