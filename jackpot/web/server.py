"""A web process: each request in one thread, when it has a place; a pool of connections for all.

Django's own handler passes a request through the middlewares in turns of the event loop and of a
thread, some twenty of each; in a flood each turn waits for hundreds of others. Here a request is
wholly done in its thread. Streams give theirs back once they have begun.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.db import InterfaceError, OperationalError, connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from jackpot.web import web_metrics
from jackpot.web.admission import Full, Line
from jackpot.web.body_limits import (
    BoundedBody,
    Large,
    Message,
    Receive,
    Refused,
    Send,
    not_from_you,
)
from jackpot.web.database_watch import DatabaseWatch
from jackpot.web.request_id import begin_request
from jackpot.web.shutdown import Leaving
from jackpot.web.unavailable import unavailable
from jackpot.web.web_traces import note_answer
from tables.process.database_probe import DatabaseProbe
from tables.telemetry import traces

LARGE_AT_ONCE = 8  # bodies beyond what every address takes
LOOK_S = 0.8  # whoever has no answer by then asks whether the database gives any

Answer = Callable[[HttpRequest], HttpResponseBase]


class WebHandler(ASGIHandler):
    """The ASGI application; `django.setup` has run."""

    def __init__(self) -> None:
        super().__init__()
        self._line = Line(settings.WEB_REQUESTS_AT_ONCE)
        self._watch = DatabaseWatch(DatabaseProbe())
        self._leaving = Leaving(settings.WEB_DRAIN_S)
        self._large = 0
        # Work whose answer nobody waits for any longer: it holds its place until it ends.
        self._abandoned: set[asyncio.Task[HttpResponseBase]] = set()
        self._apart = (f"/{settings.STATIC_URL.strip('/')}/",)

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002 - never is
        super().load_middleware(is_async=False)

    async def handle(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self._leaving.begin_to_watch()  # the server is up, and its handlers are there
        send = observed(begin_request(scope, send))
        if self._leaving.has_begun:
            send = last_of_its_line(send)
        body = BoundedBody(scope, receive, self._admit)
        try:
            await super().handle(scope, body, send)
        except Refused as refused:
            await self.send_response(refused.response, body.lingering(send))
        finally:
            self._large -= body.is_large

    async def _admit(self, request: HttpRequest, large: Large) -> HttpResponse | None:
        """The answer to who may not send a large body, found out as any other answer is."""

        def look(request: HttpRequest) -> HttpResponse:
            try:
                return HttpResponse() if large.may(request) else not_from_you(request)
            except (OperationalError, InterfaceError):
                return unavailable(request, "database")

        if self._large >= LARGE_AT_ONCE:
            return unavailable(request, "busy")
        self._large += 1
        is_let_in = False
        try:
            response = cast(HttpResponse, await self._answer_in_time(request, look))
            is_let_in = response.status_code == 200
        finally:
            self._large -= not is_let_in
        return None if is_let_in else response

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith("/health/"):
            return await self._health(request)
        vars(request)["came_at"] = time.monotonic()  # before it stands in line
        if request.path_info.startswith(self._apart):  # files need no database
            return await sync_to_async(self.get_response)(request)
        if not traces.is_on():
            return await self._answer_in_time(request, self.get_response)
        began_s = time.time()
        response = await self._answer_in_time(request, self.get_response)
        note_answer(request, response.status_code, began_s)
        return response

    async def _answer_in_time(self, request: HttpRequest, get: Answer) -> HttpResponseBase:
        """What `get` says in a thread, when this request has a place; else when to come again."""
        if self._watch.is_away:
            return unavailable(request, "database")
        at_work = asyncio.Event()
        work = asyncio.create_task(self._in_turn(request, get, at_work))
        try:
            while not (await asyncio.wait({work}, timeout=LOOK_S))[0]:
                # Who stands in line asks nothing: those at work do.
                if self._watch.is_away or (at_work.is_set() and not await self._watch.answers()):
                    self._abandon(work)
                    return unavailable(request, "database")
        except asyncio.CancelledError:  # the browser went away
            work.cancel()
            await asyncio.wait({work})
            raise
        return work.result()

    async def _in_turn(
        self, request: HttpRequest, get: Answer, at_work: asyncio.Event
    ) -> HttpResponseBase:
        try:
            async with self._line.place(request.META.get("REMOTE_ADDR", "")):
                at_work.set()
                try:
                    return await sync_to_async(get)(request)
                finally:
                    # In the request's own thread, so behind all that it still does, even for a
                    # browser that has gone. A slow reader of the answer holds no connection.
                    await sync_to_async(let_go)()
        except Full:
            return unavailable(request, "busy")

    def _abandon(self, work: asyncio.Task[HttpResponseBase]) -> None:
        def forget(task: asyncio.Task[HttpResponseBase]) -> None:
            self._abandoned.discard(task)
            if not task.cancelled() and task.exception() is None:
                task.result().close()

        self._abandoned.add(work)
        work.add_done_callback(forget)

    async def _health(self, request: HttpRequest) -> HttpResponseBase:
        """`live`: this process answers. `ready`: it stays, and its database answers too, with all
        tables of its version and near its time.

        Asked by the machine itself, under whatever name and without TLS, so before all middleware.
        """
        if request.path_info == "/health/live":
            return JsonResponse({"status": "live"})
        if request.path_info != "/health/ready":
            return JsonResponse({"status": "unknown"}, status=404)
        if self._leaving.has_begun:
            return JsonResponse({"status": "leaving"}, status=503)
        if not await self._watch.answers():
            return unavailable(request, "database")
        if difference := await self._watch.differs():
            return unavailable(request, difference)
        return JsonResponse({"status": "ready"})


def observed(send: Send) -> Send:
    """`send`, which counts the answer when it begins."""
    began = time.monotonic()

    async def say(message: Message) -> None:
        if message["type"] == "http.response.start":
            web_metrics.observe(message["status"], time.monotonic() - began)
        await send(message)

    return say


def last_of_its_line(send: Send) -> Send:
    """`send`, which ends the line with this answer."""

    async def say(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
        await send(message)

    return say


def let_go() -> None:
    """Give back this thread's connections, unless it is in the middle of something."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()


def use_pool() -> None:
    """Before the first connection: each request has a thread of its own, and one that its thread
    kept would outlive it. Every other process has few threads, which keep theirs.
    """
    database = settings.DATABASES["default"]
    # One for each request at work, and one for the streams' reader. All are opened at once: a
    # process that is busy takes seconds over each new one, just when it needs it.
    connections_of_pool = settings.WEB_REQUESTS_AT_ONCE + 1
    database["CONN_MAX_AGE"] = 0
    database["OPTIONS"]["pool"] = {
        "min_size": connections_of_pool,
        "max_size": connections_of_pool,
        "timeout": 10.0,
        # Who waits asks again; a database that came back is not waited for any longer.
        "reconnect_timeout": 2.0,
    }
