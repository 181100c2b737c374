"""A locked log-in: nothing is shown and nobody acts by it until its person is back.

That it is locked stands in the database beside the session, which no longer counts as somebody who
is there; a function of the database opens it again.
"""

from __future__ import annotations

import time
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import logout
from django.db import connection
from django.db.models.functions import Now
from django.http import HttpRequest
from django.urls import reverse

from settlement.models.access import ConsoleSession
from settlement.people.factors import passkeys, pins
from settlement.people.factors.reauthentication import PASSKEY_FIELD, by_password
from settlement.people.sessions.session_store import hashed
from settlement.people.shared.security_log import What, note

LAST_USE = "seen_at"
PIN = "PIN"
MOST_WRONG = 5  # the database's functions have it too
_UNLOCK = "SELECT unlock_session(%s, %s, %s)"


class Outcome(StrEnum):
    """What came of the try to open a locked log-in, in the database's words."""

    OPEN = "open"
    WRONG = "wrong"
    ENDED = "ended"  # by the fifth wrong PIN
    NONE = "none"  # nothing is locked there


def lock(request: HttpRequest) -> None:
    """Lock the request's log-in."""
    session: Any = request.session
    ConsoleSession.objects.filter(
        session_key=hashed(session.session_key or ""), locked_at=None
    ).update(locked_at=Now())
    session.is_locked = True


def takes_pin(request: HttpRequest) -> bool:
    """Whether the PIN opens it: not after five wrong ones while somebody worked at the tablet."""
    session: Any = request.session
    rows = ConsoleSession.objects.filter(session_key=hashed(session.session_key or ""))
    return rows.filter(wrong_pins__lt=MOST_WRONG).exists()


def address(next_page: str) -> str:
    """That of the locked page, which leads to the next one once it is opened."""
    return f"{reverse('locked')}?{urlencode({'next': next_page}, safe='/')}"


def unlock(request: HttpRequest) -> Outcome:
    """Open it for who gave PIN, password or passkey with the form.

    WrongPassword, which counts for the lock of the name, for a wrong password.
    """
    user: Any = request.user
    proof, passkey = None, None
    if request.POST.get(PASSKEY_FIELD):
        factor = passkeys.show(request, user, request.POST[PASSKEY_FIELD], passkeys.CONFIRM)
        if factor is None:
            return Outcome.WRONG  # counted for the lock of the name
        passkey = factor.pk
    elif request.POST.get("password"):
        proof = by_password(request, request.POST["password"]).user.proof
    else:
        proof = pins.proof_of(user.pk, request.POST.get("pin", ""))
        if proof is None:
            note(request, What.FAILED, user.get_username(), PIN)
    return opened(request, _ask(request, proof, passkey))


def unlock_by_provider(request: HttpRequest, proof: bytes) -> Outcome:
    """Open it for who logged in again at the log-in provider; `proof`: both halves of that."""
    return opened(request, _ask(request, proof, None))


def _ask(request: HttpRequest, proof: bytes | None, passkey: int | None) -> Outcome:
    with connection.cursor() as cursor:
        cursor.execute(_UNLOCK, [request.session.session_key, proof, passkey])
        return Outcome(cursor.fetchone()[0])


def opened(request: HttpRequest, outcome: Outcome) -> Outcome:
    """What the request's session is after that."""
    session: Any = request.session
    if outcome == Outcome.OPEN:
        session.is_locked = False
        session[LAST_USE] = time.time()
    elif outcome != Outcome.WRONG:
        request.why_logged_out = "wrong PINs"  # type: ignore[attr-defined]
        logout(request)
    return outcome
