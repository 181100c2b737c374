"""Which gaming days and months of a system are closed, and closing the next by two people.

A close is a proposal, an agreement and a command: an entry of the order with the balance of every
account at the end of the day. Days are closed one after the other from the system's first on, a
month after its last day.
"""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.models import Command, Entry
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.closing import checklist
from settlement.closing.checklist import TITLES, Check, CheckState, OpenPoint
from settlement.core import guards
from settlement.core.errors import NotPermitted, WrongState
from settlement.core.gaming_day import DAY, Month, day_of, running_day, start_of, today
from settlement.core.sequence_at import first_entries, transfers_through
from settlement.models import Proposal, ProposalDecision
from settlement.people.rights.permissions import Reauthenticated, may, names_of, require
from tables.alarms import clear_alarm
from tables.models import Alarm, JackpotSystem

KINDS = (Proposal.Kind.CLOSE_DAY, Proposal.Kind.CLOSE_MONTH)
ALARMS = ("unclosed_day", "unclosed_month")


@dataclass(frozen=True, slots=True)
class Figures:
    """Balances in micros by account after transfer `through_transfer`, the last of `through_seq`
    or before it."""

    through_seq: int
    through_transfer: int
    figures: dict[str, int]

    @property
    def body(self) -> dict[str, Any]:
        return {
            "through_seq": self.through_seq,
            "through_transfer": self.through_transfer,
            "figures": self.figures,
        }


class PeriodState(StrEnum):
    """Where the close of a gaming day or a month stands."""

    RUNNING = "running"
    LATER = "later"  # it is over, but the one before is open, or a day of the month
    DUE = "due"  # it is over, and all before it is closed
    PROPOSED = "proposed"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Period:
    """A gaming day or a month of a system and where it stands."""

    system: JackpotSystem
    name: str  # 2026-11-21, or 2026-11
    last: dt.date  # its last day, the day itself
    state: PeriodState
    entry: Entry | None = None
    proposal: Proposal | None = None
    closed_by: tuple[str, str] | None = None  # the names of who proposed its close and who agreed

    @property
    def is_month(self) -> bool:
        return len(self.name) == 7

    @property
    def kind(self) -> str:
        return KINDS[self.is_month]

    @property
    def alarm(self) -> str:
        """The kind of the alarm that it is open too long."""
        return ALARMS[self.is_month]


def first_day(system: JackpotSystem) -> dt.date | None:
    """The gaming day of the first entry; None before there is one."""
    first_at = Entry.objects.filter(system=system, seq=1).values_list("at", flat=True).first()
    return None if first_at is None else day_of(first_at, system.casino)


def closes(system: JackpotSystem) -> dict[str, Entry]:
    """The entries that closed a day or month, by its name."""
    rows = Entry.objects.filter(system=system, type__in=["close_day", "close_month"])
    rows = rows.exclude(outcome__has_key="refused")
    return {row.outcome.get("day") or row.outcome["month"]: row for row in rows.order_by("seq")}


def days(system: JackpotSystem, month: Month) -> list[Period]:
    """The gaming days of a month that have begun, the newest first."""
    first, now = first_day(system), today(system.casino)
    if first is None:
        return []
    names = [day for day in month.days() if first <= day <= now]
    return _periods(system, [(str(day), day) for day in reversed(names)])


def months(system: JackpotSystem) -> list[Period]:
    """All months from the first day on, the newest first."""
    first = first_day(system)
    if first is None:
        return []
    month, names = Month.of(today(system.casino)), []
    while month.last >= first:
        names.append((str(month), month.last))
        month = month.previous
    return _periods(system, names)


def period(system: JackpotSystem, name: str) -> Period | None:
    """A day or month by its name; None where there is none that has begun."""
    try:
        month = Month.parse(name[:7])
        day = dt.date.fromisoformat(name) if len(name) != 7 else None
    except ValueError:
        return None
    first, now = first_day(system), today(system.casino)
    last = day or month.last
    if first is None or last < first or (day or month.first) > now:
        return None
    return _periods(system, [(name, last)])[0]


def next_due(system: JackpotSystem) -> Period | None:
    """The oldest day that is over and not closed; whether it is proposed is not looked up.

    The worker asks, which does not read who proposed.
    """
    oldest = _oldest_open(system, closes(system))
    if oldest is None or oldest[0] >= running_day(system.casino):
        return None
    return Period(system, str(oldest[0]), oldest[0], PeriodState.DUE)


def next_due_month(system: JackpotSystem) -> Period | None:
    """The oldest month that is not closed while all of its days are; as `next_due`."""
    oldest = _oldest_open(system, closes(system))
    if oldest is None or oldest[0] <= oldest[1].last:
        return None
    return Period(system, str(oldest[1]), oldest[1].last, PeriodState.DUE)


def late(system: JackpotSystem, hours: float) -> list[Period]:
    """The day and the month that are due and still open so many hours after their end."""
    since = timezone.now() - dt.timedelta(hours=hours)
    due = next_due(system), next_due_month(system)
    return [each for each in due if each and start_of(each.last + DAY, system.casino) < since]


def figures(system: JackpotSystem, last: dt.date) -> Figures:
    """Every account at the end of that gaming day."""
    seq = first_entries(system.pk, [start_of(last + DAY, system.casino)])[0] - 1
    transfer = transfers_through([(system.pk, seq)])[0]
    with connection.cursor() as cursor:
        cursor.execute("SELECT figures_through(%s, %s)", [system.pk, transfer])
        (balances,) = cursor.fetchone()
    return Figures(seq, transfer, json.loads(balances) if isinstance(balances, str) else balances)


def closing_figures(subject: Period) -> dict[str, int]:
    """Balances in micros by account: of a closed day or month those that its entry closed it with,
    of a proposed one those proposed, else those at its end; empty while it runs."""
    if subject.state == PeriodState.RUNNING:
        return {}
    if subject.entry is not None:
        close = Command.objects.get(system=subject.system, number=subject.entry.command or 0)
        return dict(close.body["figures"])
    if subject.proposal is not None:
        return dict(subject.proposal.body["figures"])
    return figures(subject.system, subject.last).figures


def checks(subject: Period) -> list[Check]:
    """What is looked at before a day or month is closed that is over."""
    if subject.state in (PeriodState.CLOSED, PeriodState.RUNNING):
        return []
    if subject.is_month or subject.state == PeriodState.LATER:
        return [Check("days" if subject.is_month else "earlier", _before(subject))]
    return checklist.checks(subject.system, subject.last)


def open_points(subject: Period) -> list[OpenPoint]:
    """What keeps a day or month that is over from being closed."""
    return [point for check in checks(subject) for point in check.points]


def propose(subject: Period, user: Any, key: uuid.UUID | None = None) -> Proposal:
    """Propose to close a day or month with its figures; WrongState says what keeps it open."""
    system = subject.system
    require(user, proposals.PERMISSIONS[subject.kind][0], system)
    if key is not None and Proposal.objects.filter(key=key).exists():
        return Proposal.objects.get(key=key)
    _judge(subject)
    if subject.proposal is not None:
        raise WrongState(_("This is proposed already: approve it, or withdraw it first."))
    name = {"month" if subject.is_month else "day": subject.name}
    body = {**name, **figures(system, subject.last).body}
    return proposals.propose(system, subject.kind, subject.name, body, user, key)


def agree(proposal: Proposal, person: Reauthenticated) -> commands.Answer:
    """A second person agrees; what was found since keeps the day open. The checklist as it stands
    now is the note of the agreement."""

    def judge() -> str:
        subject = period(proposal.system, proposal.subject)
        return _in_short(_judge(subject)) if subject is not None else ""

    answer = proposals.agree(proposal, person, judge)
    alarms = Alarm.objects.filter(kind__in=ALARMS, subject=alarm_subject(proposal), cleared_at=None)
    if may(person.user, "clear_alarm", proposal.system):
        # The day is closed: a role that is taken at this moment leaves the alarm to somebody else.
        with suppress(NotPermitted), guards.in_words():
            for alarm in alarms:
                clear_alarm(alarm, person.user.get_username(), "Closed.")
    return answer


def alarm_subject(of: Proposal | Period) -> str:
    """What an alarm for an unclosed day or month is about."""
    name = of.subject if isinstance(of, Proposal) else of.name
    return f"{of.system.code} {name}"


def kept_checks(subject: Period) -> list[Check]:
    """The checklist as it stood when the second person agreed; empty: none was kept."""
    if subject.entry is None:
        return []
    note = ProposalDecision.objects.filter(
        proposal__system=subject.system, command=subject.entry.command, agreed=True
    ).values_list("note", flat=True)
    states = [each.partition("=") for each in (note.first() or "").split()]
    return [
        Check(code, is_kept=state != CheckState.NOT_KEPT)
        for code, _is, state in states
        if code in TITLES
    ]


def _in_short(looked_at: list[Check]) -> str:
    """A checklist in which nothing is open: `queues=done drop=not_kept`."""
    return " ".join(f"{each.code}={each.state}" for each in looked_at)


def _judge(subject: Period) -> list[Check]:
    """The checklist, in which nothing is open; else WrongState."""
    if subject.state == PeriodState.CLOSED:
        raise WrongState(_("%(name)s is closed already.") % {"name": subject.name})
    if subject.state == PeriodState.RUNNING:
        raise WrongState(_("%(name)s is not over yet.") % {"name": subject.name})
    looked_at = checks(subject)
    open_now = [point for check in looked_at for point in check.points]
    if open_now:
        raise WrongState(
            _("%(name)s cannot be closed yet: %(points)s")
            % {"name": subject.name, "points": " ".join(point.text for point in open_now)}
        )
    return looked_at


def _before(subject: Period) -> tuple[OpenPoint, ...]:
    """What has to be closed first: the oldest day that is open, or the oldest month."""
    oldest = _oldest_open(subject.system, closes(subject.system))
    if oldest is None:
        return ()
    day, month = oldest
    if not subject.is_month or day <= subject.last:
        name = str(day)
    elif month.last < subject.last:
        name = str(month)
    else:
        return ()
    text = _("%(day)s has to be closed first.") % {"day": name}
    who = _("Casino manager or compliance")
    return (OpenPoint(text, who, "closing-day", (subject.system.code, name)),)


def _oldest_open(
    system: JackpotSystem, closed: Mapping[str, Entry]
) -> tuple[dt.date, Month] | None:
    """The first day and the first month that are not closed, over or not; None before there is
    an entry."""
    day = first_day(system)
    if day is None:
        return None
    month = Month.of(day)
    while str(day) in closed:
        day += DAY
    while str(month) in closed:
        month = month.next
    return day, month


def _periods(system: JackpotSystem, names: list[tuple[str, dt.date]]) -> list[Period]:
    closed, now = closes(system), running_day(system.casino)
    waiting = {
        each.subject: each
        for each in proposals.open_proposals().filter(system=system, kind__in=KINDS)
    }
    day, month = _oldest_open(system, closed) or (now, Month.of(now))
    due = {str(day), str(month) if month.last < day else ""}
    people = _closed_by(system, [closed[name] for name, _last in names if name in closed])
    periods = []
    for name, last in names:
        entry = closed.get(name)
        if entry is not None:
            state = PeriodState.CLOSED
        elif last >= now:
            state = PeriodState.RUNNING
        elif name in waiting:
            state = PeriodState.PROPOSED
        elif name in due:
            state = PeriodState.DUE
        else:
            state = PeriodState.LATER
        by = None if entry is None else people.get(entry.command or 0)
        periods.append(Period(system, name, last, state, entry, waiting.get(name), by))
    return periods


def _closed_by(system: JackpotSystem, entries: Sequence[Entry]) -> dict[int, tuple[str, str]]:
    """The names of the two people behind each of these closes, by the number of its command."""
    if not entries:
        return {}
    numbers = [entry.command or 0 for entry in entries]
    rows = list(Command.objects.filter(system=system, number__in=numbers))
    names = names_of({login for row in rows for login in (row.first, row.second or "")})
    return {row.number: (names[row.first], names[row.second or ""]) for row in rows}
