"""Answers of the API that are given again while nothing was committed: many programs ask the same.

Who asks is found out anew each time: token, person, roles. Then the database says by its snapshot
whether any transaction ended since the answer was made. So an answer is never older than the
question, but for what a clock alone changes, by API_CACHE_S.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from settlement.roles import held
from tables.visible import visible

MOST_ANSWERS = 128
LARGEST_BYTES = 256 * 1024


class AnswerCache:
    """Bodies of one snapshot of the database: another snapshot begins an empty one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._snapshot: Hashable = None
        self._bodies: dict[Hashable, tuple[float, bytes]] = {}

    def get(self, snapshot: Hashable, question: Hashable, longest_s: float) -> bytes | None:
        with self._lock:
            if snapshot != self._snapshot:
                return None
            made_at, body = self._bodies.get(question, (0.0, None))
            return body if time.monotonic() - made_at < longest_s else None

    def put(self, snapshot: Hashable, question: Hashable, made_at: float, body: bytes) -> None:
        with self._lock:
            if snapshot != self._snapshot or len(self._bodies) >= MOST_ANSWERS:
                self._snapshot, self._bodies = snapshot, {}
            if len(body) <= LARGEST_BYTES:
                self._bodies[question] = made_at, body


answers = AnswerCache()


def answer_of(request: Request, make: Callable[[], Response]) -> HttpResponse:
    """The answer to a GET of who was let in, made now or while the database stood as it does."""
    longest_s: float = settings.API_CACHE_S
    # Inside a transaction its own changes are in no snapshot.
    if longest_s <= 0 or connection.in_atomic_block:
        return make()
    question = _question(request)
    # Before anything is read: what is committed meanwhile has another snapshot.
    snapshot, made_at = _snapshot(), time.monotonic()
    body = answers.get(snapshot, question, longest_s)
    if body is None:
        response = make()
        if response.status_code != 200:
            return response
        body = JSONRenderer().render(response.data)
        answers.put(snapshot, question, made_at, body)
    return HttpResponse(body, content_type="application/json")


def _question(request: Request) -> Hashable:
    """Who asks for what, and what they may see: the same words of anybody else are another one."""
    allowed = held(request.user).allowed
    return (
        request.user.pk,
        visible(),
        frozenset(allowed.items()),
        request.build_absolute_uri(),
    )


def _snapshot() -> Hashable:
    """Another one after every commit in the database's server."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_snapshot()::text")
        found: tuple[Any, ...] = cursor.fetchone()
    return (connection.settings_dict["NAME"], *found)
