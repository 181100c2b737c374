"""Alarms: raised by any floor, shown on the console, cleared by a person with a note."""

from django.utils import timezone

from tables.models import Alarm, AlarmClearing, JackpotSystem


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
    raised = Alarm(
        kind=kind, subject=subject[:200], message=message, system_id=system_id, count=times
    )
    # Where such an alarm is open, a trigger counts on it, and no row comes.
    Alarm.objects.bulk_create([raised], ignore_conflicts=True)


def clear_alarm(alarm: Alarm, by: str, note: str) -> None:
    """Close an alarm with what was done about it; who comes second changes nothing."""
    cleared = AlarmClearing(alarm=alarm, at=timezone.now(), cleared_by=by, note=note)
    AlarmClearing.objects.bulk_create([cleared], ignore_conflicts=True)
