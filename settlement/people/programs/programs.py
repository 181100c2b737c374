"""Programs that are nobody's: a name that logs in nowhere, for which a person answers.

Whoever administers people makes one, and a second person agrees as for anybody who is let in. Its
tokens are issued by who administers it, within its scopes and systems. It decides and proposes
nothing: what takes two people takes two people.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core import guards
from settlement.core.errors import BadSetUp, NotPermitted, WrongState
from settlement.core.input import required_text
from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import AccessToken, Program
from settlement.models.access import PROGRAM_SCOPES
from settlement.people.programs import tokens
from settlement.people.rights.permissions import Reauthenticated, name_of, require
from settlement.people.rights.roles import held
from settlement.people.rights.scopes import LABELS
from settlement.people.shared.database_calls import ask
from settlement.people.shared.security_log import people_seen
from settlement.people.staff import persons
from tables.alarms import raise_alarm
from tables.models import Casino, JackpotSystem
from tables.visibility.scope import only

MAY = "administer_people"
MOST_OVERLAP_H = 168
ENDING, UNOWNED = "program_token_ends", "program_without_owner"  # alarms
_NAMED_BEFORE = dt.timedelta(days=14)


@dataclass(frozen=True)
class NewProgram:
    """`systems` None: all of the casino; `casino` None: every casino."""

    username: str
    name: str
    purpose: str
    owner: Any
    scopes: tuple[str, ...]
    casino: Casino | None = None
    systems: tuple[JackpotSystem, ...] | None = None


def programs() -> QuerySet[Program]:
    """Those of the casinos that are seen, those that hold first."""
    rows = Program.objects.select_related("person", "owner", "casino")
    rows = rows.defer("person__password", "owner__password")
    return rows.order_by("-person__is_active", "person__username")


def add(by: Any, new: NewProgram) -> Program:
    """Make one; it may do nothing before a second person has agreed, where anybody could."""
    require(by, MAY)
    if not new.scopes or not set(new.scopes) <= set(PROGRAM_SCOPES):
        raise BadSetUp(_("Choose what the program may do."))
    facts = {
        "name": required_text(new.name, _("Enter a name for the program.")),
        "purpose": required_text(new.purpose, _("Enter what the program is for.")),
        "owner": new.owner.pk,
        "scopes": sorted(new.scopes),
        "systems": None if new.systems is None else sorted(each.pk for each in new.systems),
    }
    casino = new.casino.pk if new.casino is not None else None
    program_id = ask("add_program", by.pk, new.username, casino, json.dumps(facts))
    return Program.objects.get(pk=program_id)


def may_act(program: Program) -> bool:
    """Whether it was agreed to, and was not ended."""
    return bool(held(program.person).names)


def issue(by: Reauthenticated, program: Program, name: str, days: int) -> tuple[AccessToken, str]:
    """A token of it and the secret itself, which is shown here and never again."""
    require(by.user, MAY)
    if not may_act(program):
        raise WrongState(_("The program has ended, or waits for a second person."))
    if tokens.open_tokens(program.person).count() >= tokens.MOST_OPEN:
        raise WrongState(_("The program has %(most)s tokens already.") % {"most": tokens.MOST_OPEN})
    stranger = _("You do not administer this program.")
    ended = _("The program has ended, or waits for a second person.")
    with guards.in_words(
        (
            ("permission: ", NotPermitted, stranger),
            ("own: ", NotPermitted, stranger),
            ("token: ", WrongState, ended),
        )
    ):
        return tokens.make(
            by,
            days,
            person=program.person,
            name=name,
            scopes=program.scopes,
            systems=program.systems,
            issued_by=by.user,
        )


@transaction.atomic
def rotate(
    by: Reauthenticated, token: AccessToken, days: int, overlap_h: int
) -> tuple[AccessToken, str]:
    """A token in the place of another one, which holds for so many hours more."""
    if not 0 <= overlap_h <= MOST_OVERLAP_H:
        raise BadSetUp(_("Enter 0 to %(most)s hours.") % {"most": MOST_OVERLAP_H})
    if not tokens.open_tokens(token.person).filter(pk=token.pk).exists():
        raise WrongState(_("That token has ended already."))
    fresh = issue(by, Program.objects.get(pk=token.person_id), token.name, days)
    if overlap_h == 0:
        tokens.end_of_another(by.user, token)
    else:
        last = timezone.now() + dt.timedelta(hours=overlap_h)
        token.expires_at = min(token.expires_at, last)
        token.save(update_fields=["expires_at"])
    return fresh


def end(by: Any, program: Program) -> None:
    """It ends for good, with all its tokens, now."""
    require(by, MAY)
    persons.leave(by, program.person)


def put_owner(by: Any, program: Program, owner: Any) -> None:
    """Another person answers for it."""
    require(by, MAY)
    ask("put_program_owner", by.pk, program.pk, owner.pk)


def owners() -> QuerySet[Any]:
    """Who can answer for one: every person who may log in, of those that are seen."""
    return people_seen().filter(program=None, is_active=True)


def scope_words(program: Program) -> list[str]:
    """What its tokens may do."""
    return [LABELS[scope] for scope in program.scopes if scope in LABELS]


def systems_of(program: Program) -> list[JackpotSystem] | None:
    """Where; None: in all of its casino."""
    if program.systems is None:
        return None
    return list(JackpotSystem.objects.filter(pk__in=program.systems).order_by("name"))


def in_words(person: Any) -> str:
    """What somebody agrees to with the role."""
    program = Program.objects.select_related("owner").get(pk=person.pk)
    systems = systems_of(program)
    names = [each.name for each in systems] if systems is not None else [_("all systems")]
    words = {
        "purpose": program.purpose,
        "scopes": ", ".join(scope_words(program)),
        "systems": ", ".join(names),
        "owner": name_of(program.owner),
    }
    text = _("For: %(purpose)s. It may: %(scopes)s; in %(systems)s. %(owner)s answers for it")
    return text % words


def watch(now: dt.datetime) -> None:
    """Raise an alarm for each program whose last token of a name ends soon, and for each that
    nobody answers for any more."""
    with only(None):
        rows = list(programs().filter(person__is_active=True))
    for program in rows:
        login = program.person.get_username()
        newest: dict[str, dt.datetime] = {}
        for token in tokens.open_tokens(program.person):
            newest[token.name] = max(token.expires_at, newest.get(token.name, token.expires_at))
        for name, ends in newest.items():
            if ends <= now + _NAMED_BEFORE:
                raise_alarm(
                    ENDING,
                    f"{login}: {name}",
                    HouseAlarm.TOKEN % {"token": name, "program": login, "day": f"{ends:%Y-%m-%d}"},
                )
        if not program.owner.is_active:
            raise_alarm(
                UNOWNED,
                login,
                HouseAlarm.NO_OWNER % {"program": login, "owner": program.owner.get_username()},
            )
