"""Refusals for programs: problem details as JSON (RFC 9457)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils.encoding import iri_to_uri

MEDIA = "application/problem+json"
TYPES = "/api/problems/"  # the page that explains each of them


def problem(where: HttpRequest, status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """The body: `code` is a stable slug for programs, `detail` says why and what to do.

    `type` leads to the page about it, `instance` is what was asked for.
    """
    return {
        "type": f"{TYPES}#{code}",
        "title": title_of(code),
        "status": status,
        "detail": detail,
        "instance": iri_to_uri(where.path),
        "code": code,
        **more,
    }


def title_of(code: str) -> str:
    """A kind of problem in words, the same each time.

    >>> title_of("not_found")
    'Not found'
    """
    return code.replace("_", " ").capitalize()


def answer(body: dict[str, Any], headers: dict[str, str] | None = None) -> JsonResponse:
    """The response with that body, where no view of the API gives it."""
    return JsonResponse(body, status=body["status"], content_type=MEDIA, headers=headers)


def is_for_program(request: HttpRequest) -> bool:
    """Whether a program asks: it gets no page."""
    return request.path_info.startswith(("/api/", "/health/"))
