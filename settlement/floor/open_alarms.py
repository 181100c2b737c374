"""Open alarms by their kind: a wave of one kind is one line, and hides no other.

When a switch of the network fails, all screens behind it are silent at once. Somebody looks once,
acts once, and clears all of them with one note.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, F, Max, Window
from django.db.models.functions import RowNumber

from settlement.core.words.alarm_words import alarm_in_words
from settlement.core.words.labels import ALARMS, plain
from settlement.people.rights.roles import CLEARS, held
from tables.alarms import clear_alarms
from tables.models import Alarm

SINGLY = 3  # so many of one kind have a line each
NAMES = 12  # of a wave


@dataclass(frozen=True)
class RaisedAlarm:
    """An alarm as pages show it."""

    row: Alarm

    @property
    def words(self) -> str:
        return ALARMS.get(self.row.kind, plain(self.row.kind))

    @cached_property
    def says(self) -> str:
        """What it says, in the language of now."""
        return alarm_in_words(self.row.message)

    @property
    def tone(self) -> str:
        """Named as a state that people know: bad input waits, money and order do not."""
        return "missing" if self.row.kind.startswith("quarantine") else "out_of_balance"

    @property
    def table(self) -> str:
        """The table whose messages are in quarantine, as that page's filter names it."""
        if self.row.kind not in ("quarantine", "quarantine_limit", "identity_conflict"):
            return ""
        return "unknown" if self.row.subject == "unknown unit" else self.row.subject


@dataclass(frozen=True)
class AlarmKind:
    """The open alarms of one kind, the newest first: as many as were asked for, and the count of
    all."""

    alarms: list[RaisedAlarm]
    count: int

    @property
    def newest(self) -> RaisedAlarm:
        return self.alarms[0]

    @property
    def is_wave(self) -> bool:
        """Whether they share a line."""
        return self.count > SINGLY

    @property
    def names(self) -> list[str]:
        """What the newest are about."""
        return [alarm.row.subject for alarm in self.alarms[:NAMES]]

    @property
    def unnamed(self) -> int:
        return self.count - len(self.names)

    @property
    def unlisted(self) -> int:
        """How many there are besides `alarms`."""
        return self.count - len(self.alarms)


def open_kinds(most: int) -> list[AlarmKind]:
    """The open alarms, the kind with the newest first; at most so many of each. One query."""
    of_kind: dict[str, Any] = {"partition_by": F("kind")}
    rows = (
        Alarm.objects.filter(cleared_at=None)
        .select_related("system__casino")
        .annotate(
            place=Window(RowNumber(), order_by=[F("last_at").desc(), F("pk").desc()], **of_kind),
            of_kind=Window(Count("pk"), **of_kind),
            kind_at=Window(Max("last_at"), **of_kind),
        )
        .filter(place__lte=most)
        .order_by("-kind_at", "kind", "place")
    )
    kinds: dict[str, AlarmKind] = {}
    for row in rows:
        kind = kinds.setdefault(row.kind, AlarmKind([], row.of_kind))
        kind.alarms.append(RaisedAlarm(row))
    return list(kinds.values())


def may_clear(person: Any, alarm: Alarm) -> bool:
    """As the database asks: in the casino of its system; of no system, in every casino."""
    if alarm.system is None:
        return held(person).may_everywhere(CLEARS)
    return held(person).may(CLEARS, alarm.system.casino_id)


def clear_kind(person: Any, kind: str, note: str, through: dt.datetime) -> tuple[int, int]:
    """Clear the open alarms of a kind that this person may clear; how many those were, and how many
    are for others.

    `through`: when the newest was raised that the person saw. What came since stays, an alarm that
    was raised again as well.
    """
    alarms = Alarm.objects.filter(kind=kind, cleared_at=None, last_at__lte=through)
    rows = list(alarms.select_related("system"))
    permitted = [alarm for alarm in rows if may_clear(person, alarm)]
    clear_alarms(permitted, person.get_username(), note)
    return len(permitted), len(rows) - len(permitted)
