"""Whether what a program saw is still so: the ETag of an answer, and `If-Match` of an action."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.cache import set_response_etag
from django.utils.http import parse_etags
from rest_framework import exceptions, status
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request


class PreconditionFailed(exceptions.APIException):
    """Somebody changed it since it was read."""

    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "precondition_failed"


def etag_of(data: Any) -> str:
    """That of the answer to a GET with this data (`base.JsonView`)."""
    answer = set_response_etag(HttpResponse(JSONRenderer().render(data)))
    return str(answer["ETag"])


def require_unchanged(request: Request, etag: str) -> None:
    """PreconditionFailed where the request's `If-Match` names other ETags alone.

    What the action itself asks for is asked all the same, at its place in the order.
    """
    tags = parse_etags(request.headers.get("If-Match", ""))
    if tags != ["*"] and etag not in tags:
        raise PreconditionFailed("It changed since you read it. Read it again before you decide.")
