"""Log-ins that lock after a time without anything done, and streams with the log-in behind them,
which also say when there is something new."""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext

from jackpot.web.problems import answer, is_for_program, problem
from jackpot.web.server import let_go
from settlement.core.activity import activity
from settlement.models.access import ConsoleSession
from settlement.people.rights.role_holders import holders
from settlement.people.sessions import idle_limits
from settlement.people.sessions.screen_lock import LAST_USE, address, lock
from settlement.people.sessions.session_store import hashed
from settlement.people.shared.wall_screens import WALL_SCREENS

_STREAM = "console-stream"
# What open pages ask for by themselves: nobody need sit there.
BACKGROUND = WALL_SCREENS | {_STREAM, "claim-version", "open-claims", "open-alarms"}
# What a locked log-in still reaches: its own page, and what asks for no log-in.
WHILE_LOCKED = (
    frozenset(
        {
            *("tablet", "tablet-leave"),
            *("locked", "passkey-challenge", "logout", "invitation", "first-run"),
            *("provider-log-in", "provider-again", "provider-back", "provider-wait"),
            *("password-forgotten", "password-asked", "password-new"),
            *("password-code", "mail-confirm"),
        }
    )
    | WALL_SCREENS
)
# Said by a page that reads itself again, because it heard of something new.
BY_ITSELF = "X-Console-Refresh"
LIMIT = "idle_s"  # in a session: after so many seconds it locks
_NOTED_EVERY_S = 30.0
_LOOK_S = 0.15  # for news: a second from what happened to the screen is all that there is
_LOOKS_A_LOG_IN = 6  # at log-ins: about once a second

log = logging.getLogger(__name__)


class LockIdle:
    """Middleware: locks the log-in of whoever did nothing for long.

    Open pages do not count. Of a locked log-in nothing is answered but what opens it again.
    """

    async_capable = False
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, *_parts: Any
    ) -> HttpResponseBase | None:
        # Of a public page no session is looked at, so that any cache may keep it.
        if getattr(view, "is_public", False) or SESSION_KEY not in request.session:
            return None
        # Before the view reads anything: what happens from now on is news to the page.
        request.activity = stream_watch.activity  # type: ignore[attr-defined]
        now = time.time()
        match = request.resolver_match
        name = match.view_name if match is not None else ""
        if is_shut(request.session, now):
            if not request.session.is_locked:  # type: ignore[attr-defined]
                lock(request)
            if name in WHILE_LOCKED or not request.user.is_authenticated:
                return None
            return shut(request, name)
        if name in BACKGROUND or (request.method == "GET" and BY_ITSELF in request.headers):
            return None
        if (
            now - request.session.get(LAST_USE, 0) > _NOTED_EVERY_S
            and request.user.is_authenticated
        ):
            request.session[LAST_USE] = now
            request.session[LIMIT] = idle_limits.seconds_for(request.user)
        return None


def shut(request: HttpRequest, name: str) -> HttpResponseBase:
    """What somebody reads in place of the page, while the log-in is locked."""
    refusal = gettext("This log-in is locked: its person opens it on the console's pages.")
    if is_for_program(request):
        return answer(problem(request, 401, "locked", refusal))
    if name == _STREAM:
        return HttpResponse(refusal, status=401, content_type="text/plain")
    return redirect(address(way_back(request)))


def way_back(request: HttpRequest) -> str:
    """The page to return to: of a form the page that it stood on."""
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    form_on = urlsplit(request.headers.get("Referer", ""))
    if form_on.netloc != request.get_host():
        return reverse("home")
    return f"{form_on.path}?{form_on.query}" if form_on.query else form_on.path


def is_shut(session: Any, now: float) -> bool:
    """Whether it is locked, or nothing was done with it for too long."""
    return bool(session.get(SESSION_KEY) and session.is_locked) or is_idle(session, now)


def is_idle(session: Mapping[str, Any], now: float) -> bool:
    """Whether nothing was done with it for too long."""
    limit = session.get(LIMIT, 60 * idle_limits.SHORTEST)
    return bool(now - session.get(LAST_USE, now) > limit)


def still_open(keys: Collection[str]) -> set[str]:
    """Those of these sessions whose person is still logged in, active and may read the console."""
    digests = {hashed(key): key for key in keys}
    rows = ConsoleSession.objects.filter(
        session_key__in=digests, expire_date__gt=timezone.now(), locked_at=None
    )
    sessions = {
        digests[each.session_key]: session
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
    new for their lists: looks six times a second, at log-ins once, for all of this process.
    """

    def __init__(self) -> None:
        self.activity = ""  # as of the last look; empty while nobody listens
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
                    task, piece = piece, None
                    yield task.result()
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
                self.activity = ""

    async def _look(self) -> None:
        for look in itertools.count(1):
            await asyncio.sleep(_LOOK_S)
            asks = look % _LOOKS_A_LOG_IN == 0
            keys = {stream.key for stream in self._streams}
            try:
                looked = await asyncio.to_thread(_look_in_thread, keys if asks else ())
            except Exception:
                log.exception("log-ins behind streams cannot be read; looking again")
                continue
            good, self.activity = looked
            for stream in self._streams:
                if asks and stream.key in keys - good:
                    stream.end()
                else:
                    stream.tell(self.activity)


def _look_in_thread(keys: Collection[str]) -> tuple[set[str], str]:
    """Which of these log-ins are open, and what happened."""
    try:
        return still_open(keys) if keys else set(), activity()
    finally:
        let_go()


stream_watch = StreamWatch()
