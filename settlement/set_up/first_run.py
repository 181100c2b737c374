"""The first administrator of an empty installation, behind a one-time code of its owner."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.errors import BadSetUp, WrongState
from settlement.core.input import clean_text
from settlement.models import RoleChange, SetUpCode
from settlement.people.rights.roles import install_roles
from settlement.people.shared.database_calls import ask
from settlement.people.staff.invitations import sealed

HOURS = 24  # that a code opens


def is_first_run() -> bool:
    """Whether nobody ever had a role."""
    return not RoleChange.objects.filter(role__isnull=False).exists()


def make_code() -> str:
    """A new code, for the owner of the database alone, who runs `manage.py setup`.

    WrongState where somebody has a role: then its administrator invites people.
    """
    if not is_first_run():
        raise WrongState(_("This installation has people already: an administrator invites more."))
    install_roles()
    code = "-".join(secrets.token_hex(3) for _part in range(5))
    digest = hashlib.sha256(code.encode()).hexdigest()
    expires_at = timezone.now() + dt.timedelta(hours=HOURS)
    SetUpCode.objects.create(digest=digest, expires_at=expires_at)
    return code


def begin(code: str, username: str, name: tuple[str, str], email: str, password: str) -> None:
    """Make the first administrator; `name`: first and last.

    WrongState where the code is wrong, or somebody was faster.
    """
    try:
        UnicodeUsernameValidator()(username)
    except ValidationError as error:
        raise BadSetUp(" ".join(map(str, error.messages))) from error
    first, last = (clean_text(part, 150) for part in name)
    ask("begin_set_up", code.strip().lower(), username, first, last, email, sealed(password))
