"""A reset of a person's second factors by two people, and the code for the first device after it.

One proposes it, another agrees (`settlement.set_up.proposals`): the factors and log-ins end, and
whoever agreed reads a code once, which they hand over in person. So the first one, who may know the
password, adds no device in that name, and the second one begins nothing alone.
"""

from __future__ import annotations

from typing import Any

from django.db import connection, transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from settlement.core.errors import WrongPassword
from settlement.models import EnrolmentCode
from settlement.people.factors.second_factor import RESETS, is_locked
from settlement.people.rights.administration import administered_by
from settlement.people.rights.permissions import Reauthenticated, require
from settlement.people.shared import handed_codes
from settlement.people.shared.database_calls import ask


class WrongCode(WrongPassword):
    """The code of a reset is wrong or too old: the page counts it (`second_factor.fails`)."""


HOURS = 24  # that a code is good; `end_factors` has it too


def propose(by: Reauthenticated, person: Any) -> None:
    """Propose to end all factors of another person. NotPermitted, SamePerson, WrongState."""
    require(by.user, RESETS)
    ask("propose_reset", by.user.pk, person.pk)


def may_propose(user: Any) -> set[int]:
    """The people whose reset the person may propose."""
    return administered_by(user, RESETS)


def draw(by: Any, person: Any) -> str | None:
    """The code, for whoever agreed to the reset; shown here and never again. None: drawn before."""
    code, digest = handed_codes.draw(person)
    return code if ask("draw_code", by.pk, person.pk, digest) else None


@transaction.atomic
def reset_as_owner(person: Any) -> str:
    """End all factors of a person as the owner of the database does; the code for the next one."""
    code, digest = handed_codes.draw(person)
    with connection.cursor() as cursor:
        owner = "the owner of the database"
        cursor.execute("SELECT end_factors(%s, NULL, NULL, %s)", [person.pk, owner])
        ((number,),) = cursor.fetchall()
    EnrolmentCode.objects.filter(pk=number).update(digest=digest)
    return code


def awaits_code(person: Any) -> bool:
    """Whether the first device after a reset is still to be added, with its code."""
    return EnrolmentCode.objects.filter(person_id=person.pk, used_at=None, ended_at=None).exists()


def take(request: HttpRequest, person: Any, typed: str) -> None:
    """Take the code, within the transaction that adds the device. WrongCode where it is wrong."""
    if is_locked(request, person):
        raise WrongPassword(_("Too many codes were wrong: wait 15 minutes."))
    if not ask("use_code", person.pk, handed_codes.plain(typed)):
        raise WrongCode(
            _(
                "That is not the code of the reset, or it is older than 24 hours: ask the colleague"
                " who agreed to it, or for another reset."
            )
        )
