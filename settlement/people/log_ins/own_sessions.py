"""A person's own log-ins: on which device, when something was done last, and their end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from settlement.models import ConsoleSession
from settlement.people.log_ins import open_sessions
from settlement.people.log_ins.open_sessions import OpenSession
from settlement.people.sessions.session_store import hashed
from settlement.people.shared.security_log import What, note


@dataclass(frozen=True, slots=True)
class OwnSession:
    """One log-in of one's own, and whether it is the one that asks."""

    session: OpenSession
    is_this: bool


def sessions_of(request: HttpRequest) -> list[OwnSession]:
    """Those of the request's person that are open: this one first, then the newest."""
    this = open_sessions.short(hashed(request.session.session_key or ""))
    own = open_sessions.of(request.user)
    return sorted(
        (OwnSession(each, each.name == this) for each in own), key=lambda each: not each.is_this
    )


def end(request: HttpRequest, name: str = "") -> int:
    """End the log-in of that name, or all but this one; how many there were."""
    rows = _open(request).exclude(session_key=hashed(request.session.session_key or ""))
    if name:
        rows = rows.filter(session_key__startswith=name)
    ended: int = rows.delete()[0]
    if ended:
        user: Any = request.user
        note(request, What.ENDED, user.get_username(), f"by its person: {ended}")
    return ended


def _open(request: HttpRequest) -> Any:
    return ConsoleSession.objects.filter(person_id=request.user.pk, expire_date__gt=timezone.now())
