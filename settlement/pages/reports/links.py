"""Where a figure of a report comes from: the claim, the day, the table, or a report that has its
parts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from jackpot.models import Entry
from settlement.core.gaming_day import Days, Month, day_of, today
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Definition, Field, Filters
from tables.models import Casino

# The column of a row that stands for what can be chosen.
_CHOSEN = {"jackpot": "jackpot", "tier": "tier", "table": "table_code", "person": "cashier_login"}


@dataclass(frozen=True, slots=True)
class Place:
    """A row of a report that was asked for with these filters."""

    row: Mapping[str, Any]
    filters: Filters

    @property
    def system(self) -> str:
        return str(self.row.get("system") or self.filters.codes.get("system") or "")

    @property
    def days(self) -> tuple[dt.date, dt.date]:
        """The gaming days that the row is of: its own, those of its month, or all of them."""
        row, filters = self.row, self.filters
        if month := row.get("month"):
            of = Month.parse(month)
            return max(of.first, filters.first), min(of.last, filters.last)
        at = row.get("recorded_at") or row.get("at")
        day = row.get("day") or (day_of(at, filters.casino) if at else None)
        return (day, day) if day else (filters.first, filters.last)

    @property
    def query(self) -> dict[str, str]:
        """Casino, days and system, for the address of another page."""
        first, last = self.days
        parts = {"casino": self.filters.casino.code, "from": f"{first}", "to": f"{last}"}
        return parts | ({"system": self.system} if self.system else {})


def report_of(code: str, casino: Casino, days: Days, **codes: str) -> str:
    """The address of the report with the rows of another page, where files of it are made: its
    days, and the codes that it is narrowed to. Days left open: from the casino's first one on,
    to today, behind which there is nothing yet."""
    first, now = days.first or _first_day(casino), today(casino)
    last = max(first, min(days.last or now, now))
    query = {"casino": casino.code, "from": first, "to": last}
    chosen = {name: text for name, text in codes.items() if text}
    return f"{reverse('report', args=[code])}?{urlencode(query | chosen)}"


def _first_day(casino: Casino) -> dt.date:
    entries = Entry.objects.filter(system__casino=casino, seq=1)
    first_at = entries.order_by("at").values_list("at", flat=True).first()
    return today(casino) if first_at is None else day_of(first_at, casino)


def address_of(field: Field, place: Place) -> str:
    """The address behind a figure; empty where it has none."""
    value = place.row.get(field.source)
    if not field.link or value in (None, "", 0):
        return ""
    kind, _colon, code = field.link.partition(":")
    return _report(reports()[code], place) if kind == "report" else _LINKS[kind](value, place)


def _report(definition: Definition, place: Place, **more: str) -> str:
    """Another report of the same row: its days, and what both can be narrowed to."""
    query = place.query
    for name, column in _CHOSEN.items():
        chosen = place.row.get(column) or place.filters.codes.get(name)
        if chosen and name in definition.compared:
            query[name] = str(chosen)
    if definition.is_of_casino:
        query.pop("system", None)
    return f"{reverse('report', args=[definition.code])}?{urlencode(query | more)}"


def _claim(_value: Any, place: Place) -> str:
    claim = place.row.get("claim")
    return reverse("claim", args=[place.system, claim]) if claim and place.system else ""


def _pool(_value: Any, place: Place) -> str:
    tier = place.row.get("tier")
    if not tier or not place.system:
        return ""
    first, last = place.days
    days = urlencode({"from": first, "to": last})
    return f"{reverse('pool', args=[place.system, tier])}?{days}"


def _counts(_value: Any, place: Place) -> str:
    day = place.row.get("concerns") or place.days[0]
    return f"{reverse('drop')}?{urlencode({'system': place.system, 'day': day})}"


_LINKS: dict[str, Callable[[Any, Place], str]] = {
    "claim": _claim,
    "pool": _pool,
    "counts": _counts,
    "table": lambda value, place: reverse("table", args=[place.system, value]),
    "terms": lambda value, place: reverse("jackpot-terms", args=[place.system, value]),
    "player": lambda value, _place: reverse("player", args=[value]),
    "day": lambda _value, place: reverse("closing-day", args=[place.system, f"{place.days[0]}"]),
    "entry": lambda _value, place: _report(
        reports()["ledger"], place, entry=str(place.row.get("entry") or place.row["entry_seq"])
    ),
    "source": lambda value, place: _report(reports()[value], place),
}
