"""A person's PIN, which opens their own locked screen again and is nowhere a password.

What is stored of its Argon2 hash is the SHA-256, which the database compares; the salt is sealed
with the key of the environment. So the table alone tells nobody which of the few PINs it is.
"""

from __future__ import annotations

import re
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from settlement.core.errors import BadSetUp
from settlement.models import Pin
from settlement.people.passwords import SealedArgon2PasswordHasher
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.shared import sealing

LEAST, MOST = 6, 12  # digits
_PURPOSE = "pin"
_SET = "SELECT set_pin(%s, %s, %s, %s)"
_DIGITS = "01234567890123456789"


def has_pin(person: Any) -> bool:
    """Whether the person has set one."""
    return Pin.objects.filter(person_id=person.pk).exists()


def set_pin(person: Reauthenticated, pin: str) -> None:
    """Another PIN for who has just given the password (`user.proof`).

    BadSetUp for one that is too short or easily guessed; WrongState where the key that seals it
    cannot be read.
    """
    if not re.fullmatch(rf"[0-9]{{{LEAST},{MOST}}}", pin, re.ASCII):
        raise BadSetUp(
            _("A PIN has %(least)s to %(most)s digits.") % {"least": LEAST, "most": MOST}
        )
    if len(set(pin)) < 3 or pin in _DIGITS or pin in _DIGITS[::-1]:
        raise BadSetUp(_("That PIN is easily guessed: choose another one."))
    hasher = SealedArgon2PasswordHasher()
    head, _dollar, seal = hasher.encode(pin, hasher.salt()).rpartition("$")
    _ask(person.user, sealing.seal(head.encode(), _PURPOSE), seal)


def end(person: Reauthenticated) -> None:
    """From now on the person has none."""
    _ask(person.user, None, None)


def proof_of(person: int, typed: str) -> bytes | None:
    """The hash that shows the database who typed it; None where it is not the person's PIN."""
    pin = Pin.objects.filter(person_id=person).first()
    hasher = SealedArgon2PasswordHasher()
    head = sealing.unseal(bytes(pin.material), _PURPOSE) if pin is not None else None
    if pin is None or head is None or len(typed) > MOST:
        hasher.encode(typed[:MOST], hasher.salt())  # takes as long as a wrong one
        return None
    return hasher.proof(typed, f"{head.decode()}${pin.seal}")


def _ask(person: Any, material: bytes | None, seal: str | None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_SET, [person.pk, person.proof, material, seal])
