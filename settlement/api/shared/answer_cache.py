"""Answers of the API that are given again: many programs ask the same, and wait for it together.

Who asks is found out again each time: token, person, roles. An answer serves another one who asks
the same if its making began after that request had come, so it is as current as one made for it;
or if the database says by its snapshot that no transaction ended since it began, for API_CACHE_S,
as some words change with the clock alone.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from settlement.people.rights.roles import held
from tables.visibility.scope import visible

MOST_ANSWERS = 128
LARGEST_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """A body, and before it was begun: the snapshot and this process's clock."""

    snapshot: Hashable
    begun_at: float
    body: bytes


class AnswerCache:
    """The newest answer to each question."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: dict[Hashable, CachedAnswer] = {}  # what was made last stands last

    def get(self, question: Hashable) -> CachedAnswer | None:
        with self._lock:
            return self._answers.get(question)

    def put(self, question: Hashable, answer: CachedAnswer) -> None:
        with self._lock:
            before = self._answers.pop(question, answer)
            if before.begun_at > answer.begun_at:
                answer = before
            if len(answer.body) <= LARGEST_BYTES:
                self._answers[question] = answer
            while len(self._answers) > MOST_ANSWERS:
                del self._answers[next(iter(self._answers))]


answers = AnswerCache()


def answer_of(request: Request, make: Callable[[], Response]) -> HttpResponse:
    """The answer to a GET of who was let in, made now or so that it is the same."""
    longest_s: float = settings.API_CACHE_S
    # Inside a transaction its own changes are in no snapshot.
    if longest_s <= 0 or connection.in_atomic_block:
        return make()
    question = _question(request)
    earlier = answers.get(question)
    if earlier is not None and earlier.begun_at > getattr(request, "came_at", math.inf):
        return _response(earlier)
    # Before anything is read: what is committed meanwhile has another snapshot.
    snapshot, now = _snapshot(), time.monotonic()
    if earlier is not None and earlier.snapshot == snapshot and now - earlier.begun_at < longest_s:
        return _response(earlier)
    response = make()
    if response.status_code != 200:
        return response
    answer = CachedAnswer(snapshot, now, JSONRenderer().render(response.data))
    answers.put(question, answer)
    return _response(answer)


def _response(answer: CachedAnswer) -> HttpResponse:
    return HttpResponse(answer.body, content_type="application/json")


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
        row: tuple[Any, ...] = cursor.fetchone()
    return (connection.settings_dict["NAME"], *row)
