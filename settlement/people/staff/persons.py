"""People of the house: their roles, locking, leaving, log-ins, and what they leave open.

A function of the database does each, for an administrator who is there; it writes it down.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import Group
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from settlement.core.errors import BadSetUp
from settlement.core.input import clean_text
from settlement.models import (
    AccessToken,
    Finding,
    Program,
    Proposal,
    ReportSchedule,
    RoleChange,
    SetUpProposal,
    StaffPlay,
)
from settlement.models.access import ConsoleSession
from settlement.people.rights.permissions import name_of, require
from settlement.people.rights.roles import ROLE_NAMES, ROLES
from settlement.people.shared.database_calls import ask
from settlement.people.shared.security_log import people_seen
from tables.models import Casino
from tables.visibility.scope import visible_casinos

MAY = "administer_people"
LAST_YEAR = 2999  # of a role's last day: one follows it
_PROVIDER = "the log-in provider"  # by whom, as `follow_groups` writes it down


@dataclass(frozen=True)
class RoleHeld:
    """A role somebody has; `casino` None: in every casino."""

    role: str
    role_id: int
    casino: Casino | None
    until: dt.datetime | None
    is_off: bool = False  # its group at the log-in provider is missing

    @property
    def label(self) -> str:
        return ROLE_NAMES.get(self.role, self.role)

    @property
    def last_day(self) -> dt.date | None:
        return last_day(self.until, self.casino)


@dataclass(frozen=True)
class PersonRow:
    """A person as the list shows them."""

    person: Any
    roles: tuple[RoleHeld, ...]
    log_ins: int

    @property
    def name(self) -> str:
        return name_of(self.person)


def first_casino() -> Casino | None:
    """In whose zone the days of roles of every casino are; for a list it is looked up once."""
    return Casino.objects.order_by("pk").first()


def last_day(until: dt.datetime | None, casino: Casino | None) -> dt.date | None:
    """The last day on which a role holds, in the zone of its casino, or of the first one."""
    if until is None:
        return None
    casino = casino or first_casino()
    zone = ZoneInfo(casino.timezone if casino else "UTC")
    return (until - dt.timedelta(microseconds=1)).astimezone(zone).date()


def end_of(day: dt.date, casino: Casino | None) -> dt.datetime:
    """The end of a role's last day, as `last_day` reads it."""
    casino = casino or first_casino()
    zone = ZoneInfo(casino.timezone if casino else "UTC")
    return dt.datetime.combine(day + dt.timedelta(days=1), dt.time(), zone)


def people() -> list[PersonRow]:
    """Everybody of the casinos that are seen, by log-in, with what roles they have now."""
    return rows_of(people_seen().filter(program=None))


def rows_of(query: Iterable[Any]) -> list[PersonRow]:
    """These people, with what roles they have now."""
    persons = list(query)
    held = roles_of(each.pk for each in persons)
    sessions: dict[int, int] = {}
    rows = ConsoleSession.objects.filter(
        person__in=[each.pk for each in persons], expire_date__gt=timezone.now()
    )
    for person in rows.values_list("person", flat=True):
        sessions[person] = sessions.get(person, 0) + 1
    return [PersonRow(each, held.get(each.pk, ()), sessions.get(each.pk, 0)) for each in persons]


def person_of(username: str) -> Any | None:
    """A person of the casinos that are seen."""
    return people_seen().filter(username=username, program=None).first()


def roles_of(persons: Iterable[int]) -> dict[int, tuple[RoleHeld, ...]]:
    """What roles each has now, by id; of who is locked, those that come back with the log-in."""
    newest: dict[tuple[int, int, int | None], RoleChange] = {}
    for change in _changes(persons):
        newest[change.person_id, change.role_id, change.casino_id] = change  # type: ignore[index]
    held: dict[int, tuple[RoleHeld, ...]] = {}
    now = timezone.now()
    for (person, role, _casino), change in sorted(
        newest.items(), key=lambda item: (item[0][0], str(item[1].role))
    ):
        if change.granted and (change.until is None or change.until > now):
            one = RoleHeld(str(change.role), role, change.casino, change.until)
            held[person] = (*held.get(person, ()), one)
    return held


def switched_off(person: Any) -> tuple[RoleHeld, ...]:
    """Roles that the log-in provider took with their group: they come back with it."""
    off: dict[tuple[int | None, int | None], RoleHeld] = {}
    before: dict[tuple[int | None, int | None], RoleChange] = {}
    for change in _changes([person.pk]):
        key = (change.role_id, change.casino_id)
        last = before.get(key)
        off.pop(key, None)
        if not change.granted and change.by == _PROVIDER and last is not None and last.granted:
            until = last.until
            if until is None or until > timezone.now():
                off[key] = RoleHeld(
                    str(change.role), change.role_id or 0, change.casino, until, is_off=True
                )
        before[key] = change
    return tuple(off.values())


def _changes(persons: Iterable[int]) -> QuerySet[RoleChange]:
    """Of their roles, as far as they are seen, the oldest first."""
    changes = RoleChange.objects.filter(person__in=list(persons), role__isnull=False)
    casinos = visible_casinos()
    if casinos is not None:
        changes = changes.filter(casino__in=casinos)
    return changes.select_related("role", "casino").order_by("id")


def give_role(
    by: Any, person: Any, role: str, casino: Casino | None, until: dt.datetime | None = None
) -> bool:
    """Whether the role is given at once; otherwise it waits for a second person."""
    require(by, MAY)
    if role not in ROLES:
        raise BadSetUp(_("Choose a role."))
    if until is not None and until <= timezone.now():
        raise BadSetUp(_("The role must end later than now."))
    body = {
        "person": person.pk,
        "role": Group.objects.get(name=role).pk,
        "until": until.isoformat() if until else None,
    }
    casino_id = casino.pk if casino else None
    return ask("propose_set_up", by.pk, "give_role", casino_id, json.dumps(body)) is None


def rename(by: Any, person: Any, first_name: str, last_name: str) -> None:
    """Another name; the change is written down with the one before."""
    require(by, MAY)
    last_name = clean_text(last_name, 150)
    if not last_name:
        raise BadSetUp(_("Enter the name."))
    ask("rename_person", by.pk, person.pk, clean_text(first_name, 150), last_name)


def propose_mail(by: Any, person: Any, email: str) -> bool:
    """Whether the mail address is changed at once; otherwise it waits for a second person, for
    links for a forgotten password go there. The address before is told."""
    require(by, MAY)
    if email.casefold() == person.email.casefold():
        raise BadSetUp(_("This is the mail address already."))
    return ask("propose_mail", by.pk, person.pk, email) is None


def take_role(by: Any, person: Any, role_id: int, casino: int | None) -> None:
    """Take a role away, now."""
    ask("take_role", by.pk, person.pk, role_id, casino)


def lock(by: Any, person: Any) -> None:
    """Nobody logs in as this person, and every log-in and access token of theirs ends."""
    ask("lock_person", by.pk, person.pk, True)


def unlock(by: Any, person: Any) -> bool:
    """The person may log in again, with the roles and the password from before.

    Whether at once; what who locked or invited them asks waits for a second person.
    """
    return bool(ask("lock_person", by.pk, person.pk, False))


def leave(by: Any, person: Any) -> None:
    """The person leaves: roles, log-ins and access tokens end now."""
    ask("person_leaves", by.pk, person.pk)


def end_log_ins(by: Any, person: Any, session: str | None = None) -> int:
    """How many log-ins were ended: the one named, or all."""
    return int(ask("end_log_ins", by.pk, person.pk, session))


def open_work(person: Any) -> list[str]:
    """What somebody else must take over when this person leaves, in words.

    To what a person proposed who may not any more nobody agrees: somebody else proposes it again.
    """
    schedules = ReportSchedule.objects.filter(person=person, ended_at=None).count()
    proposals = Proposal.objects.filter(person=person, decision=None).count()
    set_up = SetUpProposal.objects.filter(person=person, decision=None).count()
    plays = StaffPlay.objects.filter(person=person, until=None, end=None).count()
    tokens = AccessToken.objects.filter(
        person=person, revoked_at=None, expires_at__gt=timezone.now()
    ).count()
    programs = Program.objects.filter(owner=person, person__is_active=True).count()
    findings = _findings_of(person)
    counted = (
        (proposals, ngettext("%(n)s open proposal", "%(n)s open proposals", proposals)),
        (set_up, ngettext("%(n)s open set-up proposal", "%(n)s open set-up proposals", set_up)),
        (findings, ngettext("%(n)s finding to explain", "%(n)s findings to explain", findings)),
        (schedules, ngettext("%(n)s scheduled report", "%(n)s scheduled reports", schedules)),
        (tokens, ngettext("%(n)s access token", "%(n)s access tokens", tokens)),
        (programs, ngettext("%(n)s program", "%(n)s programs", programs)),
        (plays, ngettext("recorded at %(n)s table", "recorded at %(n)s tables", plays)),
    )
    return [words % {"n": count} for count, words in counted if count]


def _findings_of(person: Any) -> int:
    """Findings that this person took last and nobody signed off."""
    count = 0
    for finding in Finding.objects.filter(steps__person=person).distinct():
        last = finding.steps.order_by("-id").first()
        count += last is not None and last.person_id == person.pk and last.kind != "sign"
    return count


def end_roles_past_their_time() -> int:
    """Write down the end of roles whose time is over: the worker's task."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT end_roles_past_their_time()")
        return int(cursor.fetchone()[0])
