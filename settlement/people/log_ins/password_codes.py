"""A new password by a code, for who forgot the old one and gets no mail.

One administrator proposes it, a second person agrees (`settlement.set_up.proposals`) and reads the
code once, which they hand over in person. So who proposes it never has the code, and who has it
still lacks the person's second factor, without which nobody logs in where a role needs one.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.errors import WrongState
from settlement.models import PasswordCode
from settlement.people.factors.demand import lacks_one
from settlement.people.factors.second_factor import fails, is_locked
from settlement.people.rights.permissions import Reauthenticated, require
from settlement.people.shared import handed_codes
from settlement.people.shared.database_calls import WRONG_CODE, ask
from settlement.people.shared.security_log import What, note
from settlement.people.staff.invitations import sealed
from settlement.people.staff.persons import MAY

MINUTES = 60  # that a code is good once it was drawn; `draw_password_code` has it too


def propose(by: Reauthenticated, person: Any) -> None:
    """Propose a code for another person. NotPermitted, SamePerson, WrongState."""
    require(by.user, MAY)
    if lacks_one(person):
        raise WrongState(
            _(
                "This person has no second factor yet, though their role needs one: anybody with"
                " the code could add the first one. Let them leave, and invite them again."
            )
        )
    ask("propose_password", by.user.pk, person.pk)


def draw(by: Any, person: Any) -> str | None:
    """The code, for whoever agreed; shown here and never again. None: drawn before."""
    code, digest = handed_codes.draw(person)
    return code if ask("draw_password_code", by.pk, person.pk, digest) else None


def set_password(request: HttpRequest, username: str, typed: str, password: str) -> None:
    """Set it, and end all log-ins and access tokens. WrongState where the code is not good, its
    person lacks the second factor that a role needs, or the name or the address is locked.

    Nothing is sealed before the code is found, so a wrong one costs little and takes as long for
    any name; each counts for the lock like a wrong password.
    """
    people = get_user_model()
    person: Any = people.objects.filter(username=username).first() or people(username=username)
    if is_locked(request, person):
        raise WrongState(_(WRONG_CODE))  # the answer becomes that of the lock
    code = handed_codes.plain(typed)
    try:
        if not _is_good(person, code) or lacks_one(person):
            raise WrongState(_(WRONG_CODE))
        ask("set_password_by_code", username, code, sealed(password))
    except WrongState:
        fails(request, person)
        raise
    note(request, What.CAME_FROM, username, "of a password set by a code")


def _is_good(person: Any, code: str) -> bool:
    number = person.pk or 0  # nobody's: as much is asked
    codes = PasswordCode.objects.filter(
        person_id=number, used_at=None, ended_at=None, expires_at__gt=timezone.now()
    )
    return codes.filter(digest=handed_codes.digest_of(number, code)).exists()
