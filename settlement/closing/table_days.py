"""What the rounds of each table added to prizes on each gaming day.

A casino's year has tens of millions of rounds. The worker adds up what they moved, in a row for
each table and day (`TableDay`), up to a mark that it moves with them; a page reads those rows and
the transfers of the last minute behind the mark.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection, transaction
from psycopg import sql

from jackpot.models import Head
from settlement.core.gaming_day import DAY, start_of
from settlement.core.report_query import ask, bind
from settlement.core.sequence_at import first_transfers
from settlement.models import TableDay, TableDaysMark
from tables.models import Casino, JackpotSystem

# Entries about rounds of one table: of events the entry names it, of decisions the command.
OF_ROUNDS = (
    *("round_started", "round_completed", "void_round", "cancel_round", "missed_rounds"),
    *("accept_rounds", "refuse_rounds"),
)
STEP = 20_000  # transfers that one transaction adds up
MOST = 40  # steps of one call: more would hold up what the worker does besides
CHECKED = 2  # days

_ADDED_UP = """
    SELECT t.system_id, coalesce(n.table_id, g.id) AS table_id,
           (n.at AT TIME ZONE {zone} - {starts}::time)::date AS day,
           sum(t.amount * ((t.credit_id = ANY(prizes.ids))::int
                           - (t.debit_id = ANY(prizes.ids))::int))::bigint AS contributed
    FROM {spans} AS span
    CROSS JOIN LATERAL (
        SELECT array_agg(a.id) AS ids FROM jackpot_account a
        WHERE a.system_id = span.system_id AND a.tier_id IS NOT NULL
          AND split_part(a.code, ':', 2) IN ('pool', 'reserve', 'overflow')
    ) AS prizes
    CROSS JOIN LATERAL (  -- along the primary key: a planner reads the whole ledger otherwise
        SELECT * FROM jackpot_transfer
        WHERE system_id = span.system_id AND number > span.since AND number <= span.until
          AND reason IN ('contribution', 'adjustment') OFFSET 0
    ) AS t
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (t.system_id, t.entry_seq)
         AND n.type = ANY({types})
    LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    LEFT JOIN tables_gamingtable g ON n.table_id IS NULL AND g.system_id = n.system_id
         AND g.code = c.body ->> 'table'
    GROUP BY 1, 2, 3 HAVING coalesce(n.table_id, g.id) IS NOT NULL
"""
_SPAN = """
    (SELECT {system}::bigint AS system_id, {since}::bigint AS since, {until}::bigint AS until)
"""
_KEEP = """
    INSERT INTO settlement_tableday AS kept (system_id, table_id, day, contributed) {added_up}
    ON CONFLICT (system_id, day, table_id) DO UPDATE
    SET contributed = kept.contributed + excluded.contributed
"""
# Marks are asked for by the statement that reads the rows: in one snapshot nothing counts twice.
_BEHIND = """
    (SELECT h.system_id, coalesce(m.through, 0) AS since,
            least(h.transfer_number, coalesce(m.through, 0) + {most}) AS until
     FROM jackpot_head h LEFT JOIN settlement_tabledaysmark m ON m.system_id = h.system_id
     WHERE h.system_id = ANY({systems}::bigint[]))
"""
_TOTALS = """
    SELECT table_id, g.code, g.name, s.code AS system, s.name AS system_name,
           sum(contributed)::bigint AS contributed
    FROM (
        SELECT table_id, contributed FROM settlement_tableday
        WHERE system_id = ANY({systems}::bigint[]) AND day BETWEEN {first} AND {last}
        UNION ALL
        SELECT table_id, contributed FROM ({behind}) AS behind WHERE day BETWEEN {first} AND {last}
    ) AS each
    JOIN tables_gamingtable g ON g.id = table_id
    JOIN tables_jackpotsystem s ON s.id = g.system_id
    GROUP BY 1, 2, 3, 4, 5 ORDER BY contributed DESC, s.code, g.code
"""
_DIFFERENT = """
    WITH kept AS (
        SELECT table_id, contributed FROM settlement_tableday
        WHERE system_id = {system} AND day = {day}
    ), due AS (SELECT table_id, contributed FROM ({added_up}) AS each WHERE day = {day})
    SELECT EXISTS (TABLE kept EXCEPT TABLE due) OR EXISTS (TABLE due EXCEPT TABLE kept) AS is_so
"""


@dataclass(frozen=True, slots=True)
class TableTotal:
    """What a table's rounds added to prizes, in micros."""

    code: str
    name: str
    system: str
    system_name: str
    contributed: int


def totals(
    casino: Casino, systems: Sequence[int], first: dt.date, last: dt.date
) -> list[TableTotal]:
    """Of the tables of these systems of one casino, on these gaming days; the largest first.

    Of what the worker has not added up yet, at most `STEP` transfers of a system are read: see
    `is_behind`.
    """
    rows = ask(
        bind(
            _TOTALS,
            systems=list(systems),
            first=first,
            last=last,
            behind=behind(casino, systems),
        )
    )
    return [
        TableTotal(row["code"], row["name"], row["system"], row["system_name"], row["contributed"])
        for row in rows
    ]


def behind(casino: Casino, systems: Sequence[int]) -> sql.Composed:
    """What is not added up yet, in rows of (system_id, table_id, day, contributed)."""
    return _added_up(casino, bind(_BEHIND, systems=list(systems), most=STEP))


def is_behind(systems: Sequence[int]) -> bool:
    """Whether more waits to be added up than `totals` reads: its figures are older ones."""
    marks = dict(TableDaysMark.objects.filter(system__in=systems).values_list("pk", "through"))
    heads = Head.objects.filter(system__in=systems).values_list("pk", "transfer_number")
    return any(number - marks.get(system, 0) > STEP for system, number in heads)


def _added_up(casino: Casino, spans: sql.Composed) -> sql.Composed:
    return bind(
        _ADDED_UP,
        spans=spans,
        zone=casino.timezone,
        starts=casino.day_starts,
        types=list(OF_ROUNDS),
    )


def _of_system(system: JackpotSystem, since: int, until: int) -> sql.Composed:
    span = bind(_SPAN, system=system.pk, since=since, until=until)
    return _added_up(system.casino, span)


def keep_table_days(system: JackpotSystem) -> int:
    """Add up what is not yet, in steps; how many of them."""
    TableDaysMark.objects.get_or_create(system=system)
    steps = 0
    while steps < MOST and _step(system):
        steps += 1
    return steps


@transaction.atomic
def _step(system: JackpotSystem) -> bool:
    """From the mark on; False: nothing is behind it."""
    mark = TableDaysMark.objects.select_for_update().get(system=system)
    newest = Head.objects.filter(system=system).values_list("transfer_number", flat=True).first()
    until = min(newest or 0, mark.through + STEP)
    if until <= mark.through:
        return False
    with connection.cursor() as cursor:
        cursor.execute(bind(_KEEP, added_up=_of_system(system, mark.through, until)))
    mark.through = until
    mark.save(update_fields=["through"])
    return True


def different_days(system: JackpotSystem) -> list[dt.date]:
    """Of the newest days those whose rows are not what their transfers come to."""
    with transaction.atomic():
        mark = TableDaysMark.objects.select_for_update().filter(system=system).first()
        newest = TableDay.objects.filter(system=system).order_by("-day").first()
        if mark is None or newest is None:
            return []
        days = [newest.day - DAY * number for number in reversed(range(CHECKED))]
        return [day for day in days if _is_different(system, day, mark.through)]


def _is_different(system: JackpotSystem, day: dt.date, through: int) -> bool:
    since, until = first_transfers(
        system.pk, [start_of(each, system.casino) for each in (day, day + DAY)]
    )
    query = bind(
        _DIFFERENT,
        system=system.pk,
        day=day,
        added_up=_of_system(system, since - 1, min(until - 1, through)),
    )
    return bool(ask(query)[0]["is_so"])
