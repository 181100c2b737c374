"""Spans of requests: the pattern of the address, never the address, in which secrets stand."""

from __future__ import annotations

import time

from django.http import HttpRequest

from tables.telemetry import traces
from tables.telemetry.json_logs import request_id
from tables.telemetry.spans import Span


@traces.harmless
def note_answer(request: HttpRequest, status: int, began_s: float) -> None:
    """The answer to a request begins now."""
    if not traces.is_request_traced():
        return
    match = request.resolver_match
    route = match.route if match is not None else ""
    about: dict[str, str | int] = {
        "http.request.method": request.method or "",
        "http.route": route,
        "http.response.status_code": status,
        "jackpot.request_id": request_id.get(),
    }
    traces.send(Span(f"{request.method} /{route}", None, began_s, time.time(), about))
