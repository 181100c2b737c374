"""Requests that nothing can answer are refused before they reach a view."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.utils.decorators import sync_and_async_middleware
from django.utils.translation import gettext

from jackpot.web.problems import answer, is_for_program, problem

# PostgreSQL cannot hold it and nobody can type it, so no address, search, name or reason has it.
_NUL = ("\x00", "%00")


@sync_and_async_middleware
def refuse_nul(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """400 for a NUL in the path, the query or a field of a form."""

    def is_refused(request: HttpRequest) -> bool:
        address = request.path + request.META.get("QUERY_STRING", "")
        if any(nul in address for nul in _NUL):
            return True
        return any("\x00" in value for _, values in request.POST.lists() for value in values)

    def refusal(request: HttpRequest) -> HttpResponse:
        message = gettext("The address or the form holds a NUL character.")
        if is_for_program(request):
            return answer(problem(request, 400, "invalid", message))
        return HttpResponseBadRequest(message, "text/plain")

    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> Any:
            return refusal(request) if is_refused(request) else await get_response(request)

        return answer_async

    def answer_sync(request: HttpRequest) -> Any:
        return refusal(request) if is_refused(request) else get_response(request)

    return answer_sync
