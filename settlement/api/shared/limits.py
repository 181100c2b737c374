"""How often a program may ask: API_PER_MINUTE of one token or person, and what is left of it.

Counted in each web process by itself, and refused before anything is read or done.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from jackpot.web.rate_limit import Allowance, RateLimit
from settlement.models import AccessToken

_ATTRIBUTE = "_api_allowance"
requests_made = RateLimit()


class PerMinute(BaseThrottle):
    """429 with `Retry-After` beyond the limit. API_PER_MINUTE = 0: there is none."""

    def __init__(self) -> None:
        self._allowance: Allowance | None = None

    def allow_request(self, request: Request, view: Any) -> bool:  # noqa: ARG002 - as it is called
        if not settings.API_PER_MINUTE:
            return True
        allowance = requests_made.take(_name(request), settings.API_PER_MINUTE)
        vars(request._request)[_ATTRIBUTE] = self._allowance = allowance
        return allowance.wait_s == 0

    def wait(self) -> float | None:
        return self._allowance.wait_s if self._allowance else None


def say_what_is_left(request: HttpRequest, response: HttpResponse) -> None:
    """The headers of the IETF's draft (draft-ietf-httpapi-ratelimit-headers)."""
    allowance: Allowance | None = vars(request).get(_ATTRIBUTE)
    if allowance is not None:
        response["RateLimit-Policy"] = f'"minute";q={settings.API_PER_MINUTE};w=60'
        reset_s = allowance.wait_s or allowance.full_s
        response["RateLimit"] = f'"minute";r={allowance.left};t={reset_s}'


def _name(request: Request) -> str:
    token = request.auth
    if isinstance(token, AccessToken):
        return f"token {token.pk}"
    return f"person {request.user.pk}"
