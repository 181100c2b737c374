"""Log-ins that end: after a time without anything done, and streams with the log-in behind them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, logout
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from jackpot.web import let_go
from settlement.roles import holders

# What open pages ask for by themselves: nobody need sit there.
BACKGROUND = frozenset({"console-stream", "claim-version"})
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

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        if SESSION_KEY not in request.session:
            return
        now = time.time()
        if is_idle(request.session, now):
            request.why_logged_out = "nothing was done"  # type: ignore[attr-defined]
            logout(request)
            minutes = round(settings.SESSION_IDLE_S / 60)
            messages.warning(
                request, f"You were logged out: nothing was done here for {minutes} minutes."
            )
            return
        match = request.resolver_match
        if match is not None and match.view_name in BACKGROUND:
            return
        if now - request.session.get(SEEN, 0) > _NOTED_EVERY_S:
            request.session[SEEN] = now


def is_idle(session: Mapping[str, Any], now: float) -> bool:
    """Whether nothing was done with it for too long."""
    return bool(now - session.get(SEEN, now) > settings.SESSION_IDLE_S)


def still_open(keys: Collection[str]) -> set[str]:
    """Those of these sessions whose person is still logged in, active and may read the console."""
    found = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    sessions = {each.session_key: each.get_decoded() for each in found}
    ids = {said[SESSION_KEY] for said in sessions.values() if SESSION_KEY in said}
    people = holders("view_claim").defer(None).filter(pk__in=ids)  # the hash is of the password
    allowed = {str(person.pk): person for person in people}
    now = time.time()
    return {
        key
        for key, said in sessions.items()
        if (person := allowed.get(said.get(SESSION_KEY, "")))
        and constant_time_compare(said.get(HASH_SESSION_KEY, ""), person.get_session_auth_hash())
        and not is_idle(said, now)
    }


class StreamWatch:
    """Ends the streams of a log-in that has ended: looks once a second, for all of this process."""

    def __init__(self) -> None:
        self._streams: list[tuple[str, asyncio.Event]] = []
        self._looking: asyncio.Task[None] | None = None

    async def while_open(self, key: str, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """These pieces until the log-in of that session ends."""
        stream = (key, asyncio.Event())
        self._streams.append(stream)
        self._looking = self._looking or asyncio.create_task(self._look())
        ended = asyncio.ensure_future(stream[1].wait())
        try:
            while not ended.done():
                piece = asyncio.ensure_future(anext(pieces))
                try:
                    await asyncio.wait({piece, ended}, return_when=asyncio.FIRST_COMPLETED)
                    if piece.done() and not ended.done():
                        yield piece.result()
                finally:
                    piece.cancel()
                    await asyncio.gather(piece, return_exceptions=True)
        except StopAsyncIteration:
            return
        finally:
            ended.cancel()
            self._streams.remove(stream)
            if not self._streams and self._looking is not None:
                self._looking.cancel()
                self._looking = None

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_S)
            keys = {key for key, _ in self._streams}
            try:
                good = await asyncio.to_thread(_look_in_thread, keys)
            except Exception:
                log.exception("log-ins behind streams cannot be read; looking again")
                continue
            for key, ended in self._streams:
                if key not in good and key in keys:
                    ended.set()


def _look_in_thread(keys: Collection[str]) -> set[str]:
    try:
        return still_open(keys)
    finally:
        let_go()


stream_watch = StreamWatch()
