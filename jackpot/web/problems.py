"""Refusals for programs: problem details as JSON (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, JsonResponse

MEDIA = "application/problem+json"


def problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """The body: `code` is a stable slug for programs, `detail` says why and what to do.

    >>> problem(404, "not_found", "There is nothing here.")["title"]
    'Not Found'
    """
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        **more,
    }


def answer(body: dict[str, Any], headers: dict[str, str] | None = None) -> JsonResponse:
    """The response with that body, where no view of the API gives it."""
    return JsonResponse(body, status=body["status"], content_type=MEDIA, headers=headers)


def is_for_program(request: HttpRequest) -> bool:
    """Whether a program asks: it gets no page."""
    return request.path_info.startswith(("/api/", "/health/"))
