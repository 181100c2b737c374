"""A passkey of the log-in is let sign: it signs its own registration, and no password does."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from fido2.webauthn import AttestedCredentialData

from settlement.core import guards
from settlement.core.errors import BadSignature, NotPermitted, WrongState
from settlement.models import SecondFactor, SigningKey
from settlement.signatures import acts, signing

SOURCE = "registration"
_FIRST = "first key of the house"  # how the database says whose it is not
_EXPONENT = b"\x01\x00\x01"


def key_of(user: Any, number: int, origin: str) -> SigningKey:
    """The key that a passkey of the person would be, not kept yet.

    `origin`: the address that the browser signs for. WrongState where there is no such passkey, it
    was let sign before, or its kind of key cannot sign here.
    """
    factor = SecondFactor.objects.filter(
        pk=number, person_id=user.pk, kind=SecondFactor.Kind.PASSKEY, ended_at=None
    ).first()
    if factor is None:
        raise WrongState(_("This passkey has ended: add another one."))
    if SigningKey.objects.filter(factor=factor.pk).exists():
        raise WrongState(_("This passkey was made one that signs already."))
    credential = AttestedCredentialData(bytes(factor.material))
    algorithm, public_key = _public_key(credential.public_key)
    return SigningKey(
        person=user,
        factor=factor.pk,
        name=factor.name,
        credential_id=credential.credential_id,
        algorithm=algorithm,
        public_key=public_key,
        origin=origin,
    )


@guards.in_words()
def begin(user: Any, number: int, origin: str) -> SigningKey:
    """Let a passkey of the person sign, signed with that passkey itself.

    As `key_of`; SignatureNeeded, BadSignature; NotPermitted where it were the first of the house
    and its person could endorse nobody.
    """
    key = key_of(user, number, origin)
    pen = signing.take_up(user, acts.on_registration(key), lambda: True, bytes(key.credential_id))
    first = _("The first passkey of the house is that of somebody who manages people.")
    unfit = _("This passkey cannot sign: add another one.")
    with guards.in_words(
        (
            (_FIRST, NotPermitted, first),
            ("signature: ", BadSignature, unfit),
            ("settlement_signingkey", BadSignature, unfit),
        )
    ):
        key.save(force_insert=True)
    pen.sign(SOURCE, key.pk)
    key.refresh_from_db(fields=["is_first", "at"])  # which the database says
    return key


def _public_key(cose: Any) -> tuple[int, bytes]:
    match cose.get(3):
        case -7 if cose.get(-1) == 1:
            return -7, cose[-2] + cose[-3]
        case -257 if cose.get(-2) == _EXPONENT:
            return -257, cose[-1]
    raise WrongState(
        _("This passkey has another kind of key than ES256 or RS256: add one of another device.")
    )
