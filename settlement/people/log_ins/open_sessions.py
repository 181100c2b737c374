"""Log-ins that are open: whose, on which device, from where, since when, and how they came in.

What names one on a page is short and of the hash of its key: it opens nothing.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.db.models import QuerySet
from django.db.models.functions import Least
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.errors import WrongState
from settlement.models import ConsoleSession, SecondFactor
from settlement.people.factors.second_factor import FACTOR_KEY, PROVIDER, RECOVERY
from settlement.people.log_ins.browsers import device
from settlement.people.log_ins.log_in import ADDRESS, BY_PROVIDER, DEVICE
from settlement.people.provider import house
from settlement.people.rights.administration import administered_by
from settlement.people.sessions.screen_lock import LAST_USE
from settlement.people.sessions.session_store import BEGAN
from settlement.people.sessions.sessions import is_idle
from settlement.people.sessions.tablets import NAME
from settlement.people.shared.security_log import people_seen
from settlement.people.staff import persons

_LONGEST = dt.timedelta(days=366)
_SHORT = 12  # digits of the hash that name a session on pages


@dataclass(frozen=True, slots=True)
class OpenSession:
    """One log-in; times are None, and texts empty, where it is of before they were kept."""

    person: Any
    name: str
    device: str
    address: str
    way: str
    began_at: dt.datetime | None
    seen_at: dt.datetime | None
    expires_at: dt.datetime
    is_locked: bool


def of_everybody(reader: Any) -> list[OpenSession]:
    """Those of the reader, and of everybody whose log-ins they may end, the one used last first."""
    people = people_seen().filter(program=None, pk__in=[reader.pk, *administered_by(reader)])
    return read(_rows().filter(person__in=people.values("pk")).order_by(), people)


def of_other(reader: Any, person: Any) -> list[OpenSession]:
    """Those of one other person; none where the reader may not end them: whoever left for a
    casino that the reader does not administer is out of sight."""
    return of(person) if person.pk in administered_by(reader) else []


def of(person: Any) -> list[OpenSession]:
    """Those of one person."""
    return read(_rows().filter(person=person.pk), [person])


def read(rows: QuerySet[Any], people: Iterable[Any]) -> list[OpenSession]:
    """What these sessions say of themselves, the one used last first."""
    by_id = {each.pk: each for each in people}
    now = time.time()
    sessions = []
    for row in rows:
        body: Any = row.get_decoded()
        person = by_id.get(row.person_id)
        if person is None or body.get(SESSION_KEY) != str(row.person_id):
            continue
        sessions.append(
            OpenSession(
                person,
                short(row.session_key),
                body.get(NAME) or device(body.get(DEVICE, "")),
                body.get(ADDRESS, ""),
                _way_of(body),
                _time(body.get(BEGAN)),
                _time(body.get(LAST_USE)),
                row.ends_at,
                row.locked_at is not None or is_idle(body, now),
            )
        )
    return sorted(sessions, key=lambda each: _seconds(each.seen_at), reverse=True)


def end(by: Any, person: Any, name: str) -> int:
    """End the log-in of that name of somebody else, now: it is written down with who did it.

    How many ended. WrongState where there is none any more.
    """
    row = _rows().filter(person=person.pk, session_key__startswith=name).first() if name else None
    if row is None:
        raise WrongState(_("This log-in has ended already."))
    return persons.end_log_ins(by, person, row.session_key)


def short(digest: str) -> str:
    """What names a session on pages, of the hash of its key."""
    return digest[:_SHORT]


def _rows() -> QuerySet[Any]:
    now = timezone.now()
    rows = ConsoleSession.objects.filter(expire_date__gt=now).defer("proof", "expire_date")
    # Some end never by themselves, as PostgreSQL has it: Python knows no such time.
    return rows.annotate(ends_at=Least("expire_date", now + _LONGEST))


def _way_of(body: Any) -> str:
    """How its person came in, in words."""
    first = house.name() if body.get(BY_PROVIDER) else _("Password")
    mark = body.get(FACTOR_KEY)
    kind = mark[0] if isinstance(mark, list) and mark else ""
    factors = {
        RECOVERY: _("Recovery code"),
        **{each.value: _(str(each.label)) for each in SecondFactor.Kind},
    }
    if kind == PROVIDER or kind not in factors:
        return first
    return _("%(first)s, then %(second)s") % {"first": first, "second": factors[kind]}


def _time(seconds: float | None) -> dt.datetime | None:
    return dt.datetime.fromtimestamp(seconds, dt.UTC) if seconds else None


def _seconds(at: dt.datetime | None) -> float:
    return at.timestamp() if at else 0
