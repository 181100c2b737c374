"""Passkeys (WebAuthn): enrolled, and shown in place of a code or of the password given again.

The person is verified by the device itself (PIN, finger, face) every time, so a passkey is two
factors and may stand in for the password. What is signed holds the console's own address.
"""

from __future__ import annotations

import json
import time
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from settlement.core.errors import WrongPassword
from settlement.models import SecondFactor
from settlement.people.permissions import Reauthenticated
from settlement.people.second_factor import Kind, add, advance, factors_of, fails, is_locked

LONGEST_ANSWER = 20_000
_WAITS_S = 300
_NEW, _CHECK = "passkey_new", "passkey_check"
_VERIFIED = UserVerificationRequirement.REQUIRED
# What a browser's answer that is made up or broken makes the library say.
_MALFORMED = (ValueError, KeyError, TypeError, AttributeError, IndexError, AssertionError)


def new_options(request: HttpRequest, person: Any) -> dict[str, Any]:
    """What the browser needs to make a passkey; the challenge is kept in the session."""
    user = PublicKeyCredentialUserEntity(
        name=person.get_username(),
        id=str(person.pk).encode(),
        display_name=person.get_full_name() or person.get_username(),
    )
    options, state = _server(request).register_begin(
        user,
        [data for _, data in _of(person)],
        resident_key_requirement=ResidentKeyRequirement.DISCOURAGED,
        user_verification=_VERIFIED,
    )
    return _begun(request, _NEW, options, state)


def enrol(request: HttpRequest, person: Reauthenticated, name: str, text: str) -> SecondFactor:
    """Keep the passkey that the browser made. WrongPassword where its answer does not fit."""
    state = _state(request, _NEW)
    try:
        made = _server(request).register_complete(state, json.loads(text))
        material = made.credential_data
    except _MALFORMED as fault:
        raise WrongPassword(_("The passkey was not made: try it again.")) from fault
    if material is None:
        raise WrongPassword(_("The passkey was not made: try it again."))
    return add(person, Kind.PASSKEY, name, bytes(material), made.counter)


def check_options(request: HttpRequest, person: Any) -> dict[str, Any] | None:
    """What the browser needs to sign with a passkey of the person; None where there is none."""
    keys = [data for _, data in _of(person)]
    if not keys:
        return None
    options, state = _server(request).authenticate_begin(keys, user_verification=_VERIFIED)
    return _begun(request, _CHECK, options, state)


def show(request: HttpRequest, person: Any, text: str) -> SecondFactor | None:
    """The passkey that signed the challenge of this session; None where none did, which counts."""
    if is_locked(request, person):
        return None
    factor = _signed(request, person, text)
    if factor is None:
        fails(request, person)
    return factor


def _signed(request: HttpRequest, person: Any, text: str) -> SecondFactor | None:
    state, keys = _state(request, _CHECK), _of(person)
    try:
        body = json.loads(text)
        credential = _server(request).authenticate_complete(state, [key for _, key in keys], body)
        counter = AuthenticationResponse.from_dict(body).response.authenticator_data.counter
    except _MALFORMED:
        return None
    factor = next(each for each, key in keys if key.credential_id == credential.credential_id)
    return factor if advance(factor, counter) else None


def _server(request: HttpRequest) -> Fido2Server:
    host = request.get_host()
    here = f"{request.scheme}://{host}"
    party = PublicKeyCredentialRpEntity(
        name="Jackpot Management Console", id=host.rpartition(":")[0] or host
    )
    return Fido2Server(party, verify_origin=lambda origin: origin == here)


def _of(person: Any) -> list[tuple[SecondFactor, AttestedCredentialData]]:
    return [
        (factor, AttestedCredentialData(bytes(factor.material)))
        for factor in factors_of(person).filter(kind=Kind.PASSKEY)
    ]


def _begun(request: HttpRequest, purpose: str, options: Any, state: Any) -> dict[str, Any]:
    request.session[purpose] = [time.time(), state]
    return dict(options)


def _state(request: HttpRequest, purpose: str) -> Any:
    """The challenge, once; nothing that any answer fits where there is none or it is old."""
    began, state = request.session.pop(purpose, (0, None))
    return state if time.time() - began < _WAITS_S else None
