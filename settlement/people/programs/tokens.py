"""Access tokens: issued by a person for a program, for scopes and systems, and shown once.

One ends by its time, by its person, or by who administers people.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core import guards
from settlement.core.errors import NotPermitted, WrongState
from settlement.models import AccessToken
from settlement.people.rights.permissions import Reauthenticated, may, require
from settlement.people.rights.scopes import LABELS, SCOPES
from settlement.people.shared.security_log import people_seen
from tables.models import JackpotSystem
from tables.visibility.scope import Visible, only

READING, ADMINISTERS = "view_claim", "administer_people"
PREFIX = "jmc_"  # so that a token is recognised where it should not stand
MOST_OPEN = 10  # of one person
MOST_DAYS = 366  # the database's own limit
_USED_TO = dt.timedelta(hours=1)
# Asked at every request of a program: in SQL, as making the statement again took longer than all
# else that such a request does before its answer. Fields in the order of their models, as `from_db`
# takes them; the password stays where it is.
_OF_TOKEN = ("id", "person_id", "name", "scopes", "systems", "used_at")
_OF_PERSON = ("id", "is_superuser", "username", "first_name", "last_name", "is_active")
_HOLDER = """
    SELECT t.id, t.person_id, t.name, t.scopes, t.systems, t.used_at,
           p.id, p.is_superuser, p.username, p.first_name, p.last_name, p.is_active
    FROM settlement_accesstoken t JOIN auth_user p ON p.id = t.person_id
    WHERE t.digest = %s AND t.revoked_at IS NULL AND t.expires_at > %s AND p.is_active
"""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a new token may do: `scopes`, and in which systems (None: all that its person sees)."""

    scopes: tuple[str, ...]
    systems: tuple[JackpotSystem, ...] | None = None


def longest_days() -> int:
    """How long a token holds at most: a year, or less by TOKEN_DAYS."""
    return min(settings.TOKEN_DAYS, MOST_DAYS)


def issue(
    person: Reauthenticated, name: str, days: int, reach: Reach | None = None
) -> tuple[AccessToken, str]:
    """A new token and the secret itself, which is shown here and never again.

    `name`: the program that it is for. `days`: 1 to `longest_days`. `reach` None: it reads what
    its person reads. WrongState where the person has too many, NotPermitted for a scope that no
    role of the person has.
    """
    require(person.user, READING)
    reach = reach or Reach(tuple(each for each in _of(person.user) if each.startswith("read:")))
    if not reach.scopes or not set(reach.scopes) <= set(_of(person.user)):
        raise NotPermitted(_("Your role allows no such scope."))
    systems = sorted(each.pk for each in reach.systems) if reach.systems is not None else None
    if open_tokens(person.user).count() >= MOST_OPEN:
        raise WrongState(
            _("You have %(most)s tokens already: end one that is not needed any more.")
            % {"most": MOST_OPEN}
        )
    return make(person, days, person=person.user, name=name, scopes=reach.scopes, systems=systems)


def make(by: Reauthenticated, days: int, **fields: Any) -> tuple[AccessToken, str]:
    """The row with the proof of who issues it, and the secret itself."""
    secret = PREFIX + secrets.token_urlsafe(32)
    fields["scopes"] = sorted(fields["scopes"])
    with transaction.atomic():
        token = AccessToken.objects.create(
            **fields,
            digest=_digest(secret),
            proof=getattr(by.user, "proof", None),
            expires_at=timezone.now() + dt.timedelta(days=min(days, longest_days())),
        )
    return token, secret


def scopes_of(person: Any) -> dict[str, str]:
    """The scopes that a token of this person can have, in words."""
    return {scope: LABELS[scope] for scope in _of(person)}


def _of(person: Any) -> list[str]:
    return [
        scope
        for scope, permissions in SCOPES.items()
        if any(may(person, permission) for permission in permissions)
    ]


def narrow(token: AccessToken, scope: Visible | None) -> Visible | None:
    """What is seen with this token, of what its person sees."""
    if token.systems is None:
        return scope
    systems = frozenset(token.systems)
    if scope is not None:
        systems &= scope.systems
    with only(None):
        rows = JackpotSystem.objects.filter(pk__in=systems)
        return Visible(frozenset(rows.values_list("casino_id", flat=True)), systems)


def end(person: Any, number: int) -> AccessToken | None:
    """End a token of this person, now; None where there is none of that number that still holds."""
    return _end(open_tokens(person).filter(pk=number).first(), by=None)


def end_of_another(administrator: Any, token: AccessToken) -> AccessToken | None:
    """The same of somebody else's token, one of `everybodys`."""
    require(administrator, ADMINISTERS)
    holds = token.revoked_at is None and token.expires_at > timezone.now()
    by = administrator if token.person_id != administrator.pk else None
    elsewhere = _("You do not administer people wherever this person has a role.")
    with guards.in_words((("permission: ", NotPermitted, elsewhere),)):
        return _end(token if holds else None, by=by)


def _end(token: AccessToken | None, by: Any) -> AccessToken | None:
    if token is not None:
        token.revoked_at, token.ended_by = timezone.now(), by
        with transaction.atomic():
            token.save(update_fields=["revoked_at", "ended_by"])
    return token


def everybodys() -> QuerySet[AccessToken]:
    """The tokens of the people who are seen, the newest first."""
    rows = AccessToken.objects.filter(person__in=people_seen().values("pk"))
    return rows.select_related("person", "ended_by")


def own(person: Any) -> QuerySet[AccessToken]:
    """The tokens of this person, the newest first."""
    return AccessToken.objects.filter(person=person.pk).select_related("ended_by")


def that_hold(tokens: QuerySet[AccessToken]) -> QuerySet[AccessToken]:
    """Those of them that nobody ended and whose time is not over."""
    return tokens.filter(revoked_at=None, expires_at__gt=timezone.now())


def open_tokens(person: Any) -> QuerySet[AccessToken]:
    """Those that still hold."""
    return that_hold(AccessToken.objects.filter(person=person))


def holder(secret: str) -> AccessToken | None:
    """The token with its person, if it holds and the person may log in."""
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(_HOLDER, [_digest(secret), now])
        row = cursor.fetchone()
    if row is None:
        return None
    of_token = len(_OF_TOKEN)
    token: AccessToken = AccessToken.from_db(connection.alias, _OF_TOKEN, row[:of_token])
    token.person = get_user_model().from_db(connection.alias, _OF_PERSON, row[of_token:])
    old = Q(used_at=None) | Q(used_at__lt=now - _USED_TO)
    if token.used_at is None or token.used_at < now - _USED_TO:
        AccessToken.objects.filter(old, pk=token.pk).update(used_at=now)
    return token


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
