"""Certificates of devices that end soon: somebody must rotate them, or the device falls silent."""

from __future__ import annotations

import datetime as dt

from settlement.devices.credentials import credentials_of
from tables.alarms import raise_alarm
from tables.models_of_devices import DeviceCredential

ALARM = "certificate_ends"
NAMED_BEFORE = dt.timedelta(days=30)


def raise_for_ending(now: dt.datetime) -> None:
    """An alarm for each certificate that holds and ends within 30 days, or did."""
    for each in credentials_of(DeviceCredential.objects.all(), now):
        row = each.credential
        if row.not_after is None or row.not_after > now + NAMED_BEFORE:
            continue
        if not each.holds and each.end != "expired":
            continue
        raise_alarm(
            ALARM,
            row.username,
            f"The certificate of {row.username} ends on {row.not_after:%Y-%m-%d}: rotate it on the"
            " page Devices, and set the device up with the new one.",
            row.table.system if row.table is not None else None,
        )
