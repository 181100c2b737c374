"""Rows for COPY in its text form, made by whoever knows the columns.

A writer of rows in general asks of each value what it is; here that is known, and a row costs
about a microsecond. Text that may hold a tab, a line feed or a backslash must be escaped by the
caller: codes, types and games cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tables.process.prepared_statements import prepared_cursor


def null(value: object) -> object:
    """The value, or what COPY takes for NULL."""
    return "\\N" if value is None else value


def text(value: str | None) -> str:
    """Text that may hold anything, escaped."""
    if value is None:
        return "\\N"
    escaped = value.replace("\\", "\\\\").replace("\t", "\\t")
    return escaped.replace("\n", "\\n").replace("\r", "\\r")


def copy_lines(statement: str, lines: Iterable[str]) -> None:
    """Copy lines, each with its line feed at the end."""
    with prepared_cursor() as cursor, cursor.copy(statement) as copy:
        copy.write("".join(lines))


def columns(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    """Rows as columns, for `unnest`."""
    return [list(column) for column in zip(*rows, strict=True)]
