"""What every file says above its rows, and the rows as they are read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection
from django.utils.translation import gettext
from psycopg import sql

from jackpot.labels.figures import write_decimals
from settlement.core.report_query import Report
from settlement.reports.definitions.definition import Definition, Field, Filters, particulars

AT_ONCE = 2000  # rows
MICROS = Decimal(1_000_000)
Tick = Callable[[int], None]  # told of so many rows more; raises to stop


@dataclass(frozen=True, slots=True)
class Sheet:
    """A report with its values bound, and what stands on each of its files.

    `totals`: micros, rows under `rows`. `origin`: who made it when, the version and checkpoints.
    """

    definition: Definition
    filters: Filters
    report: Report
    totals: dict[str, int]
    origin: list[tuple[str, str]]

    @property
    def title(self) -> str:
        return gettext(self.definition.title)

    @property
    def columns(self) -> tuple[Field, ...]:
        return self.definition.columns

    @property
    def head(self) -> list[tuple[str, str]]:
        """Term and words, for the beginning of a file."""
        return [*particulars(self.definition, self.filters), *self.origin]

    @property
    def on_every_page(self) -> list[tuple[str, str]]:
        """Of that, what each page of paper bears: the period, the currency, who made it when."""
        question = particulars(self.definition, self.filters)
        return [question[2], question[-1], *self.origin[:1]]

    def heading(self, field: Field) -> str:
        """A column's heading; of amounts with the currency."""
        title = gettext(field.title)
        return f"{title}, {self.filters.casino.currency}" if field.shape == "money" else title

    @property
    def meanings(self) -> list[tuple[str, str]]:
        """What each column means, for people."""
        return [(self.heading(each), gettext(each.meaning)) for each in self.columns]

    def rows(self, tick: Tick, *, codes: bool = False) -> Iterator[tuple[Any, ...]]:
        """All rows in their order, as Python's values: amounts exact, times of the casino.

        `codes`: for programs, not words.
        """
        names = sql.SQL(", ").join(sql.Identifier(each.source) for each in self.columns)
        fields = [replace(each, words=None) if codes else each for each in self.columns]
        zone = ZoneInfo(self.filters.casino.timezone)
        for part in self.report.parts or (self.report.query,):
            statement = sql.SQL("SELECT {} FROM ({}) AS report ORDER BY {}").format(
                names, part, self.report.order
            )
            with connection.chunked_cursor() as cursor:
                cursor.execute(statement)
                while rows := cursor.fetchmany(AT_ONCE):
                    for row in rows:
                        yield tuple(
                            value_of(field, value, zone)
                            for field, value in zip(fields, row, strict=True)
                        )
                    tick(len(rows))

    def total_of(self, field: Field) -> Decimal | int | None:
        """None where a column has none."""
        if not field.is_summed:
            return None
        total = self.totals[field.source]
        return Decimal(total) / MICROS if field.shape == "money" else total


def value_of(field: Field, value: Any, zone: ZoneInfo) -> Any:
    """One value as Python's: Decimal, int, date, a naive time of that zone, text or None."""
    if value is None:
        return None
    match field.shape:
        case "money":
            return Decimal(value) / MICROS
        case "local" | "instant":
            instant: dt.datetime = value
            return instant.astimezone(zone).replace(tzinfo=None)
        case "text" | "code":
            return field.words.get(value, value) if field.words else str(value)
    return value


def text_of(value: Any, digits: int) -> str:
    """A value as it is printed."""
    match value:
        case None:
            return ""
        case Decimal():
            places = max(digits, -int(value.normalize().as_tuple().exponent))
            return write_decimals(value, places)
        case dt.datetime():
            return value.strftime("%Y-%m-%d %H:%M:%S")
    return str(value)
