"""Lists in pieces: each names where the next one begins, by what its last row is sorted by.

So nothing is left out and nothing comes twice when rows are added or go meanwhile, and the last
piece costs no more than the first.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from django.core import signing
from django.db.models import Q, QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

PIECE, MOST = 50, 200  # rows
_MOMENT, _DAY = "moment", "day"
Order = tuple[str, ...]  # names as Django orders by, "-" of those that fall


class Cursors(BasePagination):
    """`limit` from 1 to 200, 50 where nothing is said; `cursor` of a `next` link. Else 400."""

    def piece(
        self, rows: QuerySet[Any] | Sequence[Any], order: Order, request: Request
    ) -> tuple[list[Any], str | None]:
        """The rows that are asked for, and the address of those behind them.

        `rows` are sorted by `order`, by which no two are alike; a query is sorted here.
        """
        size = limit_of(request)
        last = _read(request)
        if isinstance(rows, QuerySet):
            queried = rows.order_by(*order)
            if last is not None:
                queried = queried.filter(_behind(order, last))
            page = list(queried[: size + 1])
        else:
            following: Iterable[Any] = rows
            if last is not None:
                following = (row for row in rows if _is_behind(order, _values(row, order), last))
            page = list(islice(following, size + 1))
        if len(page) <= size:
            return page, None
        page.pop()
        cursor = _cursor_text(request, _values(page[-1], order))
        return page, replace_query_param(request.build_absolute_uri(), "cursor", cursor)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {
            "type": "string",
            "nullable": True,
            "format": "uri",
            "description": "The address of the next piece; null where this is the last.",
        }
        return {
            "type": "object",
            "required": ["next", "results"],
            "properties": {"next": link, "results": schema},
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:  # noqa: ARG002
        return [
            {
                "name": "limit",
                "in": "query",
                "required": False,
                "description": f"How many rows; {PIECE} where nothing is said.",
                "schema": {"type": "integer", "minimum": 1, "maximum": MOST},
            },
            {
                "name": "cursor",
                "in": "query",
                "required": False,
                "description": "Where to go on, as `next` of the piece before says.",
                "schema": {"type": "string"},
            },
        ]


def limit_of(request: Request) -> int:
    """How many rows are asked for."""
    text = request.query_params.get("limit")
    if text is None:
        return PIECE
    if not (text.isascii() and text.isdecimal() and len(text) <= 3 and 1 <= int(text) <= MOST):
        raise ValidationError({"limit": [f"Give a number from 1 to {MOST}."]})
    return int(text)


def _behind(order: Order, last: Sequence[Any]) -> Q:
    """Rows behind the one with these values.

    >>> _behind(("-at", "id"), (5, 7))
    <Q: (AND: ('at__lte', 5), (OR: ('at__lt', 5), (AND: ('at', 5), ('id__gt', 7))))>
    """
    first = order[0]
    following, alike = Q(), Q()
    for name, value in zip(order, last, strict=True):
        field, beyond = (name[1:], "lt") if name.startswith("-") else (name, "gt")
        following |= alike & Q((f"{field}__{beyond}", value))
        alike &= Q((field, value))
    if len(order) == 1:
        return following
    # Said besides, so that an index finds where to begin.
    bound = f"{first[1:]}__lte" if first.startswith("-") else f"{first}__gte"
    return Q((bound, last[0])) & following


def _is_behind(order: Order, values: Sequence[Any], last: Sequence[Any]) -> bool:
    """The same of one row.

    >>> [_is_behind(("-at", "id"), values, (5, 7)) for values in ((5, 8), (5, 7), (4, 1), (6, 9))]
    [True, False, True, False]
    """
    for name, value, other in zip(order, values, last, strict=True):
        if value != other:
            return bool(value < other if name.startswith("-") else value > other)
    return False


def _values(row: Any, order: Order) -> list[Any]:
    values = []
    for name in order:
        value = row
        for part in name.lstrip("-").split("__"):
            value = value[part] if isinstance(value, dict) else getattr(value, part)
        values.append(value)
    return values


def _cursor_text(request: Request, values: Sequence[Any]) -> str:
    """Signed, and of this list alone: whoever makes one up is refused instead of misled."""
    return signing.dumps([_plain(value) for value in values], salt=_salt(request))


def _read(request: Request) -> list[Any] | None:
    text = request.query_params.get("cursor")
    if not text:
        return None
    try:
        return [_value(value) for value in signing.loads(text, salt=_salt(request))]
    except signing.BadSignature:
        wrong = "Take it from `next` of the piece before, of the same list."
        raise ValidationError({"cursor": [wrong]}) from None


def _salt(request: Request) -> str:
    return f"cursor {request.path}"


def _plain(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return {_MOMENT: value.isoformat()}
    return {_DAY: value.isoformat()} if isinstance(value, dt.date) else value


def _value(plain: Any) -> Any:
    match plain:
        case {"moment": text}:
            return dt.datetime.fromisoformat(text)
        case {"day": text}:
            return dt.date.fromisoformat(text)
    return plain
