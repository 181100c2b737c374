"""What somebody reads after too many wrong passwords: a page, or JSON where a program asks.

`Retry-After` says in how many seconds the name may be tried again (RFC 6585, section 4).
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

STATUS = 429
_MESSAGE = (
    "Too many wrong passwords were given for this name at this address: wait 15 minutes, or ask"
    " the administrator to unlock the name."
)


def locked_out(request: HttpRequest, _response: Any = None, _credentials: Any = None) -> Any:
    """The answer in place of the view's own."""
    answer: HttpResponse
    if request.path.startswith("/api/"):
        body = {"error": "locked_out", "rule": "", "message": _MESSAGE}
        answer = JsonResponse(body, status=STATUS)
    else:
        answer = render(request, "registration/locked.html", status=STATUS)
    answer["Retry-After"] = str(round(settings.AXES_COOLOFF_TIME * 3600))
    return answer
