"""The pages of the API for people who write programs: every operation, as the schema has it.

Read once for each process from the document that `/api/schema/` gives, whose texts are English.
"""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from settlement.people.rights.scopes import LABELS

_METHODS = ("get", "post", "put", "patch", "delete")
_DEEPEST = 4  # levels of fields within fields
_WORDS = {
    "date": "date",
    "date-time": "date and time with its zone",
    "uuid": "UUID",
    "uri": "address",
}
_EXAMPLES: Mapping[str, Any] = {"integer": 1, "number": 1.0, "boolean": True}


@dataclass(frozen=True, slots=True)
class Field:
    """One of a body or an answer; `name` has the way to it, as `payees[].seat`."""

    name: str
    kind: str
    is_required: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """`place`: path, query or header."""

    place: str
    field: Field


@dataclass(frozen=True, slots=True)
class Answer:
    """`fields` are empty where it is a problem, or has no body."""

    status: str
    meaning: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """`scope` is what a token needs; empty where a person does it."""

    name: str
    method: str
    path: str
    group: str
    meaning: str
    scope: str
    parameters: tuple[Parameter, ...]
    body: tuple[Field, ...]
    answers: tuple[Answer, ...]
    example: str  # of its body; empty where it takes none

    @property
    def scope_words(self) -> Any:
        return LABELS[self.scope]


@functools.cache
def operations() -> Mapping[str, Operation]:
    """By their names, in the order of the schema: of groups, then of addresses."""
    document: Any = SchemaGenerator().get_schema(request=None, public=True)
    schemas = document["components"]["schemas"]
    rows = [
        _operation(path, method, methods[method], schemas)
        for path, methods in document["paths"].items()
        for method in _METHODS
        if method in methods
    ]
    return {each.name: each for each in sorted(rows, key=lambda each: each.group)}


@require_safe
@never_cache
@login_required
def reference(request: HttpRequest) -> HttpResponse:
    """All operations, by what they are about."""
    groups = itertools.groupby(operations().values(), key=lambda each: each.group)
    context = {"groups": [(group, list(each)) for group, each in groups]}
    return render(request, "console/api/reference.html", context)


@require_safe
@never_cache
@login_required
def operation(request: HttpRequest, operation: str) -> HttpResponse:
    """What it takes and answers."""
    each = operations().get(operation)
    if each is None:
        raise Http404
    context = {
        "operation": each,
        "example": _curl(each, request.build_absolute_uri("/").rstrip("/")),
    }
    return render(request, "console/api/operation.html", context)


def _curl(operation: Operation, origin: str) -> str:
    """A command that asks for it, with what is to be filled in."""
    names = {each.field.name for each in operation.parameters}
    lines = [
        f"curl -X {operation.method} '{origin}{operation.path}'",
        '-H "Authorization: Bearer $TOKEN"' if operation.scope else "-u NAME",
    ]
    if "Idempotency-Key" in names:
        lines.append('-H "Idempotency-Key: $(uuidgen)"')
    if operation.example:
        lines += ["-H 'Content-Type: application/json'", f"-d '{operation.example}'"]
    return " \\\n  ".join(lines)


def _operation(path: str, method: str, row: Any, schemas: Any) -> Operation:
    body = row.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    return Operation(
        name=row["operationId"],
        method=method.upper(),
        path=path,
        group=row["tags"][0].capitalize(),
        meaning=_text(row),
        scope=row.get("x-scope") or "",
        parameters=tuple(_parameter(each) for each in row.get("parameters", ())),
        body=tuple(_fields(body, schemas)) if body else (),
        answers=tuple(
            _answer(status, answer, schemas) for status, answer in row["responses"].items()
        ),
        example=json.dumps(_example(body, schemas), indent=2, ensure_ascii=False) if body else "",
    )


def _parameter(row: Any) -> Parameter:
    schema = row["schema"]
    is_required = row.get("required", False)
    field = Field(row["name"], _kind(schema, {}), is_required, _text(row))
    return Parameter(row["in"], field)


def _answer(status: str, row: Any, schemas: Any) -> Answer:
    schema = row.get("content", {}).get("application/json", {}).get("schema")
    fields = tuple(_fields(schema, schemas)) if schema else ()
    return Answer(status, _text(row), fields)


def _text(row: Any) -> str:
    """Its description, which marks codes as Markdown does."""
    return str(row.get("description", "")).replace("`", "")


def _whole(schema: Any, schemas: Any) -> dict[str, Any]:
    """The schema that this one names, with what stands beside the name."""
    parts = [schema, *schema.get("allOf", ())]
    bases = [schemas[each["$ref"].rpartition("/")[2]] for each in parts if "$ref" in each]
    return {key: value for each in (*bases, schema) for key, value in each.items()}


def _fields(schema: Any, schemas: Any, above: str = "", depth: int = 0) -> Iterator[Field]:
    whole = _whole(schema, schemas)
    if whole.get("type") == "array":
        yield from _fields(whole["items"], schemas, f"{above.removesuffix('.')}[].", depth)
        return
    required = whole.get("required", ())
    for name, inner in whole.get("properties", {}).items():
        each = _whole(inner, schemas)
        way = f"{above}{name}"
        yield Field(way, _kind(inner, schemas), name in required, _text(each))
        if depth < _DEEPEST:
            yield from _fields(inner, schemas, f"{way}.", depth + 1)


def _kind(schema: Any, schemas: Any) -> str:
    """In words: `text, at most 200 characters`, `list of integer, or null`."""
    whole = _whole(schema, schemas)
    words = _WORDS.get(whole.get("format", ""), str(whole.get("type") or "any"))
    if "enum" in whole:
        words = " | ".join(str(each) for each in whole["enum"] if each not in (None, ""))
    elif "oneOf" in whole:
        words = " | ".join(filter(None, (_kind(each, schemas) for each in whole["oneOf"])))
    elif whole.get("type") == "array":
        words = f"list of {_kind(whole['items'], schemas)}"
    if whole.get("maxLength"):
        words += f", at most {whole['maxLength']} characters"
    if whole.get("nullable"):
        words += ", or null"
    return words


def _example(schema: Any, schemas: Any) -> Any:
    """A body with what is required, to be filled in."""
    whole = _whole(schema, schemas)
    if "oneOf" in whole:
        return _example(whole["oneOf"][0], schemas)
    if "enum" in whole:
        return whole["enum"][0]
    if whole.get("type") == "array":
        return [_example(whole["items"], schemas)]
    if whole.get("type") == "object":
        fields = whole.get("properties", {})
        return {name: _example(fields[name], schemas) for name in whole.get("required", fields)}
    return _EXAMPLES.get(whole.get("type", ""), "…")
