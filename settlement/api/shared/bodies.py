"""Bodies as they are sent: JSON's own types, and no field that the schema does not name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rest_framework import exceptions, serializers, status
from rest_framework.parsers import JSONParser
from rest_framework.request import Request

# RFC 3339: without its zone nobody knows which time is meant.
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)

_UNFIT = re.compile("[\x00\ud800-\udfff]")


class Unfit(exceptions.ValidationError):
    """A body that can be read and does not fit: 422; what cannot be read is 400."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY


class StorableJSONParser(JSONParser):
    """JSON nested deeper than Python reads, or that PostgreSQL cannot hold, is malformed."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            body = super().parse(stream, media_type, parser_context)
            if _is_storable(body):
                return body
        except RecursionError as error:
            raise exceptions.ParseError("JSON parse error - nested too deeply.") from error
        raise exceptions.ParseError("JSON parse error - a NUL or half a character in a text.")


def checked(kind: type[serializers.Serializer], request: Request) -> dict[str, Any]:
    """The request's body as the serializer reads it."""
    body = kind(data=request.data)
    if wrong := _misfits(body, request.data):
        raise Unfit(wrong)
    if not body.is_valid():
        raise Unfit(body.errors)
    return dict(body.validated_data)


def _misfits(field: serializers.Field, value: Any) -> Any:
    """What is wrong with it before the field reads it; nothing where the field will say so."""
    if isinstance(field, serializers.Serializer) and isinstance(value, Mapping):
        fields = {name: each for name, each in field.fields.items() if not each.read_only}
        faults = {name: ["There is no such field."] for name in value if name not in fields}
        return faults | _each(
            {name: (fields[name], value[name]) for name in fields if name in value}
        )
    if isinstance(field, serializers.ListField) and isinstance(value, list):
        return _each({str(at): (field.child, each) for at, each in enumerate(value)})
    if isinstance(field, serializers.DictField) and isinstance(value, Mapping):
        return _each({name: (field.child, each) for name, each in value.items()})
    return [f"Give {shape}."] if value is not None and (shape := _shape(field, value)) else {}


def _each(parts: Mapping[str, tuple[Any, Any]]) -> dict[str, Any]:
    return {name: wrong for name, part in parts.items() if (wrong := _misfits(*part))}


def _shape(field: serializers.Field, value: Any) -> str | None:
    """What the field takes, if this is of another kind; the fields themselves would convert it."""
    match field:
        case serializers.BooleanField():
            return None if isinstance(value, bool) else "true or false"
        case serializers.IntegerField():
            return None if _is_integer(value) else "an integer"
        case serializers.ChoiceField():
            kinds = {type(choice) for choice in field.choices}
            return None if type(value) in kinds else "one of the choices"
        case serializers.DateTimeField():
            is_time = isinstance(value, str) and _TIME.fullmatch(value)
            return None if is_time else "a time with its zone, as in 2026-11-21T10:00:00Z"
        case serializers.CharField():
            return None if isinstance(value, str) else "a text"
    return None


def _is_integer(value: Any) -> bool:
    return type(value) is int or (isinstance(value, float) and value.is_integer())


def _is_storable(value: Any) -> bool:
    """Whether no text in it holds a NUL or a lone surrogate."""
    if isinstance(value, str):
        return _UNFIT.search(value) is None
    if isinstance(value, dict):
        return all(_is_storable(part) for pair in value.items() for part in pair)
    return not isinstance(value, list) or all(_is_storable(part) for part in value)
