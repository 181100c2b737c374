"""What displays read back on each gaming day: how often, and how often as sent.

A display reads back every ten seconds, so a month of a big casino has tens of millions of readings.
The worker adds them up every minute, in a row for each display and day (`DisplayDay`), up to a
mark that it moves with them; a report compares only the readings behind the mark one by one.
"""

from __future__ import annotations

import datetime as dt

from django.utils import timezone
from psycopg import sql

from settlement.closing.day_totals import DayTotals, Step, day_in_sql
from settlement.core.gaming_day import DAY, day_of, start_of
from settlement.core.report_query import EARLIEST, ask, bind
from settlement.models import DisplayDay, ReadingsMark
from tables.models import JackpotSystem

STEP = dt.timedelta(hours=1)  # of readings that one transaction adds up
GRACE = dt.timedelta(minutes=5)  # a reading is committed long before that
MOST = 48  # steps of one call: more would hold up what the worker does besides

# A reading names the entry of the message that it shows; the message of that entry has the values
# sent. Several may name one entry: their values are the same.
_COMPARED = """
    SELECT g.system_id, r.table_id, r.display, held.tiers, held.apart,
           {day} AS day,
           (extract(epoch FROM r.received_at - r.said_at) * 1000)::bigint AS slow
    FROM {spans} AS span
    JOIN tables_gamingtable g ON g.system_id = span.system_id
    CROSS JOIN LATERAL (  -- a table at a time, by its index: a planner joins all of them otherwise
        SELECT * FROM tables_displayreading
        WHERE table_id = g.id AND received_at >= span.since AND received_at < span.until OFFSET 0
    ) AS r
    LEFT JOIN LATERAL (
        SELECT count(*) AS tiers,
               max(abs((t ->> 'value')::bigint - (r.shown ->> (t ->> 'tier'))::bigint)) AS apart
        FROM (SELECT m.payload FROM jackpot_displaymessage m
              WHERE m.system_id = g.system_id AND m.system_seq = r.system_seq
              ORDER BY m.id DESC LIMIT 1) AS m,
             jsonb_array_elements(m.payload -> 'tiers') AS t
        WHERE r.shown ? (t ->> 'tier')
    ) AS held ON true
"""
_ADDED_UP = """
    SELECT system_id, table_id, display, day, count(*) AS readings,
           count(*) FILTER (WHERE tiers > 0 AND apart = 0) AS exact,
           count(*) FILTER (WHERE apart > 0) AS apart,
           count(*) FILTER (WHERE tiers IS NULL OR tiers = 0) AS unknown,
           max(apart) AS largest, max(slow) AS slowest_ms
    FROM ({compared}) AS reading GROUP BY system_id, table_id, display, day
"""
_NAMES = "system_id, table_id, display, day, readings, exact, apart, unknown, largest, slowest_ms"
# The mark is asked for by the statement that reads the rows: in one snapshot nothing counts twice.
_READINGS = """
    SELECT {names} FROM settlement_displayday
    WHERE system_id = ANY({systems}::bigint[]) AND day BETWEEN {first} AND {last}
    UNION ALL {behind}
"""
_BEHIND = """
    (SELECT s.id AS system_id, {end}::timestamptz AS until, greatest({start}::timestamptz,
        (SELECT m.through FROM settlement_readingsmark m WHERE m.system_id = s.id)) AS since
     FROM unnest({systems}::bigint[]) AS s (id))
"""
_SPAN = """
    (SELECT {system}::bigint AS system_id, {since}::timestamptz AS since,
            {until}::timestamptz AS until)
"""
_KEEP = """
    INSERT INTO settlement_displayday AS kept ({names}) {added_up}
    ON CONFLICT (system_id, day, table_id, display) DO UPDATE SET
        readings = kept.readings + excluded.readings, exact = kept.exact + excluded.exact,
        apart = kept.apart + excluded.apart, unknown = kept.unknown + excluded.unknown,
        largest = greatest(kept.largest, excluded.largest),
        slowest_ms = greatest(kept.slowest_ms, excluded.slowest_ms)
"""
_FIRST = """
    SELECT min(first.at) AS at FROM tables_gamingtable g CROSS JOIN LATERAL (
        SELECT r.received_at AS at FROM tables_displayreading r
        WHERE r.table_id = g.id AND r.received_at >= {since} ORDER BY r.received_at LIMIT 1
    ) AS first WHERE g.system_id = {system}
"""
_TOTALS_OF_DAYS = DayTotals(DisplayDay, ReadingsMark, EARLIEST, _NAMES, _KEEP)


def readings(systems: list[JackpotSystem], first: dt.date, last: dt.date) -> sql.Composed:
    """What displays of one casino read back on these gaming days, both included, in rows of a
    display and day, or two where the day runs.

    Columns: system_id, table_id, display, day, readings, exact, apart, unknown, largest (minor
    units), slowest_ms.
    """
    keys = [system.pk for system in systems]
    if not keys:
        return bind("SELECT {names} FROM settlement_displayday WHERE false", names=sql.SQL(_NAMES))
    casino = systems[0].casino
    ends = {"start": start_of(first, casino), "end": start_of(last + DAY, casino)}
    return bind(
        _READINGS,
        names=sql.SQL(_NAMES),
        systems=keys,
        first=first,
        last=last,
        behind=_added_up(systems[0], bind(_BEHIND, systems=keys, **ends), first, last),
    )


def _added_up(
    system: JackpotSystem, spans: sql.Composed, first: dt.date, last: dt.date
) -> sql.Composed:
    """Of spans of time that lie in the gaming days between the two."""
    day = day_in_sql("r.received_at", system.casino, first, last)
    return bind(_ADDED_UP, compared=bind(_COMPARED, spans=spans, day=day))


def _span(system: JackpotSystem, since: dt.datetime, until: dt.datetime) -> sql.Composed:
    first, last = (day_of(each, system.casino) for each in (since, until))
    return _added_up(system, bind(_SPAN, system=system.pk, since=since, until=until), first, last)


def keep_display_days(system: JackpotSystem) -> int:
    """Add up what was read back until some minutes ago, in steps; how many of them."""
    until = timezone.now() - GRACE

    def after(through: dt.datetime) -> Step | None:
        """From the first reading behind the mark on, if there is one by then."""
        first = ask(bind(_FIRST, since=through, system=system.pk))[0]["at"]
        if first is None or first >= until:
            return None
        end = min(first + STEP, until)
        return end, _span(system, first, end)

    return _TOTALS_OF_DAYS.add_up(system, MOST, after)


def different_days(system: JackpotSystem) -> list[dt.date]:
    """Of the newest days those whose rows are not what their readings come to."""

    def of_day(day: dt.date, through: dt.datetime) -> sql.Composed:
        since, end = (start_of(each, system.casino) for each in (day, day + DAY))
        return _span(system, since, min(end, through))

    return _TOTALS_OF_DAYS.different_days(system, of_day)
