"""Alarms: raised by any floor, shown on the console, cleared by a person with a note.

What an alarm says is stored in English. Each floor keeps the patterns of its alarms in one place,
so that pages can say the same in the language of who reads them (decision 151).
"""

from collections.abc import Iterable
from enum import StrEnum

from django.utils import timezone

from rules.phrases import Phrase
from tables.models import Alarm, AlarmClearing, JackpotSystem


class FloorAlarm(StrEnum):
    """What alarms of this floor say, as patterns."""

    QUARANTINED = Phrase("A message was quarantined (%(code)s): %(explanation)s")
    FLOOD = Phrase(
        "More than %(most)s unusable messages in a minute, or %(a_day)s in a day; what is beyond is"
        " counted here and not kept. Check the unit. The last: %(explanation)s"
    )
    READINGS = Phrase(
        "More than %(most)s readings of displays in a minute; what is beyond is counted here and"
        " not kept. Check the displays of this table."
    )
    EVENTS = Phrase(
        "The unit sends more than %(most)s events a minute, and its reserve is used up; what is"
        " beyond is counted here, and recorded when the unit sends it again. Stop play at this"
        " table and have its unit repaired or exchanged: its journal keeps every event."
    )
    KEY_SHUT = Phrase(
        "The key of this table's unit does not open: UNIT_KEYS_KEY of the intake lacks the key that"
        " sealed it, or its row was changed. What the unit sends is quarantined as wrong_mac; it"
        " keeps all of it. Put the missing key behind the present one, or issue the unit another"
        " key."
    )
    KEYS_SHUT = Phrase(
        "This intake opens no key of a unit, so it acknowledges nothing; units keep their events"
        " and send them again. %(fault)s"
    )
    RESTORED = Phrase(
        "%(system)s was restored from a backup (%(by)s: %(reason)s). Units send again what they"
        " kept; what people did since is gone. It knew last: %(last)s. Compare with slips and"
        " notes, repeat what is missing, pay nobody twice."
    )


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
    clear_alarms([alarm], by, note)


def clear_alarms(alarms: Iterable[Alarm], by: str, note: str) -> None:
    """Close several with one note, each as `clear_alarm` does."""
    at = timezone.now()
    cleared = [AlarmClearing(alarm=alarm, at=at, cleared_by=by, note=note) for alarm in alarms]
    AlarmClearing.objects.bulk_create(cleared, ignore_conflicts=True)
