"""Rows as lines of COPY in its text form, made by whoever knows the columns.

A writer of rows in general asks of each value what it is; here that is known, and a row costs
about a microsecond. Text that may hold a tab, a line feed or a backslash must be escaped by the
caller: codes, types and games cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.models import Field, Model

from tables.process.prepared_statements import is_in_pipeline, prepared_cursor

_NULL, _BACKSLASH = "\x02", "\x03"  # as no value has them


class RowsOf:
    """A table into which such lines are written: by COPY, or by INSERT in a pipeline, which takes
    no COPY. COPY costs less for each row, the pipeline less for each statement."""

    def __init__(self, model: type[Model], columns: str) -> None:
        """`columns`: their names in the order in which lines have them."""
        self._model, self._columns = model, columns.split()

    @cached_property
    def _names(self) -> str:
        return f"{self._model._meta.db_table} ({', '.join(self._columns)})"

    @cached_property
    def insert(self) -> str:
        types = {each.column: _type(each) for each in self._model._meta.concrete_fields}
        values = (f"field[{n}]::{types[each]}" for n, each in enumerate(self._columns, 1))
        # OFFSET 0: else the planner splits each line once for each column.
        return f"""
            INSERT INTO {self._names} SELECT {", ".join(values)} FROM (
                SELECT string_to_array(line, E'\\t', '{_NULL}')
                FROM unnest(string_to_array(%s, E'\\n')) AS line OFFSET 0
            ) AS lines (field)
        """  # noqa: S608 - of constants

    def write(self, lines: Sequence[str]) -> None:
        """Write lines, each with its line feed at the end."""
        joined = "".join(lines)
        with prepared_cursor() as cursor:
            if is_in_pipeline():
                cursor.execute(self.insert, [_without_escapes(joined.removesuffix("\n"))])
            else:
                with cursor.copy(f"COPY {self._names} FROM STDIN") as copy:
                    copy.write(joined)


def _without_escapes(lines: str) -> str:
    """Of control characters values have none, so that nothing but backslashes is escaped."""
    return lines.replace("\\\\", _BACKSLASH).replace("\\N", _NULL).replace(_BACKSLASH, "\\")


def _type(field: Field[Any, Any]) -> str:
    """As a value is read. Text stays as long as it is: a cast to varchar would cut it silently."""
    type_ = field.db_type(connection) or ""
    return "text" if type_.startswith("varchar") else type_


def null(value: object) -> object:
    """The value, or what COPY takes for NULL."""
    return "\\N" if value is None else value


def text(value: str | None) -> str:
    """Text of units, escaped; it has no control characters (`tables.protocol.messages.Text`)."""
    return "\\N" if value is None else value.replace("\\", "\\\\")


def columns(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    """Rows as columns, for `unnest`."""
    return [list(column) for column in zip(*rows, strict=True)]
