"""503 in words: the answer of a console that cannot answer now. Needs no database."""

from __future__ import annotations

import sys
from typing import Literal

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views import defaults

from jackpot.web.body_limits import too_large
from jackpot.web.problems import answer, is_for_program, problem

Reason = Literal["busy", "slow", "schema", "clock", "database"]

# When to come again, in seconds.
RETRY_AFTER_S: dict[Reason, int] = {"busy": 2, "slow": 5, "schema": 30, "clock": 30, "database": 5}
TITLES: dict[Reason, str] = {
    "busy": "The console is busy",
    "slow": "This took too long",
    "schema": "The console is being updated",
    "clock": "The clocks differ",
    "database": "The console cannot reach its database",
}
DETAILS: dict[Reason, str] = {
    "busy": "Too many requests at once. This one was not started: nothing was changed.",
    "slow": "The database stopped this request: it ran for too long, or waited too long for another"
    " one. Before you send a request again, check whether it was carried out.",
    "schema": "The tables of the database are those of another version of the console.",
    "clock": "The clock of this process and that of the database differ by more than five seconds.",
    "database": "The database does not answer. Table units keep what they record and send it as"
    " soon as it is back. Before you send a request again, check whether it was carried out.",
}
FAULT = "This is a fault of the console; it was logged."
CODES: dict[Reason, str] = {
    "busy": "busy",
    "slow": "took_too_long",
    "schema": "schema_differs",
    "clock": "clock_differs",
    "database": "database_unavailable",
}
_READ_ONLY = "25006"  # what a standby says: it was the primary a moment ago
# query_canceled, lock_not_available, deadlock_detected, serialization_failure
_GIVEN_UP = ("57014", "55P03", "40P01", "40001")


def unavailable(request: HttpRequest, reason: Reason) -> HttpResponse:
    """A page for people, `application/problem+json` (RFC 9457) for programs."""
    headers = {"Retry-After": str(RETRY_AFTER_S[reason]), "Cache-Control": "no-store"}
    if is_for_program(request):
        return answer(problem(request, 503, CODES[reason], DETAILS[reason]), headers)
    context = {
        "reason": reason,
        "title": TITLES[reason],
        "detail": DETAILS[reason],
        "is_read": request.method in ("GET", "HEAD"),
    }
    page = loader.get_template("503.html").render(context)
    return HttpResponse(page, status=503, headers=headers)


def server_error(request: HttpRequest) -> HttpResponse:
    """In place of Django's page for a fault: the fault may be the database's, and then passes."""
    fault = sys.exc_info()[1]
    state = getattr(getattr(fault, "__cause__", None), "sqlstate", None)
    if isinstance(fault, OperationalError | InterfaceError) or state == _READ_ONLY:
        return unavailable(request, "slow" if state in _GIVEN_UP else "database")
    if is_for_program(request):
        return answer(problem(request, 500, "fault", FAULT))
    return defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """In place of Django's page for a request that it refuses to read."""
    if isinstance(exception, RequestDataTooBig):
        return too_large(request, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    if is_for_program(request):
        return answer(problem(request, 400, "invalid", "This request cannot be read."))
    return defaults.bad_request(request, exception)
