"""Keys of people: which sign, which wait, and who may endorse them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from settlement.models import OwnerEndorsement, Signature, SigningKey, SigningKeyEnd

SOURCE = "settlement_signingkey"
_BEGAN = (
    Q(is_first=True)
    | Exists(Signature.objects.filter(source=SOURCE, row=OuterRef("pk")))
    | Exists(OwnerEndorsement.objects.filter(key=OuterRef("pk")))
)
_ENDED = Exists(SigningKeyEnd.objects.filter(key=OuterRef("pk")))


def fingerprint(public_key: bytes) -> str:
    """Of a key, short enough to be read out: the first 64 bits of its SHA-256."""
    digits = hashlib.sha256(public_key).hexdigest()[:16]
    return " ".join(digits[place : place + 4] for place in range(0, 16, 4))


def that_sign(user: Any) -> QuerySet[SigningKey]:
    """The person's keys that sign now."""
    return SigningKey.objects.filter(_BEGAN, person_id=user.pk).exclude(_ENDED)


def that_wait() -> QuerySet[SigningKey]:
    """Keys that nobody has endorsed yet, the oldest first."""
    return SigningKey.objects.exclude(_BEGAN).exclude(_ENDED)


def to_endorse(user: Any) -> list[SigningKey]:
    """Keys that wait, and that the person may endorse: own ones, and by role those of others."""
    waiting = list(that_wait().select_related("person"))
    with connection.cursor() as cursor:
        cursor.execute(_MAY_ENDORSE, [[key.person_id for key in waiting], user.pk, user.pk])
        people = {number for (number,) in cursor.fetchall()}
    return [key for key in waiting if key.person_id in people]


# The database is asked of those alone whose key waits: of everybody it takes half a second.
_MAY_ENDORSE = """
    SELECT id FROM unnest(%s::integer[]) AS person (id) WHERE id = %s OR may_endorse_key(%s, id)
"""


def endorsers(key: SigningKey) -> list[str]:
    """The log-ins of those who may endorse it, and have a key that signs."""
    with connection.cursor() as cursor:
        cursor.execute(_ENDORSERS, [key.person_id, key.person_id])
        return [name for (name,) in cursor.fetchall()]


_ENDORSERS = """
    SELECT DISTINCT u.username FROM settlement_signingkey k JOIN auth_user u ON u.id = k.person_id
    WHERE u.is_active AND signing_key_holds(k.id) AND (u.id = %s OR may_endorse_key(u.id, %s))
    ORDER BY u.username
"""


@dataclass(frozen=True, slots=True)
class KeyState:
    """How a person's passkey stands: None where it was never made a key that signs."""

    key: SigningKey | None
    signs: bool = False

    @property
    def fingerprint(self) -> str:
        """Of its key; empty where there is none."""
        return fingerprint(bytes(self.key.public_key)) if self.key else ""


def states_of(user: Any) -> dict[int, KeyState]:
    """By the number of the passkey."""
    signing = {key.pk for key in that_sign(user)}
    return {
        key.factor: KeyState(key, key.pk in signing)
        for key in SigningKey.objects.filter(person_id=user.pk)
    }


def is_house_without() -> bool:
    """Whether nobody has a key: the next one is the first of the house."""
    return not SigningKey.objects.exists()
