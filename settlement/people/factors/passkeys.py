"""Passkeys (WebAuthn): enrolled, and shown in place of a code or of the password given again.

The person is verified by the device itself (PIN, finger, face) every time, so a passkey is two
factors and may stand in for the password. What is signed holds the console's own address.
"""

from __future__ import annotations

import datetime as dt
import json
import struct
import time
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from django.db import connection
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
from settlement.people.factors.second_factor import (
    Kind,
    add,
    advance,
    factors_of,
    fails,
    forgive,
    is_locked,
)
from settlement.people.rights.permissions import Reauthenticated

LONGEST_ANSWER = 20_000
_WAITS_S = 300
_NEW = "passkey_new"
LOG_IN, CONFIRM = "passkey_log_in", "passkey_confirm"  # what a challenge is for
_VERIFIED = UserVerificationRequirement.REQUIRED
# What a browser's answer that is made up or broken makes the library say.
_MALFORMED = (
    *(ValueError, KeyError, TypeError, AttributeError, IndexError, AssertionError),
    *(RecursionError, NotImplementedError, OverflowError, struct.error, UnsupportedAlgorithm),
)


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
    return _challenge(request, _NEW, person, options, state)


def enrol(request: HttpRequest, person: Reauthenticated, name: str, text: str) -> SecondFactor:
    """Keep the passkey that the browser made. WrongPassword where its answer does not fit."""
    state, _since = _state(request, _NEW, person.user)
    server = _server(request)
    try:
        new_credential = server.register_complete(state, _body(text))
        material = new_credential.credential_data
        is_good = material is not None and _is_new_and_known(server, person.user, material)
    except _MALFORMED as fault:
        raise WrongPassword(_("The passkey was not made: try it again.")) from fault
    if material is None or not is_good:
        raise WrongPassword(_("The passkey was not made: try it again."))
    return add(person, Kind.PASSKEY, name, bytes(material), new_credential.counter)


def _is_new_and_known(
    server: Fido2Server, person: Any, new_credential: AttestedCredentialData
) -> bool:
    """Whether the person has it not yet, and its algorithm is one of those asked for."""
    algorithms = {each.alg for each in server.allowed_algorithms}
    ids = {data.credential_id for _factor, data in _of(person)}
    return (
        new_credential.public_key.get(3) in algorithms and new_credential.credential_id not in ids
    )


def check_options(request: HttpRequest, person: Any, purpose: str) -> dict[str, Any] | None:
    """What the browser needs to sign with a passkey of the person; None where there is none.

    `purpose`: LOG_IN or CONFIRM; what was signed for one is nothing for the other.
    """
    keys = [data for _, data in _of(person)]
    if not keys:
        return None
    options, state = _server(request).authenticate_begin(keys, user_verification=_VERIFIED)
    return _challenge(request, purpose, person, options, state)


def forget(request: HttpRequest) -> None:
    """Take no answer to a challenge from before a log-in."""
    for purpose in (_NEW, LOG_IN, CONFIRM):
        request.session.pop(purpose, None)


def show(request: HttpRequest, person: Any, text: str, purpose: str) -> SecondFactor | None:
    """The passkey that signed the challenge of this session; None where none did, which counts."""
    if is_locked(request, person):
        return None
    factor = _signed(request, person, text, purpose)
    if factor is None:
        fails(request, person)
    else:
        forgive(person)
    return factor


def _body(text: str) -> Any:
    if len(text) > LONGEST_ANSWER:
        raise ValueError(len(text))
    return json.loads(text)


def _signed(request: HttpRequest, person: Any, text: str, purpose: str) -> SecondFactor | None:
    (state, since), keys = _state(request, purpose, person), _of(person)
    try:
        body = _body(text)
        credential = _server(request).authenticate_complete(state, [key for _, key in keys], body)
        counter = AuthenticationResponse.from_dict(body).response.authenticator_data.counter
    except _MALFORMED:
        return None
    factor = next(each for each, key in keys if key.credential_id == credential.credential_id)
    return factor if advance(factor, counter, since) else None


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


def _challenge(
    request: HttpRequest, purpose: str, person: Any, options: Any, state: Any
) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        ((since,),) = cursor.fetchall()
    request.session[purpose] = [time.time(), person.pk, since.isoformat(), state]
    return dict(options)


def _state(request: HttpRequest, purpose: str, person: Any) -> tuple[Any, dt.datetime | None]:
    """The challenge of that person, once, and when it began by the database's clock.

    Nothing that any answer fits where there is none or it is old. Two requests may read the same
    session at once: `advance` takes what was signed from one of them.
    """
    began, whose, since, state = request.session.pop(purpose, (0, None, "", None))
    if whose != person.pk or time.time() - began >= _WAITS_S:
        return None, None
    return state, dt.datetime.fromisoformat(since)
