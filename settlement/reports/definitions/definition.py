"""What a report is: a title, a question, filters, columns and one query.

Each file of `settlement.reports.catalogue` has one. The query is given the casino's systems and
days; what else may be filtered names the column that is compared.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext, override
from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.labels.figures import localized, write_exact
from settlement.core.errors import WrongState
from settlement.core.gaming_day import Days, start_of, today
from settlement.core.input import read_amount
from settlement.core.report_query import Column, Report, Shape, ask, bind
from tables.models import Casino, JackpotSystem

# What can be filtered besides days; `player`: the number of somebody who was paid; an entry only by
# following a link to what it moved; amounts as `amount_code` writes them.
CODES = ("system", "jackpot", "tier", "table", "person", "player", "entry", "least", "most")
NUMBERS = ("player", "entry")
AMOUNTS = {"least": ">=", "most": "<="}  # of a column, whatever its sign


@dataclass(frozen=True, slots=True)
class Filters:
    """What is asked for: gaming days of a casino, both included, and codes; empty: all."""

    casino: Casino
    first: dt.date
    last: dt.date
    codes: Mapping[str, str] = field(default_factory=dict)  # by one of CODES
    _systems: list[JackpotSystem] = field(
        default_factory=list, init=False, repr=False, compare=False
    )
    # What was found for several parts of one page or file, by a name of theirs.
    answers: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

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
        """The one asked for, or all of the casino but rehearsals; read once."""
        if not self._systems:
            systems = JackpotSystem.objects.for_money()
            rows = systems.filter(casino=self.casino).order_by("code")
            code = self.codes.get("system")
            self._systems.extend(rows.filter(code=code) if code else rows)
            for system in self._systems:
                system.casino = self.casino
        return self._systems

    def as_json(self) -> dict[str, Any]:
        chosen = {name: text for name, text in self.codes.items() if text}
        return {"from": f"{self.first}", "to": f"{self.last}", **chosen}

    @classmethod
    def from_codes(cls, casino: Casino, codes: Mapping[str, str]) -> Filters:
        """Of today, where the days come later."""
        return cls(casino, today(casino), today(casino), codes)

    @classmethod
    def from_json(cls, casino: Casino, body: Mapping[str, str]) -> Filters:
        """What `as_json` gave."""
        codes = {name: body[name] for name in CODES if name in body}
        first, last = (dt.date.fromisoformat(body[name]) for name in ("from", "to"))
        return cls(casino, first, last, codes)


# What columns that many reports have mean.
NOTES = {
    "system": _("The jackpot system, by its code."),
    "jackpot": _("The jackpot, by the code of its terms."),
    "tier": _("The prize, by its code in the terms."),
    "table_code": _("The table, by its code."),
    "day": _("From the casino's start of day to the next one."),
    "entry": _("Its sequence number in the system: it leads to its transactions."),
    "claim": _("The number of the claim in its system: it leads to the claim."),
    "amount": _("In the currency of the casino, exact."),
}


@dataclass(frozen=True, slots=True)
class Field:
    """A column: where it comes from, its heading, how it is written; `is_summed`: has a total.

    `words`: what people read in place of a code; files for programs have the code. `note`: what it
    means. `link`: where its figure comes from, one of those in `settlement.pages.reports.links`.
    """

    source: str
    title: str
    shape: Shape = "text"
    is_summed: bool = False
    words: Mapping[str, str] | None = None
    note: str = ""
    link: str = ""

    @property
    def meaning(self) -> str:
        """What the column means, in English; every one says it."""
        return self.note or NOTES.get(self.source, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """One report. `compared`: filter to the columns of the query of which one has that code or
    log-in; without columns the query itself compares. `rules`: what asks for it.
    """

    number: int
    code: str
    title: str
    question: str
    columns: tuple[Field, ...]
    order: str
    query: Callable[[Filters], sql.Composed | list[sql.Composed]]  # or parts, in their order
    compared: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    called: str = ""  # other names by which people look for it
    is_long: bool = False  # a row an event: a page shows its beginning, and counts nothing
    # Once its days are closed its rows never change: what comes later is in those of its own day.
    is_final: bool = False
    is_of_casino: bool = False  # of the whole casino: its query asks for no system
    permission: str = "export_reports"  # another one that it needs besides
    # Of a long report only the rows of a page, where the whole query would read too much.
    page: Callable[[Filters, int, int], list[sql.Composed]] | None = None
    # The same from a row on: how many, behind which values of `order`, and whether downwards.
    onward: Callable[[Filters, int, Sequence[Any], bool], list[sql.Composed]] | None = None

    @property
    def filters(self) -> tuple[str, ...]:
        """What can be filtered besides days."""
        own = () if self.is_of_casino else ("system",)
        return tuple(name for name in CODES if name in own or name in self.compared)

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns by which its rows are in order, and told apart."""
        names = [each.split()[0] for each in self.order.split(",")]
        return tuple(each.source for each in self.columns if each.source in names)

    @property
    def summed(self) -> tuple[Field, ...]:
        return tuple(each for each in self.columns if each.is_summed)

    def report(self, filters: Filters) -> Report:
        """The query with its values bound."""
        query = self.query(filters)
        queries = query if isinstance(query, list) else [query]
        parts = [self._narrowed(each, filters) for each in queries] or [as_query(self.columns, [])]
        names = [self.code, filters.codes.get("system") or filters.casino.code, filters.days.slug]
        return Report(
            "-".join(names),
            filters.casino,
            sql.SQL(" UNION ALL ").join(parts),
            sql.SQL(self.order),
            tuple(Column(each.source, each.source, each.shape) for each in self.columns),
            tuple(parts) if isinstance(query, list) else (),
        )

    def rows(
        self, filters: Filters, limit: int, offset: int = 0, report: Report | None = None
    ) -> list[dict[str, Any]]:
        """A part of its rows, for a page. `report`: bound to the same filters, where it is."""
        report = report or self.report(filters)
        if self.page is None:
            return report.rows(limit, offset)
        parts = tuple(self._narrowed(each, filters) for each in self.page(filters, limit, offset))
        return replace(report, parts=parts).rows(limit) if parts else []

    def rows_behind(
        self, filters: Filters, limit: int, place: Sequence[Any], *, is_down: bool
    ) -> list[dict[str, Any]]:
        """Rows of a long report behind a place in its order, downwards from the end."""
        queries = self.onward(filters, limit, place, is_down) if self.onward is not None else []
        rows: list[dict[str, Any]] = []
        for query in queries:
            statement = bind(
                "SELECT * FROM ({whole}) AS report ORDER BY {order}",
                whole=self._narrowed(query, filters),
                order=sql.SQL(self.order),
            )
            part = ask(statement)
            rows += part[::-1] if is_down else part
        return rows[:limit]

    def _narrowed(self, query: sql.Composed, filters: Filters) -> sql.Composed:
        """Only the rows with what was chosen."""
        for name, columns in self.compared.items():
            names = (columns,) if isinstance(columns, str) else columns
            text = filters.codes.get(name)
            if names and text and name in AMOUNTS:
                query = bind(
                    "SELECT * FROM ({whole}) AS report WHERE abs({column}) {sign} {amount}",
                    whole=query,
                    column=sql.Identifier(*names),
                    sign=sql.SQL(AMOUNTS[name]),
                    amount=_micros(text, filters.casino),
                )
            elif names and text:
                query = bind(
                    "SELECT * FROM ({whole}) AS report WHERE {wanted} IN ({columns})",
                    whole=query,
                    columns=sql.SQL(", ").join(map(sql.Identifier, names)),
                    wanted=_number(text) if name in NUMBERS else text,
                )
        return query

    def totals(self, report: Report) -> dict[str, int]:
        """`rows`, and the sum of every column that has one: micros of money."""
        sums = [
            bind("coalesce(sum({name}), 0)::bigint AS {name}", name=sql.Identifier(each.source))
            for each in self.summed
        ]
        parts = sql.SQL(", ").join([sql.SQL('count(*) AS "rows"'), *sums])
        return ask(bind("SELECT {parts} FROM ({whole}) AS r", parts=parts, whole=report.query))[0]


def _number(text: str) -> int:
    """The entry or player that somebody asks for; none has a number below one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def amount_code(micros: int, casino: Casino) -> str:
    """An amount as filters have it: as English writes it, whoever reads it."""
    with override("en"):
        return write_exact(micros, casino.minor_digits)


def amounts_of(filters: Filters) -> tuple[int | None, int | None]:
    """From which amount on, and up to which; micros. WrongState: one of them is no amount."""
    least, most = (filters.codes.get(name) for name in AMOUNTS)
    casino = filters.casino
    return _micros(least, casino) if least else None, _micros(most, casino) if most else None


def in_order(filters: Filters) -> Filters:
    """With the smaller amount first, as pages read them: else no row would be within both."""
    least, most = amounts_of(filters)
    if least is None or most is None or least <= most:
        return filters
    codes = {**filters.codes, "least": filters.codes["most"], "most": filters.codes["least"]}
    return replace(filters, codes=codes)


def _micros(text: str, casino: Casino) -> int:
    """What `amount_code` wrote. WrongState: it is no amount, and all rows are not what is asked."""
    try:
        with override("en"):
            return read_amount(text, casino.minor_digits)
    except ValueError as fault:  # in English, which is not the language of whoever reads it
        words = gettext("This is not an amount: write it like %(example)s.")
        example = "1,234.50" if casino.minor_digits else "1,234"
        raise WrongState(words % {"example": example}) from fault


_TYPES = {
    "text": "text",
    "code": "text",
    "number": "bigint",
    "money": "bigint",
    "day": "date",
    "local": "timestamptz",
    "instant": "timestamptz",
}


def as_query(columns: Sequence[Field], rows: Sequence[Mapping[str, Any]]) -> sql.Composed:
    """Rows that were worked out here, as a query like any other."""
    typed = [
        sql.SQL("{} {}").format(sql.Identifier(each.source), sql.SQL(_TYPES[each.shape]))
        for each in columns
    ]
    return bind(
        "SELECT * FROM jsonb_to_recordset({rows}::jsonb) AS report ({typed})",
        rows=json.dumps(rows, default=str),
        typed=sql.SQL(", ").join(typed),
    )


def chosen(filters: Filters) -> list[tuple[str, str]]:
    """The filters in words besides days, with what was chosen."""
    words = {
        "system": gettext("System"),
        "jackpot": gettext("Jackpot"),
        "tier": gettext("Prize"),
        "table": gettext("Table"),
        "person": gettext("Person"),
        "player": gettext("Identified as"),
        "entry": gettext("Sequence no."),
        "least": gettext("Amount from"),
        "most": gettext("Amount to"),
    }
    return [
        (words[name], localized(text) if name in AMOUNTS else text)
        for name in CODES
        if (text := filters.codes.get(name))
    ]


def particulars(definition: Definition, filters: Filters) -> list[tuple[str, str]]:
    """What was asked for, in words: for pages and files."""
    period = gettext("%(first)s to %(last)s") % {"first": filters.first, "last": filters.last}
    return [
        (gettext("Report"), gettext(definition.title)),
        (gettext("Casino"), filters.casino.name),
        (gettext("Gaming days"), period),
        *chosen(filters),
        (gettext("Currency"), filters.casino.currency),
    ]
