"""Log-ins that end: after a time without anything done, and streams with the log-in behind them,
which also say when there is something new."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, logout
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import ngettext

from jackpot.web.server import let_go
from settlement.core.activity import activity
from settlement.models.access import ConsoleSession
from settlement.people.roles import holders
from settlement.people.session_store import hashed

# What open pages ask for by themselves: nobody need sit there.
BACKGROUND = frozenset({"console-stream", "claim-version", "open-claims"})
# Said by a page that reads itself again, because it heard of something new.
BY_ITSELF = "X-Console-Refresh"
SEEN = "seen_at"
_NOTED_EVERY_S = 30.0
_LOOK_S = 1.0

log = logging.getLogger(__name__)


class EndIdle:
    """Middleware: logs out whoever did nothing for SESSION_IDLE_S; open pages do not count."""

    async_capable = False
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: Any, *_parts: Any) -> None:
        # Of a public page no session is looked at, so that any cache may keep it.
        if getattr(view, "is_public", False) or SESSION_KEY not in request.session:
            return
        now = time.time()
        if is_idle(request.session, now):
            request.why_logged_out = "nothing was done"  # type: ignore[attr-defined]
            logout(request)
            minutes = round(settings.SESSION_IDLE_S / 60)
            messages.warning(
                request,
                ngettext(
                    "You were logged out: nothing was done here for %(minutes)s minute.",
                    "You were logged out: nothing was done here for %(minutes)s minutes.",
                    minutes,
                )
                % {"minutes": minutes},
            )
            return
        match = request.resolver_match
        by_itself = request.method == "GET" and BY_ITSELF in request.headers
        if by_itself or (match is not None and match.view_name in BACKGROUND):
            return
        if now - request.session.get(SEEN, 0) > _NOTED_EVERY_S:
            request.session[SEEN] = now


def is_idle(session: Mapping[str, Any], now: float) -> bool:
    """Whether nothing was done with it for too long."""
    return bool(now - session.get(SEEN, now) > settings.SESSION_IDLE_S)


def still_open(keys: Collection[str]) -> set[str]:
    """Those of these sessions whose person is still logged in, active and may read the console."""
    named = {hashed(key): key for key in keys}
    rows = ConsoleSession.objects.filter(session_key__in=named, expire_date__gt=timezone.now())
    sessions = {
        named[each.session_key]: session
        for each in rows
        if (session := each.get_decoded()).get(SESSION_KEY) == str(each.person_id)
    }
    ids = {session[SESSION_KEY] for session in sessions.values() if SESSION_KEY in session}
    people = holders("view_claim").defer(None).filter(pk__in=ids)  # the hash is of the password
    allowed = {str(person.pk): person for person in people}
    now = time.time()
    return {
        key
        for key, session in sessions.items()
        if (person := allowed.get(session.get(SESSION_KEY, "")))
        and constant_time_compare(session.get(HASH_SESSION_KEY, ""), person.get_session_auth_hash())
        and not is_idle(session, now)
    }


class _Stream:
    """One open page: the log-in behind it, and what it is to be sent."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.something = asyncio.Event()
        self.ended = False
        self.heard = ""  # the activity that it was last sent
        self.activity = ""

    def tell(self, activity: str) -> None:
        self.activity = activity
        if self.heard != activity:
            self.something.set()

    def end(self) -> None:
        self.ended = True
        self.something.set()


class StreamWatch:
    """Ends the streams of a log-in that has ended, and tells the others when there is something
    new for their lists: looks once a second, for all of this process.
    """

    def __init__(self) -> None:
        self._streams: list[_Stream] = []
        self._looking: asyncio.Task[None] | None = None

    async def while_open(self, key: str, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """These pieces until the log-in of that session ends, and `activity` between them."""
        stream = _Stream(key)
        self._streams.append(stream)
        self._looking = self._looking or asyncio.create_task(self._look())
        piece: asyncio.Future[bytes] | None = None
        notice: asyncio.Future[Any] | None = None
        try:
            while not stream.ended:
                piece = piece or asyncio.ensure_future(anext(pieces))
                notice = notice or asyncio.ensure_future(stream.something.wait())
                await asyncio.wait({piece, notice}, return_when=asyncio.FIRST_COMPLETED)
                if notice.done() and not stream.ended:
                    notice = None
                    stream.something.clear()
                    stream.heard = stream.activity
                    yield f"event: activity\ndata: {stream.heard}\n\n".encode()
                elif piece.done() and not stream.ended:
                    done, piece = piece, None
                    yield done.result()
        except StopAsyncIteration:
            return
        finally:
            waiting = [each for each in (piece, notice) if each is not None]
            for each in waiting:
                each.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            self._streams.remove(stream)
            if not self._streams and self._looking is not None:
                self._looking.cancel()
                self._looking = None

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_S)
            keys = {stream.key for stream in self._streams}
            try:
                good, changes = await asyncio.to_thread(_look_in_thread, keys)
            except Exception:
                log.exception("log-ins behind streams cannot be read; looking again")
                continue
            for stream in self._streams:
                if stream.key in good:
                    stream.tell(changes)
                elif stream.key in keys:
                    stream.end()


def _look_in_thread(keys: Collection[str]) -> tuple[set[str], str]:
    try:
        return still_open(keys), activity()
    finally:
        let_go()


stream_watch = StreamWatch()
