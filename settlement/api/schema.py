"""The API's schema says how each operation refuses, and what a body must hold."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from jackpot.web.problems import MEDIA
from settlement.api.claims.action_serializers import ProblemSerializer
from settlement.api.shared.authentication import BearerScheme
from settlement.people.rights.scopes import PERSON
from settlement.signatures.signing import HEADER

_ALWAYS = {
    HTTPStatus.BAD_REQUEST: "The request cannot be read.",
    HTTPStatus.UNAUTHORIZED: "Nobody is logged in.",
    HTTPStatus.FORBIDDEN: "The role does not allow it, or the password is wrong.",
    HTTPStatus.METHOD_NOT_ALLOWED: "The address has no such method.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many requests, or wrong passwords: `Retry-After` says how"
    " long to wait.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The console cannot answer now: `Retry-After` says when.",
}
_IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of the claim as you saw it: 412 where it changed since.",
)
_IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="ETags of answers that you have: 304 and no body where this is one of them.",
)
_CHANGED = {HTTPStatus.PRECONDITION_FAILED: "It changed since it was read: `If-Match`."}
_NOT_FOUND = {HTTPStatus.NOT_FOUND: "There is nothing of that name."}
_OF_BODIES = {
    **_NOT_FOUND,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is larger than 128 KB.",
    HTTPStatus.CONFLICT: "It stands elsewhere, or somebody else has to do it.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body is no JSON.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "The body does not fit, a rule forbids it, or the key was"
    " used with another body.",
}
_SIGNED = OpenApiParameter(
    HEADER,
    str,
    OpenApiParameter.HEADER,
    description="What a passkey signed, after the answer 428: base64url of a JSON object with `id`,"
    " `statement` as it came, and `response` (`clientDataJSON`, `authenticatorData`, `signature`),"
    " as browsers give them. It stands in for the password.",
)
_KEY = OpenApiParameter(
    "Idempotency-Key",
    uuid.UUID,
    OpenApiParameter.HEADER,
    description="The same key and body again are the same action, and answer for the first.",
)


class Contract(AutoSchema):
    """Adds to each operation what all of them have in common."""

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        """`x-scope` names what a token needs; what has none is a person's, without tokens."""
        operation = super().get_operation(*args, **kwargs)
        if operation and getattr(self.view, "is_of_the_house", False):
            view: Any = self.view
            scope = view.get_scope if self.method == "GET" else view.post_scope
            operation["x-scope"] = scope or None
            if scope == PERSON:
                operation["security"] = [
                    each for each in operation["security"] if BearerScheme.name not in each
                ]
        return operation

    def get_override_parameters(self) -> list[Any]:
        parameters = list(super().get_override_parameters())
        if self.method == "POST" and getattr(self.view, "takes_key", False):
            parameters.append(_KEY)
        if self.method == "POST" and getattr(self.view, "takes_match", False):
            parameters.append(_IF_MATCH)
        if self.method == "GET" and getattr(self.view, "is_of_the_house", False):
            parameters.append(_IF_NONE_MATCH)
        if self.method == "POST" and getattr(self.view, "is_signed", False):
            parameters.append(_SIGNED)
        return parameters

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        refusals = {**_ALWAYS}
        if self.method == "POST":
            refusals |= _OF_BODIES
            if getattr(self.view, "takes_match", False):
                refusals |= _CHANGED
            if getattr(self.view, "is_signed", False):
                refusals[HTTPStatus.PRECONDITION_REQUIRED] = (
                    "The house wants it signed: see the header."
                )
        elif "{" in self.path:
            refusals |= _NOT_FOUND
        problems = {
            str(status.value): self._get_response_for_code(
                OpenApiResponse(ProblemSerializer, why), str(status.value), [MEDIA], direction
            )
            for status, why in refusals.items()
        }
        if self.method == "GET" and getattr(self.view, "is_of_the_house", False):
            problems["304"] = {"description": "You have this answer already: `If-None-Match`."}
        return dict(sorted((super()._get_response_bodies(direction) | problems).items()))

    def _map_serializer_field(
        self, field: Any, direction: Any, bypass_extensions: bool = False
    ) -> Any:
        schema = super()._map_serializer_field(field, direction, bypass_extensions)
        is_text = isinstance(field, serializers.CharField) and schema.get("type") == "string"
        if direction == "request" and is_text:
            if isinstance(field, serializers.SlugField):
                schema["pattern"] = "^[-a-zA-Z0-9_]+$"
            elif field.trim_whitespace and not field.allow_blank:
                schema["pattern"] = r"\S"  # blanks around a text are cut off
        return schema

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        schema = super()._map_basic_serializer(serializer, direction)
        if direction == "request":
            schema["additionalProperties"] = False
        return schema
