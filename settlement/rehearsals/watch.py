"""Rounds in a rehearsal that passed, at a casino that is open: a unit was left at the twin of its
table, and a jackpot there would be none."""

from __future__ import annotations

from jackpot.models import Entry
from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import SetUpChange
from settlement.set_up.rehearsal_steps import Rehearsal, rehearsals
from tables.alarms import raise_alarm
from tables.models import Alarm, Casino, JackpotSystem
from tables.visibility.rehearsals import REHEARSAL

ALARM = "rehearsal_played"


def raise_for_played() -> None:
    """An alarm of the real system for each of them, and again for what comes after a clearing."""
    if not JackpotSystem.objects.rehearsals().exists():
        return
    for each in rehearsals(Casino.objects.all()):
        if each.is_passed:
            _look(each)


def _look(rehearsal: Rehearsal) -> None:
    system = rehearsal.system
    opened = SetUpChange.objects.filter(kind="casino", casino=system.casino, what="opened").first()
    if opened is None:
        return
    alarm = Alarm.objects.filter(kind=ALARM, subject=system.code).order_by("-last_at").first()
    since = max(opened.at, alarm.last_at) if alarm is not None else opened.at
    rounds = Entry.objects.filter(system=system, type="round_started", seq__gt=rehearsal.proven)
    newest = rounds.filter(at__gt=since).select_related("table").order_by("-seq").first()
    if newest is None:
        return
    table = newest.table.name if newest.table is not None else system.name
    raise_alarm(
        ALARM,
        system.code,
        HouseAlarm.REHEARSAL_PLAY % {"table": table, "system": system.code},
        _real(system),
    )


def _real(system: JackpotSystem) -> JackpotSystem | None:
    """The one whose twin it is, else the first of its casino."""
    rows = JackpotSystem.objects.for_money().filter(casino=system.casino)
    code = system.code.removeprefix(REHEARSAL)
    return rows.filter(code=code).first() or rows.order_by("pk").first()
