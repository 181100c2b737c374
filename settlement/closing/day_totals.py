"""What the worker adds up for pages and reports, in rows of gaming days, up to a mark of each
system that it moves with them; each night the last days are computed again and compared."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from psycopg import sql

from settlement.core.gaming_day import DAY, start_of
from settlement.core.report_query import ask, bind
from tables.models import Casino, JackpotSystem

CHECKED = 2  # days
Step = tuple[Any, sql.Composed]  # where the mark moves to, and the query of what is added up

_DIFFERENT = """
    WITH kept AS (
        SELECT {names} FROM {table} WHERE system_id = {system} AND day = {day}
    ), due AS (SELECT {names} FROM ({added_up}) AS each WHERE day = {day})
    SELECT EXISTS (TABLE kept EXCEPT TABLE due) OR EXISTS (TABLE due EXCEPT TABLE kept) AS is_so
"""


def day_in_sql(column: str, casino: Casino, first: dt.date, last: dt.date) -> sql.Composed:
    """The gaming day of an instant, which begins where `start_of` says: a clock on a wall shows
    some times twice or never where it is changed.

    An instant before `first` is of a day before it, one behind `last` of a day behind.
    """
    starts = [start_of(first + DAY * n, casino) for n in range((last - first).days + 2)]
    return bind(
        "({first}::date + width_bucket({column}, {starts}::timestamptz[]) - 1)",
        first=first,
        column=sql.SQL(column),
        starts=starts,
    )


@dataclass(frozen=True, slots=True)
class DayTotals:
    """Of one kind. `rows` and `marks`: models; `begin`: where the first mark stands; `names`:
    columns of a row; `keep`: the statement that takes `names` and rows to be `added_up`."""

    rows: Any
    marks: Any
    begin: Any
    names: str
    keep: str

    def add_up(self, system: JackpotSystem, most: int, after: Callable[[Any], Step | None]) -> int:
        """At most so many steps, each from the mark on; how many of them. `after` says of a mark
        what comes next, None where nothing does."""
        self.marks.objects.get_or_create(system=system, defaults={"through": self.begin})
        steps = 0
        while steps < most and self._step(system, after):
            steps += 1
        return steps

    @transaction.atomic
    def _step(self, system: JackpotSystem, after: Callable[[Any], Step | None]) -> bool:
        mark = self.marks.objects.select_for_update().get(system=system)
        step = after(mark.through)
        if step is None:
            return False
        mark.through, added_up = step
        with connection.cursor() as cursor:
            cursor.execute(bind(self.keep, names=sql.SQL(self.names), added_up=added_up))
        mark.save(update_fields=["through"])
        return True

    def different_days(
        self, system: JackpotSystem, of_day: Callable[[dt.date, Any], sql.Composed]
    ) -> list[dt.date]:
        """Of the newest days those whose rows are not what `of_day` adds up of a day, up to the
        mark."""
        with transaction.atomic():
            mark = self.marks.objects.select_for_update().filter(system=system).first()
            newest = self.rows.objects.filter(system=system).order_by("-day").first()
            if mark is None or newest is None:
                return []
            days = [newest.day - DAY * number for number in reversed(range(CHECKED))]
            return [
                day for day in days if self._is_different(system, day, of_day(day, mark.through))
            ]

    def _is_different(self, system: JackpotSystem, day: dt.date, added_up: sql.Composed) -> bool:
        query = bind(
            _DIFFERENT,
            names=sql.SQL(self.names),
            table=sql.Identifier(self.rows._meta.db_table),
            system=system.pk,
            day=day,
            added_up=added_up,
        )
        return bool(ask(query)[0]["is_so"])
