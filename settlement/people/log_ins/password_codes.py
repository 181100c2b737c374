"""A new password by a code, for who forgot the old one and gets no mail.

One administrator proposes it, a second person agrees (`settlement.set_up.proposals`) and reads the
code once, which they hand over in person. So who proposes it never has the code, and who has it
still lacks the person's second factor, without which nobody logs in where a role needs one.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.utils.translation import gettext as _

from settlement.core.errors import WrongState
from settlement.people.factors.demand import lacks_one
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
    """Set it, and end all log-ins and access tokens. WrongState where the code is not good, or its
    person lacks the second factor that a role needs."""
    person = get_user_model().objects.filter(username=username).first()
    try:
        if person is None or lacks_one(person):
            raise WrongState(_(WRONG_CODE))
        ask("set_password_by_code", username, handed_codes.plain(typed), sealed(password))
    except WrongState:
        note(request, What.FAILED, username, "code for a new password")
        raise
    note(request, What.CAME_FROM, username, "of a password set by a code")
