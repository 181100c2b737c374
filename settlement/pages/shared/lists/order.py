"""By what a list is sorted: `sort=amount` upwards, `sort=-amount` downwards."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext

from settlement.pages.shared.choices import query_without

PLACES = ("after", "before", "page")  # of a page of the list, which another order does not have
_DIGITS = re.compile(r"(\d+)")


class Column(NamedTuple):
    """What rows are sorted by: a name, what its values are, and whether they go down."""

    name: str
    type: type[dt.date] | type[int] | type[str]
    is_down: bool = False


@dataclass(frozen=True, slots=True)
class Sort:
    """A way to sort: columns that are never empty, the last of them unique to a row.

    `columns` as the list is sorted upwards. `starts_down`: at the first press of its heading.
    """

    code: str
    label: str
    columns: tuple[Column, ...]
    starts_down: bool = True


@dataclass(frozen=True, slots=True)
class SortLink:
    """Where the heading of a column leads, and `ascending`, `descending` or nothing for now."""

    address: str
    state: str


@dataclass(frozen=True, slots=True)
class Order:
    """The sort that was asked for; `is_usual`: nobody asked for one."""

    sort: Sort
    is_down: bool
    is_usual: bool = False

    @property
    def code(self) -> str:
        return f"-{self.sort.code}" if self.is_down else self.sort.code

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(
            each._replace(is_down=each.is_down != self.is_down) for each in self.sort.columns
        )


def by_name(text: str) -> list[Any]:
    """To sort names as people count: Table 3 before Table 12.

    >>> sorted(["Table 12", "table 3", "Bar"], key=by_name)
    ['Bar', 'table 3', 'Table 12']
    """
    parts = _DIGITS.split(text.casefold())  # every second one is a number
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def order_of(request: HttpRequest, sorts: Sequence[Sort], usual: str = "") -> Order:
    """What the address asks for; else the `usual` code, the first one without."""
    by_code = {sort.code: sort for sort in sorts}
    for text, is_usual in ((request.GET.get("sort", ""), False), (usual, True)):
        if (code := text.removeprefix("-")) in by_code:
            return Order(by_code[code], text.startswith("-"), is_usual)
    return Order(sorts[0], sorts[0].starts_down, is_usual=True)


def headings(request: HttpRequest, sorts: Sequence[Sort], order: Order) -> Mapping[str, SortLink]:
    """By code, for the headings of a table: one that is chosen turns round."""
    rest = query_without(request, "sort", *PLACES)
    links = {}
    for sort in sorts:
        is_chosen = sort.code == order.sort.code
        is_down = not order.is_down if is_chosen else sort.starts_down
        state = ("descending" if order.is_down else "ascending") if is_chosen else ""
        address = f"{rest}&" if rest else "?"
        links[sort.code] = SortLink(f"{address}sort={'-' if is_down else ''}{sort.code}", state)
    return links


def options(sorts: Sequence[Sort], order: Order) -> list[tuple[str, str, bool]]:
    """To choose from, also where no headings are shown: (code, words, whether it is chosen)."""
    rows = [("", gettext("Usual order"), order.is_usual)]
    for sort in sorts:
        for code, words in (
            (f"-{sort.code}", gettext("%(column)s, downwards")),
            (sort.code, gettext("%(column)s, upwards")),
        ):
            rows.append(
                (
                    code,
                    words % {"column": gettext(sort.label)},
                    code == order.code and not order.is_usual,
                )
            )
    return rows


def context_of(request: HttpRequest, sorts: Sequence[Sort], order: Order) -> dict[str, Any]:
    """What templates of a sorted list ask for."""
    return {"sorts": headings(request, sorts, order), "sort_options": options(sorts, order)}
