"""Certificates of devices that end soon: somebody must rotate them, or the device falls silent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from settlement.core.words.house_alarms import HouseAlarm
from settlement.devices.credentials import Standing, credentials_of
from tables.alarms import raise_alarm
from tables.models import DeviceCredential

ALARM = "certificate_ends"
NAMED_BEFORE = dt.timedelta(days=30)
_NEVER = dt.datetime.max.replace(tzinfo=dt.UTC)


def ending(standings: Sequence[Standing], now: dt.datetime) -> list[DeviceCredential]:
    """Those with a certificate that holds and ends within 30 days, or that ended while its device
    has nothing else to log in with."""
    holding = {_device_key(each.credential) for each in standings if each.holds}
    return [
        each.credential
        for each in standings
        if (each.credential.not_after or _NEVER) <= now + NAMED_BEFORE
        and (each.holds or (each.end == "expired" and _device_key(each.credential) not in holding))
        and (each.credential.table is None or each.credential.table.moved_to_id is None)
    ]


def raise_for_ending(now: dt.datetime) -> None:
    """An alarm for each of them."""
    for row in ending(credentials_of(DeviceCredential.objects.all(), now), now):
        raise_alarm(
            ALARM,
            row.username,
            HouseAlarm.CERTIFICATE % {"device": row.username, "day": f"{row.not_after:%Y-%m-%d}"},
            row.table.system if row.table is not None else None,
        )


def _device_key(row: DeviceCredential) -> tuple[str, int | None, str]:
    return row.kind, row.table_id, row.name
