"""Pages of a list by key: where the next one goes on is the sort's values of the last row.

Rows that come or go meanwhile move nothing: no row is shown twice, and none is left out.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet
from django.http import HttpRequest
from psycopg import sql

from settlement.core.report_query import Report, ask, bind
from settlement.pages.shared.choices import query_without
from settlement.pages.shared.lists.order import PLACES, Column

LONGEST = 1200  # two names of 100 characters of four bytes, with a time and a number
_BIGGEST = 2**63


@dataclass(frozen=True, slots=True)
class Cursor:
    """Values of the columns of a sort, and whether the page stands before them."""

    values: tuple[Any, ...]
    is_back: bool


@dataclass(frozen=True, slots=True)
class ListPage:
    """Rows, and the addresses of other pages; empty where there are none."""

    rows: list[Any]
    first: str
    previous: str
    next: str


def cursor_of(request: HttpRequest, columns: Sequence[Column]) -> Cursor | None:
    """`after` or `before` of the address; None for what is no place in this order."""
    for name, is_back in (("after", False), ("before", True)):
        values = _read(request.GET.get(name, "")) or ()
        if tuple(map(type, values)) == tuple(each.type for each in columns):
            return Cursor(values, is_back)
    return None


def text_of(values: Sequence[Any]) -> str:
    """Values as they stand in an address: numbers, texts and instants."""
    text = json.dumps(list(map(_plain, values)), ensure_ascii=False)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _plain(value: Any) -> Any:
    match value:
        case dt.datetime():
            return {"at": value.isoformat()}
        case dt.date():
            return {"day": value.isoformat()}
    return value


def _read(text: str) -> tuple[Any, ...] | None:
    if not text or len(text) > LONGEST or not text.isascii():
        return None
    try:
        values = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return None
    try:
        return tuple(map(_value, values)) if isinstance(values, list) else None
    except (ValueError, OverflowError):  # the first hours of year 1 are of no year in UTC
        return None


def _value(value: Any) -> Any:
    """One of them; ValueError for what no column holds."""
    match value:
        case {"at": str(text)}:
            return dt.datetime.fromisoformat(text).astimezone(dt.UTC)
        case bool():
            raise ValueError(value)
        case {"day": str(text)}:
            return dt.date.fromisoformat(text)
        case int() if -_BIGGEST <= value < _BIGGEST:
            return value
        case str() if "\x00" not in value:
            value.encode()  # half a character is none
            return value
    raise ValueError(value)


def page_of_rows(
    request: HttpRequest, rows: QuerySet[Any], columns: Sequence[Column], size: int
) -> ListPage:
    """A page of a queryset in that order. Its columns are fields, or aliases of it."""
    cursor = cursor_of(request, columns)
    is_back = cursor is not None and cursor.is_back
    names = [each.name for each in columns]
    signs = ["-" if each.is_down != is_back else "" for each in columns]
    ordered = rows.order_by(*map("".join, zip(signs, names, strict=True)))
    if cursor is not None:
        ordered = ordered.filter(_behind(columns, cursor))
    ordered = ordered.annotate(**{f"sort_{n}": F(name) for n, name in enumerate(names)})
    places = range(len(names))
    return page_between(
        request,
        list(ordered[: size + 1]),
        size,
        cursor,
        lambda row: [getattr(row, f"sort_{n}") for n in places],
    )


def page_of_report(
    request: HttpRequest, report: Report, columns: Sequence[Column], size: int
) -> ListPage:
    """The same of a report, whose columns all go one way."""
    cursor = cursor_of(request, columns)
    is_back = cursor is not None and cursor.is_back
    is_down = columns[0].is_down != is_back
    names = [each.name for each in columns]
    keys = sql.SQL(", ").join(map(sql.Identifier, names))
    place: sql.Composable = sql.SQL("true")
    if cursor is not None:
        place = sql.SQL("({keys}) {sign} ({values})").format(
            keys=keys,
            sign=sql.SQL("<" if is_down else ">"),
            values=sql.SQL(", ").join(map(sql.Literal, cursor.values)),
        )
    direction = sql.SQL(" DESC" if is_down else " ASC")
    order = sql.SQL(", ").join(sql.Identifier(name) + direction for name in names)
    rows = bind(
        "SELECT * FROM ({whole}) AS report WHERE {place} ORDER BY {order} LIMIT {limit}",
        whole=report.shortest,
        place=place,
        order=order,
        limit=size + 1,
    )
    if report.lean is not None:
        in_full = report.lean.in_full(rows)
        rows = bind(
            "SELECT * FROM ({in_full}) AS report ORDER BY {order}", in_full=in_full, order=order
        )
    return page_between(request, ask(rows), size, cursor, lambda row: [row[name] for name in names])


def _behind(columns: Sequence[Column], cursor: Cursor) -> Q:
    """What comes behind the place, in the direction that is read."""
    behind, same = Q(), Q()
    for column, value in zip(columns, cursor.values, strict=True):
        sign = "lt" if column.is_down != cursor.is_back else "gt"
        behind |= same & Q(**{f"{column.name}__{sign}": value})
        same &= Q(**{column.name: value})
    return behind


def page_between(
    request: HttpRequest,
    rows: list[Any],
    size: int,
    cursor: Cursor | None,
    key: Callable[[Any], list[Any]],
) -> ListPage:
    """A page of rows that were read behind the cursor, in the direction of it: one more than
    `size`, where there are. `key`: a row's values of the sort."""
    is_back = cursor is not None and cursor.is_back
    has_more, rows = len(rows) > size, rows[:size]
    if is_back:
        rows.reverse()
    rest = query_without(request, *PLACES)
    start = f"{rest}&" if rest else "?"
    has_before = has_more if is_back else cursor is not None
    has_behind = is_back or has_more
    return ListPage(
        rows,
        first=(rest or request.path) if has_before else "",
        previous=f"{start}before={text_of(key(rows[0]))}" if rows and has_before else "",
        next=f"{start}after={text_of(key(rows[-1]))}" if rows and has_behind else "",
    )
