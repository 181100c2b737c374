"""How the API says no: one form for every refusal, with the rule and what to do."""

from __future__ import annotations

import re
from typing import Any

from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from settlement.errors import (
    Declined,
    FiguresNotRetyped,
    NotPermitted,
    OwnHand,
    RuleBroken,
    SamePerson,
    SecondManagerNeeded,
    SecondNeeded,
    WrongPassword,
    WrongState,
)

STATUSES: dict[type[RuleBroken], int] = {
    NotPermitted: status.HTTP_403_FORBIDDEN,
    WrongPassword: status.HTTP_403_FORBIDDEN,
    WrongState: status.HTTP_409_CONFLICT,
    SamePerson: status.HTTP_409_CONFLICT,
    OwnHand: status.HTTP_403_FORBIDDEN,
    SecondManagerNeeded: status.HTTP_409_CONFLICT,
    SecondNeeded: status.HTTP_409_CONFLICT,
    Declined: status.HTTP_409_CONFLICT,
}


def explain(error: Exception, context: dict[str, Any]) -> Response | None:
    """The response to a refusal: `error` is a stable slug, `rule` may be empty.

    None for a bug: it is logged and answered as one.
    """
    if isinstance(error, RuleBroken):
        body: dict[str, Any] = {
            "error": _slug(type(error)),
            "rule": error.rule,
            "message": str(error),
        }
        if isinstance(error, FiguresNotRetyped):
            body["fields"] = error.fields
        return Response(body, STATUSES.get(type(error), status.HTTP_422_UNPROCESSABLE_ENTITY))
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        fields = error.detail if isinstance(error.detail, dict) else {"body": error.detail}
        message = " ".join(_sentences(fields))
        response.data = {"error": "invalid", "rule": "", "message": message, "fields": fields}
        return response
    code = "not_found" if isinstance(error, Http404) else "permission_denied"
    message = "There is nothing at this address." if isinstance(error, Http404) else str(error)
    if isinstance(error, exceptions.APIException):
        code = str(error.get_codes())
    response.data = {"error": code, "rule": "", "message": message}
    return response


def _slug(kind: type[RuleBroken]) -> str:
    """The name of an error for programs.

    >>> _slug(WrongState)
    'wrong_state'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _sentences(detail: Any, name: str = "") -> list[str]:
    """A validation's findings, each with the field that it is about."""
    if isinstance(detail, dict):
        return [
            sentence
            for key, value in detail.items()
            for sentence in _sentences(value, f"{name}.{key}".lstrip("."))
        ]
    if isinstance(detail, list):
        return [sentence for value in detail for sentence in _sentences(value, name)]
    return [f"{name}: {detail}"]
