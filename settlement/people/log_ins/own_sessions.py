"""A person's own log-ins: on which device, when something was done last, and their end."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest
from django.utils import timezone

from settlement.models import ConsoleSession
from settlement.people.log_ins.browsers import device
from settlement.people.log_ins.log_in import DEVICE
from settlement.people.sessions.screen_lock import LAST_USE
from settlement.people.sessions.session_store import BEGAN, hashed
from settlement.people.sessions.tablets import NAME
from settlement.people.shared.security_log import What, note

_SHORT = 12  # digits of the hash that name a session on its person's page


@dataclass(frozen=True, slots=True)
class OwnSession:
    """One log-in; times are None where the log-in is of before they were kept."""

    name: str
    device: str
    began_at: dt.datetime | None
    seen_at: dt.datetime | None
    is_this: bool
    is_locked: bool = False


def sessions_of(request: HttpRequest) -> list[OwnSession]:
    """Those of the request's person that are open: this one first, then the newest."""
    mine = hashed(request.session.session_key or "")
    bodies = ((row, row.get_decoded()) for row in _open(request).defer("expire_date"))
    own = [
        OwnSession(
            name=row.session_key[:_SHORT],
            device=body.get(NAME) or device(body.get(DEVICE, "")),
            began_at=_time(body.get(BEGAN)),
            seen_at=_time(body.get(LAST_USE)),
            is_this=row.session_key == mine,
            is_locked=row.locked_at is not None,
        )
        for row, body in bodies
        if body.get(SESSION_KEY) == str(row.person_id)
    ]
    return sorted(
        own,
        key=lambda each: (each.is_this, each.seen_at.timestamp() if each.seen_at else 0),
        reverse=True,
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


def _time(seconds: float | None) -> dt.datetime | None:
    return dt.datetime.fromtimestamp(seconds, dt.UTC) if seconds else None
