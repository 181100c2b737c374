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

from django.db import DataError, IntegrityError, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.domain.state.blocks import canonical
from settlement.core.errors import BadSignature, WrongPassword
from settlement.models import Action, Signature, SigningKey
from settlement.people.permissions import Reauthenticated
from settlement.people.provider import attempts
from settlement.people.reauthentication import PASSKEY_FIELD, reauthenticate
from settlement.signatures import acts, keys
from settlement.signatures.acts import Act

FIELD, HEADER = "signature", "Passkey-Assertion"
LONGEST = 60_000
_NO_SIGN = "signature: "  # how the database begins to say that a signature is not good


class SignatureNeeded(Exception):
    """The house wants the person's own signature for these acts; nothing was recorded."""

    def __init__(self, user: Any, needed: list[Act], credential: bytes | None = None) -> None:
        super().__init__(_("This act is signed with your passkey."))
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
_shown: ContextVar[Assertion | _Nothing | None] = ContextVar("signature", default=None)


class TakeSignature:
    """Middleware: what came signed with a request holds for that request alone."""

    async_capable = False
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        before = _shown.set(None)
        try:
            return self._get_response(request)
        finally:
            _shown.reset(before)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        text = request.headers.get(HEADER, "")
        if request.method == "POST" and not text and not _is_api(request):
            text = request.POST.get(FIELD, "")
        if text:
            _shown.set(_read(text) or _NOTHING)


def _is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")  # its body is no form, and read later


def sign_or_reauthenticate(request: HttpRequest, password: str) -> Reauthenticated:
    """Who is at the screen, for an act that may take a signature.

    A signature stands in for the password; where neither came, the act is only carried out with
    one: `take_up` refuses it. For acts that ask `take_up` alone.
    """
    is_confirmed = attempts.is_confirmed(request) and _shown.get() is None
    if password or request.POST.get(PASSKEY_FIELD) or is_confirmed:
        return reauthenticate(request, password)
    if _shown.get() is None:
        _shown.set(_NOTHING)
    return Reauthenticated(request.user)


class Pen:
    """Signs an act once its row is there; without an assertion it does nothing."""

    def __init__(self, user: Any, assertion: Assertion | None) -> None:
        self._user, self._assertion = user, assertion

    def sign(self, source: str, row: int) -> None:
        """Keep the signature of that row. BadSignature where the database refuses it."""
        made = self._assertion
        if made is None:
            return
        key = SigningKey.objects.filter(
            credential_id=made.credential_id, person_id=self._user.pk
        ).first()
        if key is None:
            raise BadSignature(_("This passkey does not sign for you: sign with another one."))
        try:
            with transaction.atomic():
                Signature.objects.create(
                    source=source,
                    row=row,
                    person_id=self._user.pk,
                    key=key,
                    statement=made.statement,
                    authenticator_data=made.authenticator_data,
                    client_data=made.client_data,
                    signature=made.signature,
                )
        except (IntegrityError, DataError) as error:
            raise refusal(error) from error


NO_PEN = Pen(None, None)


def take_up(
    user: Any, act: Act, is_wanted: Callable[[], bool], credential: bytes | None = None
) -> Pen:
    """The pen for an act that is about to be recorded; `is_wanted`: whether it is to be signed,
    `credential`: of the one passkey that can.

    SignatureNeeded where it does and nothing came; WrongPassword where it does not, and neither
    password nor passkey came; BadSignature where something else was signed.
    """
    shown = _shown.get()
    if isinstance(shown, Assertion):
        if not shown.says(act):
            raise BadSignature(
                _("Something else was signed than is to be recorded now: read it again, and sign.")
            )
        return Pen(user, shown)
    if is_wanted():
        raise SignatureNeeded(user, [act], credential)
    if shown is _NOTHING:
        raise WrongPassword(_("That is not your password: enter it again to confirm."))
    return NO_PEN


def signatures_of(actions: Iterable[Action]) -> list[Signature]:
    """Those of actions on claims, with their keys."""
    rows = [action.pk for action in actions]
    known = Signature.objects.filter(source="settlement_action", row__in=rows)
    return list(known.select_related("key"))


def refusal(error: IntegrityError | DataError) -> Exception:
    """What people read where the database refuses a signature, or an act without one."""
    if _NO_SIGN not in str(error) and not isinstance(error, DataError):
        return error
    return BadSignature(
        _("The signature does not hold: it is older than a quarter of an hour, or not of your key.")
    )


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
        made = Assertion(
            _decoded(body["id"]),
            body["statement"],
            _decoded(response["authenticatorData"]),
            _decoded(response["clientDataJSON"]),
            _decoded(response["signature"]),
        )
        for each in (made.statement, made.client_data.decode()):
            if "\0" in each or "\\u0000" in each:  # no text of the database
                return None
        if "acts" not in json.loads(made.statement) or "type" not in json.loads(made.client_data):
            return None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return made
