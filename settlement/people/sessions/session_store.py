"""Sessions of the console: SESSION_ENGINE.

The table has a hash of the key, so that nobody who reads it takes over a log-in, and the person
beside the data, put there by the database against the proof of the password. What names somebody
else than its row is no log-in, even if it is signed with our own key.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.utils import timezone

from settlement.models.access import ConsoleSession

BEGAN = "began_at"  # when its person logged in, in seconds


def hashed(key: str) -> str:
    """What stands in the table for a session's key: 160 bits of its SHA-256."""
    return hashlib.sha256(key.encode()).hexdigest()[:40]


class SessionStore(db.SessionStore):
    """A session; `proof` is set at a log-in, and goes to the database once."""

    proof: bytes | None = None
    is_locked = False  # known once it is loaded

    @classmethod
    def get_model_class(cls) -> type[ConsoleSession]:
        return ConsoleSession

    def load(self) -> dict[str, Any]:
        key = self.session_key
        rows = key and ConsoleSession.objects.filter(
            session_key=hashed(key), expire_date__gt=timezone.now()
        ).values_list("session_data", "person_id", "locked_at")
        for data, person, locked_at in rows or ():
            session: dict[str, Any] = self.decode(data)
            if session.get(SESSION_KEY) == (None if person is None else str(person)):
                self.is_locked = locked_at is not None
                return session
        self._session_key = None
        return {}

    def exists(self, session_key: str) -> bool:
        return ConsoleSession.objects.filter(session_key=hashed(session_key)).exists()

    def create_model_instance(self, data: dict[str, Any]) -> ConsoleSession:
        """A new row is nobody's: who it is follows with the proof."""
        session: Any = self
        return ConsoleSession(
            session_key=hashed(session._get_or_create_session_key()),
            session_data=self.encode(data),
            expire_date=self.get_expiry_date(),
        )

    def get_expiry_date(self, **options: Any) -> dt.datetime:
        """As Django's, and never later than a shift after the log-in."""
        expires: dt.datetime = super().get_expiry_date(**options)
        began = self._get_session().get(BEGAN)  # type: ignore[attr-defined]
        if began is None:
            return expires
        return min(expires, dt.datetime.fromtimestamp(began + settings.SESSION_SHIFT_S, dt.UTC))

    def save(self, must_create: bool = False) -> None:
        if must_create or self.session_key is None:
            super().save(must_create=must_create)
            return
        session: Any = self
        data = session._get_session()
        person = data.get(SESSION_KEY)
        changed = ConsoleSession.objects.filter(session_key=hashed(self.session_key)).update(
            session_data=self.encode(data),
            expire_date=self.get_expiry_date(),
            person=person and int(person),
            proof=self.proof,
        )
        if not changed:
            raise UpdateError
        self.proof = None

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key is not None:
            ConsoleSession.objects.filter(session_key=hashed(key)).delete()

    async def aload(self) -> dict[str, Any]:
        return await sync_to_async(self.load)()

    async def aexists(self, session_key: str) -> bool:
        return await sync_to_async(self.exists)(session_key)

    async def asave(self, must_create: bool = False) -> None:
        await sync_to_async(self.save)(must_create)

    async def adelete(self, session_key: str | None = None) -> None:
        await sync_to_async(self.delete)(session_key)
