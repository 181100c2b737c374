"""Shared tablets: people who logged in there within the shift come back with badge and PIN.

Each has a log-in of their own; at one tablet no two are open, which a constraint of the database
holds. The tablet shows itself by a cookie, of which the database has the SHA-256.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.utils.translation import gettext as _

from settlement.core.errors import BadSetUp
from settlement.models import Badge, SharedTablet
from settlement.people.factors import pins
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.sessions import screen_lock
from settlement.people.sessions.screen_lock import LAST_USE, PIN, Outcome
from settlement.people.sessions.session_store import SessionStore
from settlement.people.shared.database_calls import ask
from settlement.people.shared.security_log import What, note
from tables.models import Casino

COOKIE = "shared_tablet"
NAME = "tablet"  # in a session: where it began
LONGEST_NAME = 60
_COOKIE_S = 400 * 24 * 3600  # browsers keep none longer
_BADGE = re.compile(r"[0-9A-Za-z-]{1,20}", re.ASCII)


def here(request: HttpRequest) -> SharedTablet | None:
    """The shared tablet that this browser is."""
    secret = request.COOKIES.get(COOKIE)
    if not secret:
        return None
    return SharedTablet.objects.filter(digest=_digest(secret), ended_at=None).first()


def add(by: Reauthenticated, casino: Casino, name: str) -> str:
    """Make a browser one; what its cookie is to hold. NotPermitted, BadSetUp."""
    name = name.strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        raise BadSetUp(_("Enter a name of up to 60 characters for the tablet."))
    secret = secrets.token_urlsafe(32)
    ask("add_tablet", by.user.pk, casino.pk, name, _digest(secret))
    return secret


def remember(answer: HttpResponse, secret: str) -> None:
    """The browser keeps what shows that it is the tablet."""
    answer.set_cookie(
        COOKIE,
        secret,
        max_age=_COOKIE_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def end(by: Any, tablet: SharedTablet) -> bool:
    """Revoke it: its log-ins end now. Whether it was one until now; NotPermitted."""
    return bool(ask("end_tablet", by.pk, tablet.pk))


def set_badge(by: Any, person: Any, number: str) -> None:
    """Another badge number, or none. NotPermitted, SamePerson, BadSetUp."""
    number = number.strip().upper()
    if number and not _BADGE.fullmatch(number):
        raise BadSetUp(_("A badge number has up to 20 letters, digits and hyphens."))
    ask("set_badge", by.pk, person.pk, number)


def badge_of(person: Any) -> str:
    """The person's badge number; empty for none."""
    return Badge.objects.filter(person_id=person.pk).values_list("number", flat=True).first() or ""


def sit_down(request: HttpRequest) -> None:
    """A full log-in at a shared tablet: whoever was open there is locked."""
    tablet = here(request)
    if tablet is None:
        return
    session: Any = request.session
    session[NAME] = tablet.name
    session.save()  # the database looks for its row
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sit_down(%s, %s)", [session.session_key, request.COOKIES.get(COOKIE)]
        )


def stand_up(request: HttpRequest) -> None:
    """Lock the log-in of this browser, which forgets it: it is opened with badge and PIN."""
    http: Any = request
    screen_lock.lock(request)
    http.session = SessionStore()
    rotate_token(request)


def come_back(request: HttpRequest, badge: str, pin: str) -> Outcome:
    """Open the log-in of whoever has badge and PIN, and lock who was open here."""
    http: Any = request
    person = _person_of(badge)
    proof = pins.proof_of(person.pk if person else 0, pin)
    if proof is None:
        note(request, What.FAILED, person and person.get_username(), PIN)
    fresh: Any = SessionStore()
    key = fresh._get_new_session_key()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT come_back(%s, %s, %s, %s)",
            [request.COOKIES.get(COOKIE, ""), badge.strip().upper(), proof, key],
        )
        outcome = Outcome(cursor.fetchone()[0])
    if outcome == Outcome.OPEN:
        if not http.session.is_empty() and http.session.session_key:
            screen_lock.lock(request)
        http.session = SessionStore(key)
        http.session[LAST_USE] = time.time()
        rotate_token(request)  # no form of who was here before is sent by who is here now
    return outcome


def _person_of(badge: str) -> Any:
    row = Badge.objects.select_related("person").filter(number=badge.strip().upper()).first()
    return row.person if row else None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
