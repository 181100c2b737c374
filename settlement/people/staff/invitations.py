"""Inviting somebody by a link that opens once; the person chooses the password there."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import secrets
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import Group
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.errors import BadSetUp
from settlement.core.input import clean_text
from settlement.models import Invitation
from settlement.people.passwords import SealedArgon2PasswordHasher
from settlement.people.rights.permissions import require
from settlement.people.rights.roles import ROLES
from settlement.people.shared.database_calls import ask
from tables.models import Casino

HOURS = 72  # that a link opens; `invite_person` has it too


@dataclass(frozen=True)
class Guest:
    """Who is invited, and as what. `casino` None: everywhere; `until` None: without an end."""

    username: str
    first_name: str
    last_name: str
    email: str
    role: str
    casino: Casino | None = None
    until: dt.datetime | None = None


def invite(by: Any, guest: Guest) -> tuple[Invitation, str]:
    """The invitation and the secret of its link, which is shown here and never again."""
    require(by, "administer_people")
    require_good(guest)
    secret = secrets.token_urlsafe(32)
    person = {
        "username": guest.username,
        "first_name": clean_text(guest.first_name, 150),
        "last_name": clean_text(guest.last_name, 150),
        "email": guest.email,
        "until": guest.until.isoformat() if guest.until else None,
    }
    number = ask(
        "invite_person",
        by.pk,
        json.dumps(person),
        Group.objects.get(name=guest.role).pk,
        guest.casino.pk if guest.casino else None,
        hashlib.sha256(secret.encode()).hexdigest(),
    )
    return Invitation.objects.get(pk=number), secret


def open_invitations() -> QuerySet[Invitation]:
    """Those whose link was not used and is not over, the newest first."""
    rows = Invitation.objects.filter(used_at=None, revoked_at=None, expires_at__gt=timezone.now())
    return rows.select_related("role", "casino", "person", "second")


def by_secret(secret: str) -> Invitation | None:
    """The invitation that a link is of, while it opens; None otherwise."""
    digest = hashlib.sha256(secret.encode()).hexdigest()
    row = open_invitations().filter(digest=digest, person__is_active=True).first()
    if row is None or (row.second is None and not (row.alone and gives_alone())):
        return None
    return row


def gives_alone() -> bool:
    """Whether still nobody ever could agree, so that the administrator invites alone."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT gives_alone()")
        return bool(cursor.fetchone()[0])


def accept(secret: str, password: str) -> None:
    """Make the person, with the password that they chose; WrongState where the link is over."""
    ask("accept_invitation", secret, sealed(password), None)


def sealed(password: str) -> str:
    """A new password as it is stored."""
    hasher = SealedArgon2PasswordHasher()
    return hasher.encode(password, hasher.salt())


def revoke(by: Any, number: int) -> bool:
    """Whether there was an open invitation to take back."""
    return bool(ask("revoke_invitation", by.pk, number))


def require_good(guest: Guest) -> None:
    """BadSetUp where somebody cannot be invited so."""
    if guest.role not in ROLES:
        raise BadSetUp(_("Choose a role."))
    try:
        UnicodeUsernameValidator()(guest.username)
    except ValidationError as error:
        raise BadSetUp(" ".join(error.messages)) from error
    if not clean_text(guest.last_name):
        raise BadSetUp(_("Enter the name."))
    if guest.until is not None and guest.until <= timezone.now():
        raise BadSetUp(_("The role must end later than now."))
