"""What the check-up knows and somebody must know before they look at it: as alarms."""

from __future__ import annotations

import datetime as dt

from django.template.defaultfilters import filesizeformat

from settlement.core.words.house_alarms import HouseAlarm
from settlement.people.factors import missing_factors
from tables.alarms import raise_alarm
from tables.process import standby
from tables.process.disks import LOW, rooms

STANDBY_MISSING = "standby_missing"
DISK_FULL = "disk_full"
FACTOR_MISSING = "factor_missing"


def raise_for_standby() -> None:
    """Where commits should be on two disks and are on one. Where they wait for the second, this
    waits as well, and the metric alone tells."""
    if standby.is_missing():
        raise_alarm(STANDBY_MISSING, "PostgreSQL", HouseAlarm.NO_STANDBY.value)


def raise_for_disks() -> None:
    """An alarm for each folder of this process whose disk is full soon."""
    for setting, room in rooms():
        if room.free_part < LOW:
            raise_alarm(
                DISK_FULL,
                setting,
                HouseAlarm.FULL_DISK
                % {"path": room.path, "setting": setting, "size": filesizeformat(room.free)},
            )


def raise_for_factors(now: dt.datetime) -> None:
    """One alarm where people have gone without the second factor of their role for a week."""
    late = missing_factors.late_by_role(now)
    if late:
        roles = ", ".join(f"{name}: {count}" for name, count in sorted(late.items()))
        raise_alarm(
            FACTOR_MISSING,
            "people",
            HouseAlarm.NO_FACTORS % {"roles": roles},
        )
