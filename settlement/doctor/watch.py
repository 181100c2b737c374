"""What the check-up knows and somebody must know before they look at it: as alarms."""

from __future__ import annotations

import datetime as dt

from django.template.defaultfilters import filesizeformat

from settlement.people import missing_factors
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
        raise_alarm(
            STANDBY_MISSING,
            "PostgreSQL",
            "The database has no standby: what is committed is on one disk. See `patronictl list`,"
            " and bring the other machine back.",
        )


def raise_for_disks() -> None:
    """An alarm for each folder of this process whose disk is full soon."""
    for setting, room in rooms():
        if room.free_part < LOW:
            raise_alarm(
                DISK_FULL,
                setting,
                f"The disk of {room.path} ({setting}) has only {filesizeformat(room.free)} left:"
                " make room there.",
            )


def raise_for_factors(now: dt.datetime) -> None:
    """One alarm where people have gone without the second factor of their role for a week."""
    late = missing_factors.late_by_role(now)
    if late:
        roles = ", ".join(f"{name}: {count}" for name, count in sorted(late.items()))
        raise_alarm(
            FACTOR_MISSING,
            "people",
            f"Without the second factor that their role needs, for a week and more: {roles}. They"
            " add one at their next log-in; ask them to, or lock who has left.",
        )
