"""An act and its signature: asked for where the house wants one, kept with the act's own row.

The first time the form or request comes without a signature, and `SignatureNeeded` undoes what was
begun and says what is to be signed. The second time it comes with what the passkey signed, in the
form's field `signature` or the header Passkey-Assertion; the database computes it
(`settlement/sql/signature_is_good.sql`).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.db import DataError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.domain.state.blocks import canonical
from settlement.core import guards
from settlement.core.errors import BadSignature, WrongPassword
from settlement.models import Action, Signature, SigningKey
from settlement.people.factors.reauthentication import PASSKEY_FIELD, reauthenticate
from settlement.people.provider import attempts
from settlement.people.rights.permissions import Reauthenticated
from settlement.signatures import acts, keys
from settlement.signatures.acts import Act

FIELD, HEADER = "signature", "Passkey-Assertion"
LONGEST = 60_000
# Bytes, about fifty invitations: each of them keeps all of it, and the database checks each.
LONGEST_STATEMENT = 12_000


class SignatureNeeded(Exception):
    """The house wants the person's own signature for these acts; nothing was recorded."""

    def __init__(self, user: Any, needed: list[Act], credential: bytes | None = None) -> None:
        super().__init__(_("You sign this action with your passkey."))
        self.user = user
        self.acts = needed
        self._credential = credential  # the one passkey that can

    def options(self) -> dict[str, Any]:
        """What the browser signs; bytes in base64url. Without `allowCredentials`: with no key."""
        text = acts.statement(self.acts, timezone.now())
        credentials = [self._credential] if self._credential else _credentials(self.user)
        return {
            "statement": text,
            "challenge": encoded(acts.challenge(text)),
            "userVerification": "required",
            "allowCredentials": [
                {"type": "public-key", "id": encoded(each)} for each in credentials
            ],
        }


def _credentials(user: Any) -> list[bytes]:
    return [bytes(key.credential_id) for key in keys.that_sign(user)]


@dataclass(frozen=True, slots=True)
class Assertion:
    """What a passkey signed: the bytes, and what the browser made of them."""

    credential_id: bytes
    statement: str
    authenticator_data: bytes
    client_data: bytes
    signature: bytes

    def says(self, act: Act) -> bool:
        """Whether the act is among those that were signed."""
        stated = json.loads(self.statement)["acts"]
        return isinstance(stated, list) and json.loads(canonical(act)) in stated


class _Nothing:
    """The person showed neither password nor passkey: a signature must come."""


_NOTHING = _Nothing()
_assertion: ContextVar[Assertion | _Nothing | None] = ContextVar("signature", default=None)


class TakeSignature:
    """Middleware: what came signed with a request holds for that request alone."""

    async_capable = False
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        before = _assertion.set(None)
        try:
            return self._get_response(request)
        finally:
            _assertion.reset(before)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        text = request.headers.get(HEADER, "")
        if request.method == "POST" and not text and not _is_api(request):
            text = request.POST.get(FIELD, "")
        if text:
            _assertion.set(_read(text) or _NOTHING)


def _is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")  # its body is no form, and read later


def sign_or_reauthenticate(request: HttpRequest, password: str) -> Reauthenticated:
    """Who is at the screen, for an act that may take a signature.

    A signature stands in for the password; where neither came, the act is only carried out with
    one: `take_up` refuses it. For acts that ask `take_up` alone.
    """
    is_confirmed = attempts.is_confirmed(request) and _assertion.get() is None
    if password or request.POST.get(PASSKEY_FIELD) or is_confirmed:
        return reauthenticate(request, password)
    if _assertion.get() is None:
        _assertion.set(_NOTHING)
    return Reauthenticated(request.user)


class Pen:
    """Signs an act once its row is there; without an assertion it does nothing."""

    def __init__(self, user: Any, assertion: Assertion | None) -> None:
        self._user, self._assertion = user, assertion

    def sign(self, source: str, row: int) -> None:
        """Keep the signature of that row. BadSignature where the database refuses it."""
        stored_assertion = self._assertion
        if stored_assertion is None:
            return
        key = SigningKey.objects.filter(
            credential_id=stored_assertion.credential_id, person_id=self._user.pk
        ).first()
        if key is None:
            raise BadSignature(_("This passkey does not sign for you: sign with another one."))
        try:
            with guards.in_words():
                Signature.objects.create(
                    source=source,
                    row=row,
                    person_id=self._user.pk,
                    key=key,
                    statement=stored_assertion.statement,
                    authenticator_data=stored_assertion.authenticator_data,
                    client_data=stored_assertion.client_data,
                    signature=stored_assertion.signature,
                )
        except DataError as error:  # bytes that are no statement
            raise BadSignature(_(guards.BAD_SIGNATURE)) from error


NO_PEN = Pen(None, None)


def take_up(
    user: Any, act: Act, is_wanted: Callable[[], bool], credential: bytes | None = None
) -> Pen:
    """The pen for an act that is about to be recorded; `is_wanted`: whether it is to be signed,
    `credential`: of the one passkey that can.

    SignatureNeeded where it does and nothing came; WrongPassword where it does not, and neither
    password nor passkey came; BadSignature where something else was signed.
    """
    assertion = _assertion.get()
    if isinstance(assertion, Assertion):
        if not assertion.says(act):
            raise BadSignature(
                _("Something else was signed than is to be recorded now: read it again, and sign.")
            )
        return Pen(user, assertion)
    _ask(user, [act], is_wanted, credential)
    return NO_PEN


def ask_for_all(user: Any, needed: list[Act], is_wanted: Callable[[], bool]) -> None:
    """One signature that says all of these acts, before the first of them is recorded; `is_wanted`:
    whether any is to be signed. Each `take_up` then looks for its own act. Refuses as it does, and
    with BadSignature more than one signature holds.
    """
    if isinstance(_assertion.get(), Assertion):
        return
    try:
        _ask(user, needed, is_wanted)
    except SignatureNeeded:
        if len(acts.statement(needed, timezone.now()).encode()) > LONGEST_STATEMENT:
            raise BadSignature(_("Choose fewer: one signature cannot hold so many.")) from None
        raise


def _ask(
    user: Any, needed: list[Act], is_wanted: Callable[[], bool], credential: bytes | None = None
) -> None:
    """SignatureNeeded or WrongPassword, where neither signature nor password is enough."""
    if is_wanted():
        raise SignatureNeeded(user, needed, credential)
    if _assertion.get() is _NOTHING:
        raise WrongPassword(_("That is not your password: enter it again to confirm."))


def signatures_of(actions: Iterable[Action]) -> list[Signature]:
    """Those of actions on claims, with their keys."""
    rows = [action.pk for action in actions]
    signatures = Signature.objects.filter(source="settlement_action", row__in=rows)
    return list(signatures.select_related("key"))


def encoded(raw: bytes) -> str:
    """Base64url as browsers have it."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _read(text: str) -> Assertion | None:
    """The assertion in a form or header; None where it is none. In a header it is base64url."""
    try:
        if len(text) > LONGEST:
            return None
        body = json.loads(text if text.startswith("{") else _decoded(text))
        response = body["response"]
        stored_assertion = Assertion(
            _decoded(body["id"]),
            body["statement"],
            _decoded(response["authenticatorData"]),
            _decoded(response["clientDataJSON"]),
            _decoded(response["signature"]),
        )
        for each in (stored_assertion.statement, stored_assertion.client_data.decode()):
            if "\0" in each or "\\u0000" in each:  # no text of the database
                return None
        if "acts" not in json.loads(stored_assertion.statement) or "type" not in json.loads(
            stored_assertion.client_data
        ):
            return None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return stored_assertion
