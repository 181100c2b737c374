"""What the rounds of each table added to prizes on each gaming day.

A casino's year has tens of millions of rounds. The worker adds up what they moved, in a row for
each table and day (`TableDay`), up to a mark that it moves with them; a page reads those rows and
the transfers of the last minute behind the mark.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from psycopg import sql

from jackpot.models import Entry, Head, Transfer
from settlement.closing.day_totals import DayTotals, Step, day_in_sql
from settlement.core.gaming_day import DAY, day_of, start_of
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

_ADDED_UP = """
    SELECT t.system_id, coalesce(n.table_id, g.id) AS table_id,
           {day} AS day,
           sum(t.amount * ((t.credit_id = ANY(prizes.ids))::int
                           - (t.debit_id = ANY(prizes.ids))::int))::bigint AS contributed
    FROM {spans} AS span
    CROSS JOIN LATERAL (
        SELECT array_agg(a.id) AS ids FROM jackpot_account a
        WHERE a.system_id = span.system_id AND a.tier_id IS NOT NULL
          AND split_part(a.code, ':', 2) IN ('pool', 'reserve', 'overflow')
    ) AS prizes
    CROSS JOIN LATERAL (  -- along primary keys: a planner reads all transfers or entries otherwise
        SELECT * FROM jackpot_transfer
        WHERE system_id = span.system_id AND number > span.since AND number <= span.until
          AND reason IN ('contribution', 'adjustment') OFFSET 0
    ) AS t
    CROSS JOIN LATERAL (
        SELECT * FROM jackpot_entry
        WHERE (system_id, seq) = (t.system_id, t.entry_seq) AND type = ANY({types}) OFFSET 0
    ) AS n
    LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    LEFT JOIN tables_gamingtable g ON n.table_id IS NULL AND g.system_id = n.system_id
         AND g.code = c.body ->> 'table'
    GROUP BY 1, 2, 3 HAVING coalesce(n.table_id, g.id) IS NOT NULL
"""
_SPAN = """
    (SELECT {system}::bigint AS system_id, {since}::bigint AS since, {until}::bigint AS until)
"""
_KEEP = """
    INSERT INTO settlement_tableday AS kept ({names}) {added_up}
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
_TOTALS_OF_DAYS = DayTotals(
    TableDay, TableDaysMark, 0, "system_id, table_id, day, contributed", _KEEP
)


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
            behind=behind(casino, systems, first, last),
        )
    )
    return [
        TableTotal(row["code"], row["name"], row["system"], row["system_name"], row["contributed"])
        for row in rows
    ]


def behind(casino: Casino, systems: Sequence[int], first: dt.date, last: dt.date) -> sql.Composed:
    """What is not added up yet, in rows of (system_id, table_id, day, contributed); what is of no
    day between the two has some other day."""
    return _added_up(casino, bind(_BEHIND, systems=list(systems), most=STEP), first, last)


def is_behind(systems: Sequence[int]) -> bool:
    """Whether more waits to be added up than `totals` reads: its figures are older ones."""
    marks = dict(TableDaysMark.objects.filter(system__in=systems).values_list("pk", "through"))
    heads = Head.objects.filter(system__in=systems).values_list("pk", "transfer_number")
    return any(number - marks.get(system, 0) > STEP for system, number in heads)


def _added_up(casino: Casino, spans: sql.Composed, first: dt.date, last: dt.date) -> sql.Composed:
    """Of spans of transfers whose days are between the two."""
    return bind(
        _ADDED_UP, spans=spans, day=day_in_sql("n.at", casino, first, last), types=list(OF_ROUNDS)
    )


def keep_table_days(system: JackpotSystem) -> int:
    """Add up what is not yet, in steps; how many of them."""

    def after(through: int) -> Step | None:
        head = Head.objects.filter(system=system).values_list("transfer_number", flat=True).first()
        until = min(head or 0, through + STEP)
        if until <= through:
            return None
        ends = Transfer.objects.filter(system=system, number__in=(through + 1, until))
        entries = Entry.objects.filter(
            system=system, seq__in=list(ends.values_list("entry_seq", flat=True))
        )
        days = [day_of(at, system.casino) for at in entries.values_list("at", flat=True)]
        span = bind(_SPAN, system=system.pk, since=through, until=until)
        return until, _added_up(system.casino, span, min(days), max(days))

    return _TOTALS_OF_DAYS.add_up(system, MOST, after)


def different_days(system: JackpotSystem) -> list[dt.date]:
    """Of the newest days those whose rows are not what their transfers come to."""

    def of_day(day: dt.date, through: int) -> sql.Composed:
        since, end = first_transfers(
            system.pk, [start_of(each, system.casino) for each in (day, day + DAY)]
        )
        span = bind(_SPAN, system=system.pk, since=since - 1, until=min(end - 1, through))
        return _added_up(system.casino, span, day, day)

    return _TOTALS_OF_DAYS.different_days(system, of_day)
