"""What a role refuses, or the database at the last moment: the answer, and a note of it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views import defaults

from jackpot.web.problems import answer, is_for_program, problem
from settlement.core import guards
from settlement.people.sessions.sessions import way_back
from settlement.people.shared.security_log import note_refusal
from tables.telemetry.json_logs import request_id


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """In place of Django's page for what a role does not allow."""
    note_refusal(request, str(exception))
    return defaults.permission_denied(request, exception)


class LastWord:
    """Middleware: what a guard of the database refused and no service put in words is a 409."""

    async_capable = False
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        """None for what is no guard's: a bug stays one."""
        refusal = guards.last_word(fault)
        if refusal is None:
            return None
        if is_for_program(request):
            return answer(problem(request, 409, "changed_meanwhile", str(refusal)))
        context = {"why": refusal, "reference": request_id.get(), "back": way_back(request)}
        return render(request, "409.html", context, status=409)
