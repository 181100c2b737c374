"""What a report is: a title, a question, filters, columns and one query.

Each file of `settlement.reports.catalogue` has one. The query is given the casino's systems and
days; what else may be filtered names the column that is compared.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext
from psycopg import sql

from settlement.core.gaming_day import Days, start_of
from settlement.core.report_query import Column, Report, Shape, ask, bind
from tables.models import Casino, JackpotSystem

CODES = ("system", "jackpot", "tier", "table", "person")  # what can be filtered besides days


@dataclass(frozen=True, slots=True)
class Filters:
    """What is asked for: gaming days of a casino, both included, and codes; empty: all."""

    casino: Casino
    first: dt.date
    last: dt.date
    codes: Mapping[str, str] = field(default_factory=dict)  # by one of CODES

    @property
    def days(self) -> Days:
        return Days(self.first, self.last)

    @property
    def start(self) -> dt.datetime:
        return start_of(self.first, self.casino)

    @property
    def end(self) -> dt.datetime:
        """The instant at which the day after the last begins."""
        return start_of(self.last + dt.timedelta(days=1), self.casino)

    @property
    def systems(self) -> list[JackpotSystem]:
        """The one asked for, or all of the casino."""
        rows = JackpotSystem.objects.filter(casino=self.casino).order_by("code")
        wanted = self.codes.get("system")
        return list(rows.filter(code=wanted) if wanted else rows)

    def as_json(self) -> dict[str, Any]:
        chosen = {name: text for name, text in self.codes.items() if text}
        return {"from": f"{self.first}", "to": f"{self.last}", **chosen}

    @classmethod
    def from_json(cls, casino: Casino, body: Mapping[str, str]) -> Filters:
        """What `as_json` gave."""
        codes = {name: body[name] for name in CODES if name in body}
        first, last = (dt.date.fromisoformat(body[name]) for name in ("from", "to"))
        return cls(casino, first, last, codes)


@dataclass(frozen=True, slots=True)
class Field:
    """A column: where it comes from, its heading, how it is written; `is_summed`: has a total.

    `words`: what people read in place of a code; files for programs have the code.
    """

    source: str
    title: str
    shape: Shape = "text"
    is_summed: bool = False
    words: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """One report. `compared`: filter to the column of the query with that code or log-in."""

    number: int
    code: str
    title: str
    question: str
    columns: tuple[Field, ...]
    order: str
    query: Callable[[Filters], sql.Composed | list[sql.Composed]]  # or parts, in their order
    compared: Mapping[str, str] = field(default_factory=dict)
    is_long: bool = False  # a row an event: a page shows its beginning, and counts nothing

    @property
    def filters(self) -> tuple[str, ...]:
        """What can be filtered besides days."""
        return tuple(name for name in CODES if name == "system" or name in self.compared)

    @property
    def summed(self) -> tuple[Field, ...]:
        return tuple(each for each in self.columns if each.is_summed)

    def report(self, filters: Filters) -> Report:
        """The query with its values bound."""
        query = self.query(filters)
        parts = tuple(query) if isinstance(query, list) else ()
        query = sql.SQL(" UNION ALL ").join(query) if isinstance(query, list) else query
        for name, column in self.compared.items():
            if wanted := filters.codes.get(name):
                query = bind(
                    "SELECT * FROM ({whole}) AS report WHERE {column} = {wanted}",
                    whole=query,
                    column=sql.Identifier(column),
                    wanted=wanted,
                )
        names = [self.code, filters.codes.get("system") or filters.casino.code, filters.days.slug]
        return Report(
            "-".join(names),
            filters.casino,
            query,
            sql.SQL(self.order),
            tuple(Column(each.source, each.source, each.shape) for each in self.columns),
            parts,
        )

    def totals(self, report: Report) -> dict[str, int]:
        """`rows`, and the sum of every column that has one: micros of money."""
        sums = [
            bind("coalesce(sum({name}), 0)::bigint AS {name}", name=sql.Identifier(each.source))
            for each in self.summed
        ]
        parts = sql.SQL(", ").join([sql.SQL('count(*) AS "rows"'), *sums])
        return ask(bind("SELECT {parts} FROM ({whole}) AS r", parts=parts, whole=report.query))[0]


def particulars(definition: Definition, filters: Filters) -> list[tuple[str, str]]:
    """What was asked for, in words: for pages and files."""
    words = {
        "system": gettext("System"),
        "jackpot": gettext("Jackpot"),
        "tier": gettext("Prize"),
        "table": gettext("Table"),
        "person": gettext("Person"),
    }
    period = gettext("%(first)s to %(last)s") % {"first": filters.first, "last": filters.last}
    chosen = [(words[name], filters.codes[name]) for name in CODES if filters.codes.get(name)]
    return [
        (gettext("Report"), gettext(definition.title)),
        (gettext("Casino"), filters.casino.name),
        (gettext("Gaming days"), period),
        *chosen,
        (gettext("Currency"), filters.casino.currency),
    ]
