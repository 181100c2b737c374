"""Access tokens: issued to a person for a program, shown once, ended by that person or by time."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.errors import WrongState
from settlement.models import AccessToken
from settlement.people.permissions import Reauthenticated, require

READING = "view_claim"
PREFIX = "jmc_"  # so that a token is recognised where it should not stand
LONGEST_DAYS = 366
MOST_OPEN = 10  # of one person
_USED_TO = dt.timedelta(hours=1)
# Asked at every request of a program: in SQL, as making the statement anew took longer than all
# else that such a request does before its answer. Fields in the order of their models, as `from_db`
# takes them; the password stays where it is.
_OF_TOKEN = ("id", "person_id", "name", "used_at")
_OF_PERSON = ("id", "is_superuser", "username", "first_name", "last_name", "is_active")
_HOLDER = """
    SELECT t.id, t.person_id, t.name, t.used_at,
           p.id, p.is_superuser, p.username, p.first_name, p.last_name, p.is_active
    FROM settlement_accesstoken t JOIN auth_user p ON p.id = t.person_id
    WHERE t.digest = %s AND t.revoked_at IS NULL AND t.expires_at > %s AND p.is_active
"""


def issue(person: Reauthenticated, name: str, days: int) -> tuple[AccessToken, str]:
    """A new token and the secret itself, which is shown here and never again.

    `name`: the program that it is for. `days`: 1 to LONGEST_DAYS. WrongState where the person has
    too many.
    """
    require(person.user, READING)
    with transaction.atomic():
        if open_tokens(person.user).count() >= MOST_OPEN:
            raise WrongState(
                _("You have %(most)s tokens already: end one that is not needed any more.")
                % {"most": MOST_OPEN}
            )
        secret = PREFIX + secrets.token_urlsafe(32)
        token = AccessToken.objects.create(
            person=person.user,
            name=name,
            digest=_digest(secret),
            proof=getattr(person.user, "proof", None),
            expires_at=timezone.now() + dt.timedelta(days=min(days, LONGEST_DAYS)),
        )
    return token, secret


def end(person: Any, number: int) -> AccessToken | None:
    """End a token of this person, now; None where there is none of that number that still holds."""
    token = open_tokens(person).filter(pk=number).first()
    if token is not None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
    return token


def open_tokens(person: Any) -> QuerySet[AccessToken]:
    """Those that still hold."""
    return AccessToken.objects.filter(person=person, revoked_at=None, expires_at__gt=timezone.now())


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
