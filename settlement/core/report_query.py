"""Reports: one query serves a page, which reads a part of it, and an export, which is all of it.

Amounts are micros on pages. An export gives them in units of the currency, exactly, and makes
text harmless that a spreadsheet would take for a formula.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from django.db import connection, transaction
from psycopg import sql
from psycopg.abc import Buffer

from tables.models import Casino

Shape = Literal["text", "code", "number", "money", "local", "instant", "day"]

EARLIEST = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
LATEST = dt.datetime(9999, 1, 1, tzinfo=dt.UTC)

_PIECE = 64 * 1024  # bytes
# With what a formula begins, in full width too, and what may stand before it.
_SIGNS = "=+-@＝＋－＠"
_BLANKS = " \t\r\n\v\f\u00a0\u200b\u3000\ufeff"
_JSONB = 3802  # PostgreSQL's number of the type

_SHAPES: dict[Shape, str] = {
    "code": "{column}",  # of the console's own making: no spreadsheet takes it for a formula
    "number": "{column}",
    "day": "to_char({column}, 'YYYY-MM-DD')",
    # A spreadsheet runs what begins like a formula, and some look behind white space: an
    # apostrophe makes it text.
    "text": "CASE WHEN left({column}, 1) IN (E'\\t', E'\\r', E'\\n')"
    " OR strpos({signs}, nullif(left(ltrim({column}, {blanks}), 1), '')) > 0"
    " THEN '''' || {column} ELSE {column} END",
    # Every micro that is there, and at least the currency's decimals.
    "money": "CASE WHEN {column} % {minor} = 0 THEN ({column} / {minor}) * {unit}"
    " ELSE trim_scale({column} * 0.000001) END",
    "local": "to_char({column} AT TIME ZONE {zone}, 'YYYY-MM-DD HH24:MI:SS')",
    "instant": "to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')",
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an export: its heading, where it comes from and how it is written."""

    heading: str
    source: str
    shape: Shape = "text"


@dataclass(frozen=True, slots=True)
class Lean:
    """The rows of a report with what they are sorted, chosen and added up by alone, and what makes
    of such rows those of the report: a page of them costs no more for all that stand behind it."""

    rows: sql.Composed
    in_full: Callable[[sql.Composed], sql.Composed]


@dataclass(frozen=True, slots=True)
class Report:
    """A query with its values bound. `order` names columns of it, newest or oldest first.

    `parts`: queries that together are the whole one, each after the other in its order; a long
    export reads them so, along an index, and sorts nothing. `lean`: where rows are dear.
    """

    name: str
    casino: Casino
    query: sql.Composed
    order: sql.SQL
    columns: tuple[Column, ...] = ()  # of its files; none where none are made
    parts: tuple[sql.Composed, ...] = ()
    lean: Lean | None = None

    @property
    def shortest(self) -> sql.Composed:
        """The rows to count and to add up."""
        return self.lean.rows if self.lean else self.query

    def rows(self, limit: int, offset: int = 0) -> list[dict[str, Any]]:
        """A part of the report, as dictionaries."""
        rows: list[dict[str, Any]] = []
        for part in self.parts or (self.query,):
            lines = ask(
                sql.SQL("SELECT * FROM ({}) AS report ORDER BY {} LIMIT {} OFFSET {}").format(
                    part, self.order, limit - len(rows), offset
                )
            )
            rows += lines
            if len(rows) == limit:
                break
            offset = 0 if lines or not offset else max(0, offset - _count(part))
        return rows

    def count(self) -> int:
        return _count(self.shortest)

    def csv(self) -> Iterator[bytes]:
        """The whole report as CSV with a line of headings, streamed by COPY."""
        columns = sql.SQL(", ").join(map(self._column_text, self.columns))
        with transaction.atomic(), connection.cursor() as cursor:
            # All of it is read: a planner whose statistics are old expects one row, and would
            # compare every row with every other.
            cursor.execute("SET LOCAL enable_nestloop = off")
            cursor.execute("SET LOCAL work_mem = '64MB'")  # to sort in
            if self.parts:  # a sort of millions of rows looks cheaper than it is
                cursor.execute("SET LOCAL enable_sort = off")
            for number, part in enumerate(self.parts or (self.query,)):
                statement = sql.SQL(
                    "COPY (SELECT {} FROM ({}) AS report ORDER BY {}) TO STDOUT (FORMAT csv{})"
                ).format(columns, part, self.order, sql.SQL("" if number else ", HEADER"))
                with cursor.copy(statement) as rows:
                    yield from _pieces(rows)

    def _column_text(self, column: Column) -> sql.Composed:
        heading = column.heading
        if column.shape == "money":
            heading = f"{heading}_{self.casino.currency}"
        value = sql.SQL(_SHAPES[column.shape]).format(
            column=sql.Identifier(column.source),
            digits=sql.Literal(self.casino.minor_digits),
            minor=sql.Literal(10 ** (6 - self.casino.minor_digits)),
            unit=sql.Literal(Decimal(1).scaleb(-self.casino.minor_digits)),
            zone=sql.Literal(self.casino.timezone),
            signs=sql.Literal(_SIGNS),
            blanks=sql.Literal(_BLANKS),
        )
        return sql.SQL("{} AS {}").format(value, sql.Identifier(heading))


def _count(query: sql.Composed) -> int:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("SELECT count(*) FROM ({}) AS report").format(query))
        return int(cursor.fetchone()[0])


def plain_text(text: str) -> str:
    """A text that no spreadsheet takes for a formula, as `Report.csv` writes it.

    >>> plain_text("=1+1"), plain_text(" @SUM(A1)"), plain_text("7 = 7")
    ("'=1+1", "' @SUM(A1)", '7 = 7')
    """
    begins = text.lstrip(_BLANKS)[:1]
    is_formula = text[:1] in ("\t", "\r", "\n") or (begins and begins in _SIGNS)
    return f"'{text}" if is_formula else text


def _pieces(rows: Iterable[Buffer]) -> Iterator[bytes]:
    """COPY gives row by row: together they cost less on their way."""
    piece = bytearray()
    for row in rows:
        piece += row
        if len(piece) >= _PIECE:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)


def ask(query: sql.Composed) -> list[dict[str, Any]]:
    """The rows of a query as dictionaries."""
    with connection.cursor() as cursor:
        cursor.execute(query)
        names = [column.name for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        # Django reads the JSON of its own fields only: here it comes as text.
        for name in (column.name for column in cursor.description if column.type_code == _JSONB):
            for row in rows:
                row[name] = None if row[name] is None else json.loads(row[name])
    return rows


def bind(query: str, **values: Any) -> sql.Composed:
    """A query with its values. COPY takes no parameters: they enter as escaped literals."""
    return sql.SQL(query).format(
        **{
            name: value if isinstance(value, sql.Composable) else sql.Literal(value)
            for name, value in values.items()
        }
    )


def fill(text: str, **values: sql.Composable) -> sql.Composable:
    """An SQL expression: a text for people, with expressions in place of `%(name)s`."""
    filled: sql.Composable = sql.Literal(text)
    for name, value in values.items():
        filled = sql.SQL("replace({}, {}, {})").format(filled, sql.Literal(f"%({name})s"), value)
    return filled


def in_words(expression: str, words: Mapping[str, str]) -> sql.Composed:
    """An SQL expression that says a code in words, or the code itself where it has none."""
    return sql.SQL("CASE {} {} ELSE {} END").format(
        sql.SQL(expression),
        sql.SQL(" ").join(
            sql.SQL("WHEN {} THEN {}").format(code, text) for code, text in words.items()
        ),
        sql.SQL(expression),
    )
