"""What queries of reports share: places of days in the orders, names, days and balances."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Max
from psycopg import sql

from settlement.closing.closes import first_day
from settlement.closing.movements import Movement, movements
from settlement.core.gaming_day import DAY, start_of, today
from settlement.core.report_query import ask, bind
from settlement.core.sequence_at import entries_at, first_transfers, transfers_of
from settlement.models import ClosedDay
from settlement.reports.definitions.definition import Filters
from tables.models import JackpotSystem

# The gaming day of an instant, by the casino's own start of day.
DAY_OF = """(({at} AT TIME ZONE c.timezone)::date
    - (({at} AT TIME ZONE c.timezone)::time < c.day_starts)::int)"""
# A person by name, from a log-in, or from the key of auth_user.
NAME = """coalesce((SELECT nullif(trim(concat_ws(' ', u.first_name, u.last_name)), '')
    FROM auth_user u WHERE u.username = {login}), {login})"""
NAME_OF = """(SELECT coalesce(nullif(trim(concat_ws(' ', u.first_name, u.last_name)), ''),
    u.username) FROM auth_user u WHERE u.id = {key})"""


def full_name(column: str) -> sql.Composed:
    return bind(NAME, login=sql.SQL(column))


def name_of(column: str) -> sql.Composed:
    return bind(NAME_OF, key=sql.SQL(column))


def login_of(column: str) -> sql.Composed:
    """From the key of auth_user."""
    return bind("(SELECT u.username FROM auth_user u WHERE u.id = {key})", key=sql.SQL(column))


def day_of(column: str) -> sql.Composed:
    """`c` is the casino's row in the query."""
    return bind(DAY_OF, at=sql.SQL(column))


def span(filters: Filters) -> sql.Composed:
    """A row for each system: (system_id, first_seq, end_seq, first_transfer, end_transfer)."""
    entries = entries_at([each.pk for each in filters.systems], [filters.start, filters.end])
    transfers = transfers_of(entries)
    rows = [(system, *entries[system], *transfers[system]) for system in entries]
    names = ("system_id", "first_seq", "end_seq", "first_transfer", "end_transfer")
    columns = [[row[place] for row in rows] for place in range(len(names))]
    return bind(
        "(SELECT * FROM unnest({lists}) AS span ({names}))",
        lists=sql.SQL(", ").join(bind("{each}::bigint[]", each=each) for each in columns),
        names=sql.SQL(", ").join(map(sql.Identifier, names)),
    )


def open_from(filters: Filters) -> dt.date | None:
    """The first of these gaming days that is not closed in every system; None: all are.

    Days are closed one after the other, so everything before it is final.
    """
    days = []
    for system in filters.systems:
        first = first_day(system)
        if first is None:
            continue
        newest = ClosedDay.objects.filter(system=system).aggregate(last=Max("day"))["last"]
        due = max(filters.first, first, newest + DAY if newest else first)
        if due <= min(filters.last, today(filters.casino)):
            days.append(due)
    return min(days, default=None)


def systems(filters: Filters) -> list[int]:
    return [each.pk for each in filters.systems]


@dataclass(frozen=True, slots=True)
class DayOfBooks:
    """A gaming day of one system: every account before it and after it, and what moved; micros."""

    system: JackpotSystem
    day: dt.date
    opening: dict[str, int]
    closing: dict[str, int]
    moved: list[Movement]


def days_of_books(filters: Filters) -> list[DayOfBooks]:
    """Each gaming day on which a system had begun, from closed days and the ledger of open ones."""
    return [day for system in filters.systems for day in _days(system, filters)]


def _days(system: JackpotSystem, filters: Filters) -> list[DayOfBooks]:
    ends = [start_of(filters.first, filters.casino), filters.end]
    cut, end = first_transfers(system.pk, ends)
    figures = balances_before(system, cut)
    if cut == end and not figures:
        return []
    of_day: dict[dt.date, list[Movement]] = {}
    for each in movements(system, filters.first, filters.last):
        of_day.setdefault(each.day, []).append(each)
    first = filters.first if figures else min(of_day)
    days = []
    for number in range((filters.last - first).days + 1):
        day, opening = first + DAY * number, figures
        figures = dict(opening)
        for each in of_day.get(day, []):
            figures[each.debit] = figures.get(each.debit, 0) - each.amount
            figures[each.credit] = figures.get(each.credit, 0) + each.amount
        days.append(DayOfBooks(system, day, opening, figures, of_day.get(day, [])))
    return days


def balances_before(system: JackpotSystem, number: int) -> dict[str, int]:
    """Every account before that transfer: micros by code."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT figures_through(%s, %s)", [system.pk, number - 1])
        (figures,) = cursor.fetchone()
    balances: dict[str, int] = json.loads(figures) if isinstance(figures, str) else figures
    return balances


_DISPLAYS = """
    WITH RECURSIVE search (n, wanted, low, high) AS (
        SELECT n, wanted, 0::bigint, coalesce(
            (SELECT max(id) FROM jackpot_displaymessage WHERE system_id = {system}), 0)
        FROM unnest({wanted}::timestamptz[]) WITH ORDINALITY AS asked (wanted, n)
        UNION ALL
        SELECT n, wanted, CASE WHEN is_before THEN middle ELSE low END,
               CASE WHEN is_before THEN high ELSE middle - 1 END
        FROM search, LATERAL (SELECT (low + high + 1) / 2 AS middle) AS half, LATERAL (
            SELECT coalesce((SELECT m.at FROM jackpot_displaymessage m
                             WHERE m.system_id = {system} AND m.id <= middle
                             ORDER BY m.id DESC LIMIT 1) < wanted, true) AS is_before) AS found
        WHERE low < high
    )
    SELECT n, (SELECT m.payload FROM jackpot_displaymessage m
               WHERE m.system_id = {system} AND m.id <= low
               ORDER BY m.id DESC LIMIT 1) AS payload
    FROM search WHERE low >= high ORDER BY n
"""


def messages_before(system: JackpotSystem, instants: list[dt.datetime]) -> list[dict[str, Any]]:
    """The last message that displays were sent before each instant; empty: none yet."""
    rows = ask(bind(_DISPLAYS, system=system.pk, wanted=instants))
    return [row["payload"] or {} for row in rows]
