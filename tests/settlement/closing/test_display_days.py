"""Days of displays are added up in steps, and what is behind them is found by indexes."""

import datetime as dt
from typing import Any

import pytest
from django.db import connection
from psycopg import sql

from settlement.closing import display_days
from settlement.closing.display_days import GRACE, keep_display_days
from settlement.closing.movements import compare
from settlement.models import DisplayDay, ReadingsMark
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tables.models import Alarm, JackpotSystem
from tests.support.pages.page_ledger import BEGIN, Clock
from tests.support.pages.room import Room
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db

# So many readings of table 3, one each ten seconds, of a message each second.
_READINGS = """
    WITH sent AS (
        INSERT INTO jackpot_displaymessage (system_id, system_seq, at, payload)
        SELECT %(system)s, n, %(begin)s::timestamptz + n * interval '1 second',
               jsonb_build_object('tiers', jsonb_build_array(
                   jsonb_build_object('tier', 'royal', 'value', n)))
        FROM generate_series(1, 10 * %(count)s) AS n
    )
    INSERT INTO tables_displayreading
        (table_id, display, said_at, received_at, system_seq, terms, shown)
    SELECT %(table)s, 'd-t3', at, at, 10 * n, 1, jsonb_build_object('royal', 10 * n + (n = 7)::int)
    FROM (SELECT n, %(begin)s::timestamptz + n * interval '10 seconds' AS at
          FROM generate_series(1, %(count)s) AS n) AS each
"""


def room(count: int) -> Room:
    room = Room()
    casino = room.system.casino
    casino.timezone, casino.day_starts = "Pacific/Auckland", dt.time(6, 20)
    casino.save()
    values: dict[str, Any] = {
        "system": room.system.pk,
        "table": room.table.pk,
        "begin": BEGIN,
        "count": count,
    }
    with connection.cursor() as cursor:
        cursor.execute(_READINGS, values)
        for table in ("jackpot_displaymessage", "tables_displayreading"):
            cursor.execute(f"ANALYZE {table}")
    room.system = JackpotSystem.objects.select_related("casino").get()
    return room


def test_days_are_added_up_in_steps_and_end_where_the_gaming_day_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From 14:00 on Friday to 8:20 on Saturday, where a day begins at 6:20."""
    clock, floor = Clock(monkeypatch), room(6 * 60 * 18 + 120)
    clock.on(hours=18, minutes=20)
    filters = Filters(floor.system.casino, dt.date(2026, 10, 30), dt.date(2026, 10, 31))
    report = reports()["display-accuracy"]
    expected = report.rows(filters, 9)
    assert [(row["readings"], row["exact"], row["apart"]) for row in expected] == [
        (5879, 5878, 1),
        (721, 721, 0),
    ]
    assert (expected[0]["largest"], expected[1]["largest"]) == (10_000, 0)
    monkeypatch.setattr(display_days, "MOST", 10)
    with acting_as("worker"):
        for steps in (10, 9, 0):
            assert keep_display_days(floor.system) == steps
            assert report.rows(filters, 9) == expected
    assert ReadingsMark.objects.get().through == clock.now - GRACE
    assert sum(DisplayDay.objects.values_list("readings", flat=True)) == 6600 - 31
    clock.on(minutes=6)
    assert keep_display_days(floor.system) == 1
    assert report.rows(filters, 9) == expected
    assert compare(floor.system).differences == []
    with connection.cursor() as cursor:  # one that was committed long after its time
        values = {"system": floor.system.pk, "table": floor.table.pk, "count": 1}
        cursor.execute(_READINGS, {**values, "begin": BEGIN})
    assert compare(floor.system).differences == [
        "2026-10-30: what displays showed is not what they read back"
    ]
    assert Alarm.objects.get(kind="day_totals").system == floor.system
    assert not Alarm.objects.filter(kind="closed_days").exists()


def test_neither_messages_nor_readings_are_read_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """A display message is found by its entry, readings by table and time."""
    clock, floor = Clock(monkeypatch), room(6 * 60 * 10)
    clock.on(hours=10)
    keep_display_days(floor.system)
    day = dt.date(2026, 10, 30)
    query = reports()["display-accuracy"].report(Filters(floor.system.casino, day, day)).query
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("EXPLAIN ") + query)
        plan = "\n".join(line for (line,) in cursor.fetchall())
    for index in ("display_message_of_entry", "reading_by_table"):
        assert index in plan, plan
    for table in ("jackpot_displaymessage", "tables_displayreading"):
        assert f"Seq Scan on {table}" not in plan, plan
