"""Keys of people: a passkey is made one that signs, and somebody endorses it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from fido2.webauthn import AttestedCredentialData

from settlement.core.errors import BadSignature, NotPermitted, WrongState
from settlement.models import SecondFactor, Signature, SigningKey, SigningKeyEnd
from settlement.people.permissions import Reauthenticated

SOURCE = "settlement_signingkey"
_FIRST = "first key of the house"  # how the database says whose it is not
_EXPONENT = b"\x01\x00\x01"
_ENDORSED = Exists(Signature.objects.filter(source=SOURCE, row=OuterRef("pk")))
_ENDED = Exists(SigningKeyEnd.objects.filter(key=OuterRef("pk")))


def fingerprint(public_key: bytes) -> str:
    """Of a key, short enough to be read out: the first 64 bits of its SHA-256."""
    digits = hashlib.sha256(public_key).hexdigest()[:16]
    return " ".join(digits[place : place + 4] for place in range(0, 16, 4))


def that_sign(user: Any) -> QuerySet[SigningKey]:
    """The person's keys that sign now."""
    keys = SigningKey.objects.filter(Q(is_first=True) | _ENDORSED, person_id=user.pk)
    return keys.exclude(_ENDED)


def that_wait() -> QuerySet[SigningKey]:
    """Keys that nobody has endorsed yet, the oldest first."""
    return SigningKey.objects.exclude(Q(is_first=True) | _ENDORSED).exclude(_ENDED)


def to_endorse(user: Any) -> list[SigningKey]:
    """Keys that wait, and that the person may endorse: own ones, and by role those of others."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM auth_user WHERE id = %s OR may_endorse_key(%s, id)",
            [user.pk, user.pk],
        )
        people = [number for (number,) in cursor.fetchall()]
    return list(that_wait().filter(person_id__in=people).select_related("person"))


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


def begin(person: Reauthenticated, number: int, origin: str) -> SigningKey:
    """Let a passkey of the person sign; `origin`: the address that the browser signs for.

    WrongState where there is no such passkey, or its kind of key cannot sign here; NotPermitted
    where it were the first of the house and its person could endorse nobody.
    """
    user = person.user
    factor = SecondFactor.objects.filter(
        pk=number, person_id=user.pk, kind=SecondFactor.Kind.PASSKEY, ended_at=None
    ).first()
    if factor is None:
        raise WrongState(_("This passkey has ended: add another one."))
    if SigningKey.objects.filter(factor=factor.pk).exists():
        raise WrongState(_("This passkey was made one that signs already."))
    made = AttestedCredentialData(bytes(factor.material))
    algorithm, public_key = _public_key(made.public_key)
    try:
        with transaction.atomic():
            key = SigningKey.objects.create(
                person_id=user.pk,
                factor=factor.pk,
                name=factor.name,
                credential_id=made.credential_id,
                algorithm=algorithm,
                public_key=public_key,
                origin=origin,
            )
            key.refresh_from_db(fields=["is_first", "at"])  # which the database says
            return key
    except IntegrityError as error:
        if _FIRST in str(error):
            raise NotPermitted(
                _("The first passkey of the house is that of somebody who manages people.")
            ) from error
        raise BadSignature(_("This passkey cannot sign: add another one.")) from error


def _public_key(cose: Any) -> tuple[int, bytes]:
    match cose.get(3):
        case -7 if cose.get(-1) == 1:
            return -7, cose[-2] + cose[-3]
        case -257 if cose.get(-2) == _EXPONENT:
            return -257, cose[-1]
    raise WrongState(
        _("This passkey has another kind of key than ES256 or RS256: add one of another device.")
    )
