"""Alarms: raised by any floor, shown on the console, cleared by a person with a note."""

from django.db.models import F
from django.utils import timezone

from tables.models import Alarm, JackpotSystem


def raise_alarm(
    kind: str,
    subject: str,
    message: str,
    system: JackpotSystem | None = None,
    *,
    system_id: int | None = None,
    times: int = 1,
) -> None:
    """Open an alarm, or count `times` more on the open alarm of the same kind and subject."""
    if system is not None:
        system_id = system.pk
    # Two raising at once: the partial unique index lets one row in, both then count on it.
    Alarm.objects.bulk_create(
        [Alarm(kind=kind, subject=subject[:200], message=message, system_id=system_id)],
        ignore_conflicts=True,
    )
    Alarm.objects.filter(kind=kind, subject=subject[:200], cleared_at=None).update(
        count=F("count") + times, last_at=timezone.now(), message=message
    )


def clear_alarm(alarm: Alarm, by: str, note: str) -> None:
    """Close an alarm with what was done about it."""
    Alarm.objects.filter(pk=alarm.pk, cleared_at=None).update(
        cleared_at=timezone.now(), cleared_by=by, cleared_note=note
    )
