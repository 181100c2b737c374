"""The browser's half: sending somebody to the provider, taking them back, and what came of it.

The half is a hash of the session's key, which the browser alone has, and of the state that was sent
along. Nonce and verifier (PKCE) are made of it, so nothing that is kept tells any of them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode

from celery import current_app
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import IntegrityError, connection, transaction
from django.http import HttpRequest
from django.utils import timezone

from settlement.core.errors import WrongState
from settlement.models import ProviderLogIn
from settlement.people.provider import house, metadata
from settlement.people.provider.faults import Fault, ProviderFault
from settlement.people.shared import sealing
from settlement.people.shared.security_log import What, note

Purpose = ProviderLogIn.Purpose
TASK = "settlement.tasks.answer_provider_log_ins"
MOST_OF_ADDRESS, MOST_WAITING = 30, 40
ANSWERED_S = 20.0  # within which the worker must have asked
_THERE_S = 600  # for logging in there
_CONFIRMED_S = 120  # that a confirmation waits for its act; `take_provider_log_in` has it too
_FRESH = (Purpose.UNLOCK, Purpose.CONFIRM, Purpose.LINK, Purpose.INVITE)
_WAITS, _CONFIRMED = "provider", "provider_confirmed"  # in a session
_LONGEST = 4000  # of a code
_INSERT = """
    INSERT INTO settlement_providerlogin (digest, purpose, address, sealed)
    SELECT %(digest)s, %(purpose)s, %(address)s, %(sealed)s
    WHERE (SELECT count(*) FROM settlement_providerlogin
           WHERE made_at > now() - interval '10 minutes' AND address = %(address)s
             AND (answered_at IS NULL OR fault <> '')) < %(of_address)s
      AND (SELECT count(*) FROM settlement_providerlogin
           WHERE made_at > now() - interval '1 minute' AND answered_at IS NULL) < %(waiting)s
"""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was begun in this browser. `secret`: of an invitation. `log_in_again`: a person who is
    logged in at the provider logs in there once more."""

    purpose: str
    state: str
    began: float
    next_page: str = ""
    secret: str = ""
    log_in_again: bool = False
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The provider vouches for somebody; `proof`: both halves, for the database.

    `person` None: of somebody who is to be linked.
    """

    attempt: Attempt
    person: int | None
    proof: bytes
    has_factor: bool


def begin(
    request: HttpRequest,
    purpose: str,
    next_page: str = "",
    secret: str = "",
    *,
    is_shared: bool = False,
) -> str:
    """The address of the provider to which the browser goes. ProviderFault.

    `is_shared`: at a tablet of several people the provider may know the one before.
    """
    provider = metadata.cached() if house.is_offered() else None
    if provider is None:
        raise ProviderFault(Fault.DOWN)
    if SESSION_KEY not in request.session or request.session.session_key is None:
        request.session.cycle_key()  # none that somebody else may know
    log_in_again = purpose in _FRESH or is_shared or settings.OIDC_ANEW
    attempt = Attempt(
        purpose, secrets.token_urlsafe(24), time.time(), next_page, secret, log_in_again
    )
    _keep(request, _WAITS, attempt)
    half = _half(request, attempt)
    query = {
        "response_type": "code",
        "client_id": settings.OIDC_CLIENT_ID,
        "redirect_uri": house.redirect_address(),
        "scope": settings.OIDC_SCOPES,
        "state": attempt.state,
        "nonce": _mac(half, "nonce"),
        "code_challenge": _text(hashlib.sha256(_mac(half, "verifier").encode()).digest()),
        "code_challenge_method": "S256",
    }
    if attempt.log_in_again:
        query |= {"prompt": "login", "max_age": "0"}
    if settings.OIDC_FACTOR_ACR:
        query["acr_values"] = " ".join(settings.OIDC_FACTOR_ACR)
    joint = "&" if "?" in provider.authorization else "?"
    return f"{provider.authorization}{joint}{urlencode(query)}"


def take_back(request: HttpRequest) -> None:
    """The browser comes from the provider: its code goes to the worker, once. ProviderFault."""
    attempt = _opened(request, _WAITS, _THERE_S)
    state, code = request.GET.get("state", ""), request.GET.get("code", "")
    if attempt is None:  # reading the page writes nothing
        raise ProviderFault(Fault.STATE)
    if attempt.is_back or not hmac.compare_digest(state.encode(), attempt.state.encode()):
        raise refused(request, Fault.STATE)
    if "error" in request.GET or not 0 < len(code) <= _LONGEST:
        request.session.pop(_WAITS, None)
        raise refused(request, Fault.DENIED)
    half = _half(request, attempt)
    body = {
        "digest": _digest(half),
        "purpose": attempt.purpose,
        "code": code,
        "verifier": _mac(half, "verifier"),
        "nonce": _mac(half, "nonce"),
        "fresh_since": attempt.began if attempt.log_in_again else None,
    }
    row: dict[str, Any] = {
        "digest": body["digest"],
        "purpose": attempt.purpose,
        "address": request.META.get("REMOTE_ADDR", "")[:45],
        "sealed": _sealed(body),
        "of_address": MOST_OF_ADDRESS,
        "waiting": MOST_WAITING,
    }
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_INSERT, row)
            is_taken = cursor.rowcount == 1
    except IntegrityError as fault:  # another request with the same state was quicker
        raise refused(request, Fault.STATE) from fault
    if not is_taken:
        raise refused(request, Fault.BUSY)
    _keep(request, _WAITS, Attempt(**(asdict(attempt) | {"is_back": True})))
    transaction.on_commit(_hint)


def answer(request: HttpRequest) -> Answer | None:
    """What the worker learnt; None while it asks. ProviderFault."""
    attempt = _opened(request, _WAITS, _THERE_S + ANSWERED_S)
    if attempt is None or not attempt.is_back:
        raise ProviderFault(Fault.STATE)
    try:
        return _answer(request, attempt)
    except ProviderFault:
        forget(request)
        raise


def _answer(request: HttpRequest, attempt: Attempt) -> Answer | None:
    half = _half(request, attempt)
    row = ProviderLogIn.objects.filter(digest=_digest(half)).first()
    if row is None:
        raise ProviderFault(Fault.STATE)
    if row.answered_at is None:
        if (timezone.now() - row.made_at).total_seconds() > ANSWERED_S:
            raise refused(request, Fault.LATE)
        return None
    if row.fault:
        raise ProviderFault(Fault(row.fault))
    opened = sealing.unseal(row.answer.encode(), sealing.PROVIDER_ANSWER)
    if opened is None:  # of who wrote to the database without the key, or with another one
        raise refused(request, Fault.KEY)
    body = json.loads(opened)
    if (body["digest"], body["subject"]) != (row.digest, row.subject):
        raise refused(request, Fault.KEY)
    proof = half + bytes.fromhex(body["half"])
    return Answer(attempt, row.person_id, proof, body["has_factor"])


def forget(request: HttpRequest) -> None:
    """What was begun is over."""
    request.session.pop(_WAITS, None)


# --- in place of the password given again -------------------------------------------------------
def confirm(request: HttpRequest, reply: Answer) -> None:
    """Keep that the person confirmed it there, for the one act that follows. ProviderFault."""
    require_own(request, reply)
    forget(request)
    _keep(request, _CONFIRMED, reply.attempt)


def require_own(request: HttpRequest, reply: Answer) -> None:
    """ProviderFault where somebody else logged in there than is logged in here."""
    if reply.person != request.user.pk:
        forget(request)
        raise refused(request, Fault.OTHER)


def is_confirmed(request: HttpRequest) -> bool:
    """Whether a confirmation waits for its act."""
    return _CONFIRMED in request.session


def confirmed(request: HttpRequest) -> bytes | None:
    """Both halves of what was confirmed, once; None where nothing was, or too long ago."""
    attempt = _opened(request, _CONFIRMED, _THERE_S + _CONFIRMED_S)
    request.session.pop(_CONFIRMED, None)
    try:
        reply = _answer(request, attempt) if attempt is not None else None
    except ProviderFault:
        return None
    if reply is None or not take(request.user, reply.proof, Purpose.CONFIRM):
        return None
    return reply.proof


def take(person: Any, proof: bytes, purpose: str) -> bool:
    """Whether the database takes both halves, of that person, once."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT take_provider_log_in(%s, %s, %s)", [person.pk, proof, purpose])
        return bool(cursor.fetchone()[0])


# --- what is kept -------------------------------------------------------------------------------
def _half(request: HttpRequest, attempt: Attempt) -> bytes:
    key = request.session.session_key or ""
    return hmac.digest(key.encode(), f"provider {attempt.state}".encode(), "sha256")


def _mac(half: bytes, use: str) -> str:
    return _text(hmac.digest(half, use.encode(), "sha256"))


def _digest(half: bytes) -> str:
    return hashlib.sha256(half).hexdigest()


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _sealed(body: dict[str, Any]) -> str:
    try:
        return sealing.seal(json.dumps(body).encode(), sealing.PROVIDER_CODE).decode()
    except WrongState as fault:
        raise ProviderFault(Fault.KEY) from fault


def _keep(request: HttpRequest, name: str, attempt: Attempt) -> None:
    """Sealed: in it may be the secret of an invitation."""
    try:
        sealed = sealing.seal(json.dumps(asdict(attempt)).encode(), name)
    except WrongState as fault:
        raise ProviderFault(Fault.KEY) from fault
    request.session[name] = sealed.decode()


def _opened(request: HttpRequest, name: str, longest_s: float) -> Attempt | None:
    text = request.session.get(name)
    try:
        opened = sealing.unseal(text.encode(), name) if text else None
    except WrongState as fault:
        raise ProviderFault(Fault.KEY) from fault
    attempt = Attempt(**json.loads(opened)) if opened else None
    return attempt if attempt and time.time() - attempt.began < longest_s else None


def refused(request: HttpRequest, fault: Fault) -> ProviderFault:
    """What the database does not know stands in the access notes."""
    user = request.user
    note(request, What.REFUSED, user.get_username() or None, f"log-in provider: {fault}")
    return ProviderFault(fault)


def _hint() -> None:
    """A message is a hint: the beat looks by itself."""
    try:
        current_app.send_task(TASK, expires=ANSWERED_S)
    except Exception:  # noqa: BLE001 - whatever is wrong with the broker
        return
