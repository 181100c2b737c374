"""Coming in: after the password the second factor, and what a session knows of its device.

Between the two nobody is logged in. The proof of the password waits in the session, sealed with
the key of the environment, for five minutes.
"""

from __future__ import annotations

import json
import time
from typing import Any

from django.contrib.auth import get_user_model, login
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from settlement.models import Preference
from settlement.models.records import LONGEST_ADDRESS
from settlement.people.factors import passkeys
from settlement.people.factors.second_factor import (
    FACTOR_KEY,
    Kind,
    LogInFactor,
    factors_of,
    forgive,
    note_missing,
)
from settlement.people.log_ins.browsers import device
from settlement.people.preferences.language import LANGUAGE, of_house
from settlement.people.sessions import tablets
from settlement.people.sessions.screen_lock import LAST_USE
from settlement.people.sessions.session_store import BEGAN
from settlement.people.shared import sealing
from settlement.people.shared.security_log import note_new_device

WAITS_S = 300
_BACKEND = "settlement.people.passwords.Backend"
_WAITS = "log_in"
_WRONG = "wrong_codes"  # in this session, which are forgiven when the person comes in
LOOK, DEVICE, PASSKEYS = "look", "device", "has_passkey"
ADDRESS = "address"  # in a session: from where its person logged in
BY_PROVIDER = "by_provider"  # in a session: its person came in so
TOUR = "tour"  # in a session: the page that its person is at; none, where it was not offered yet
_LONGEST_DEVICE = 200
_PASSWORD_PROOF_BYTES = 32  # both halves of a log-in at the provider are longer


def wait_for_factor(request: HttpRequest, person: Any) -> None:
    """Keep who has given the password, until the second factor is shown."""
    proof: bytes | None = getattr(person, "proof", None)
    body = {
        "person": person.pk,
        "proof": proof.hex() if proof else None,
        "password": person.get_session_auth_hash(),
    }
    note_missing(request, person)
    request.session.cycle_key()
    request.session[_WAITS] = sealing.seal(json.dumps(body).encode(), _WAITS).decode()


def who_waits(request: HttpRequest) -> Any:
    """The person who gave the password in this session, with the proof; None after five minutes."""
    text = request.session.get(_WAITS)
    opened = sealing.unseal(text.encode(), _WAITS, WAITS_S) if text else None
    if opened is None:
        return None
    body = json.loads(opened)
    person: Any = get_user_model().objects.filter(pk=body["person"], is_active=True).first()
    if person is None or not constant_time_compare(
        body["password"], person.get_session_auth_hash()
    ):
        return None
    person.proof = bytes.fromhex(body["proof"]) if body["proof"] else None
    return person


def slip(request: HttpRequest) -> None:
    """A wrong code in the second step: forgiven where the person then comes in."""
    request.session[_WRONG] = request.session.get(_WRONG, 0) + 1


def come_in(request: HttpRequest, person: Any, factor: LogInFactor | None = None) -> None:
    """Log in who has given the password and, where there is one, the second factor `factor`."""
    request.session.pop(_WAITS, None)
    wrong = request.session.pop(_WRONG, 0)
    if factor is not None and wrong:
        forgive(person, wrong)
    passkeys.forget(request)
    login(request, person, _BACKEND)
    session: Any = request.session
    session.proof = getattr(person, "proof", None)
    session[BY_PROVIDER] = len(session.proof or b"") > _PASSWORD_PROOF_BYTES
    remember(request, factor)
    now = time.time()
    session[BEGAN] = session[LAST_USE] = now
    session[DEVICE] = request.headers.get("User-Agent", "")[:_LONGEST_DEVICE]
    session[ADDRESS] = request.META.get("REMOTE_ADDR", "")[:LONGEST_ADDRESS]
    note_new_device(request, person, device(session[DEVICE]))
    preference = Preference.objects.filter(person_id=person.pk).first()
    if preference is not None:
        session[LOOK] = [preference.theme, preference.text_size]
    session[TOUR] = preference.tour if preference is not None else None
    chosen = preference.language if preference is not None else ""
    session[LANGUAGE] = chosen or of_house(person.pk)
    tablets.sit_down(request)


def remember(request: HttpRequest, factor: LogInFactor | None) -> None:
    """How the person came in, and whether a passkey may stand in for the password."""
    if factor is not None:
        request.session[FACTOR_KEY] = [factor.kind, factor.number]
    if FACTOR_KEY in request.session:
        request.session[PASSKEYS] = factors_of(request.user).filter(kind=Kind.PASSKEY).exists()
