"""The dashboard's figures against the same ones computed row by row."""

import datetime as dt
import math
import re
from collections import defaultdict

import pytest
from django.db import connection
from psycopg import sql

from jackpot.models import Account, Command, Entry, Head, Hit, Transfer
from settlement.closing import table_days
from settlement.closing.movements import compare
from settlement.closing.table_days import keep_table_days, totals
from settlement.core.gaming_day import day_of
from settlement.dashboard.figures import balances, hits_by_month
from settlement.dashboard.waiting_times import waits
from settlement.models import TableDay, TableDaysMark
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tables.models import Alarm
from tests.support.pages.page_ledger import LedgerHouse
from tests.support.people.roles import acting_as, owner_without_guards

pytestmark = pytest.mark.django_db
BEHIND = 50  # transfers
# Twenty thousand more, each of an entry of its own like the newest one.
_MORE = {
    "jackpot_entry": """
        INSERT INTO jackpot_entry
        SELECT more.* FROM jackpot_entry e, generate_series(1, 20000) AS n,
             jsonb_populate_record(e, jsonb_build_object(
                 'seq', %(seq)s + n, 'command', NULL, 'event_id', NULL)) AS more
        WHERE (e.system_id, e.seq) = (%(system)s, %(seq)s)
    """,
    "jackpot_transfer": """
        INSERT INTO jackpot_transfer
        SELECT more.* FROM jackpot_transfer t, generate_series(1, 20000) AS n,
             jsonb_populate_record(t, jsonb_build_object(
                 'number', t.number + n, 'entry_seq', t.entry_seq + n)) AS more
        WHERE (t.system_id, t.number) = (%(system)s, %(number)s)
    """,
}
FIRST, LAST = dt.date(2026, 10, 30), dt.date(2026, 12, 31)


def by_hand(house: LedgerHouse) -> dict[tuple[str, dt.date], int]:
    """What each table's rounds added to prizes on each gaming day, transfer by transfer."""
    casino = house.system.casino
    accounts = {each.pk: each.code for each in Account.objects.all()}
    sums: dict[tuple[str, dt.date], int] = defaultdict(int)

    def is_of_prize(account: int) -> bool:
        return accounts[account].endswith((":pool", ":reserve", ":overflow"))

    for each in Transfer.objects.filter(reason__in=("contribution", "adjustment")):
        entry = Entry.objects.select_related("table").get(system=house.system, seq=each.entry_seq)
        if "round" not in entry.type:
            continue
        command = Command.objects.filter(system=house.system, number=entry.command or 0).first()
        table = entry.table.code if entry.table else command and command.body["table"]
        change = each.amount * (is_of_prize(each.credit_id) - is_of_prize(each.debit_id))
        sums[str(table), day_of(entry.at, casino)] += change
    return sums


def read(house: LedgerHouse, first: dt.date = FIRST, last: dt.date = LAST) -> dict[str, int]:
    rows = totals(house.system.casino, [house.system.pk], first, last)
    assert [row.contributed for row in rows] == sorted((r.contributed for r in rows), reverse=True)
    return {row.code: row.contributed for row in rows}


def of_tables(sums: dict[tuple[str, dt.date], int], *days: dt.date) -> dict[str, int]:
    by_code: dict[str, int] = defaultdict(int)
    for (table, day), amount in sums.items():
        if not days or day in days:
            by_code[table] += amount
    return dict(by_code)


class TestContributions:
    def test_they_are_those_of_the_ledger_before_and_after_they_are_added_up(
        self, days: LedgerHouse
    ) -> None:
        monkeypatch = pytest.MonkeyPatch()  # of this test alone: the clock is another's
        days.press("t3")
        days.post()
        days.decide("void_round", table="t3", round=days.rounds["t3"], reason="wrong_count")
        expected = by_hand(days)
        assert len(expected) > 4
        assert read(days) == of_tables(expected)
        monkeypatch.setattr(table_days, "STEP", 7)
        with acting_as("worker"):
            while keep_table_days(days.system):
                if TableDay.objects.count() > 1:
                    assert table_days.is_behind([days.system.pk]) is (
                        Transfer.objects.count() - TableDaysMark.objects.get().through > 7
                    )
        assert {(row.table.code, row.day): row.contributed for row in TableDay.objects.all()} == (
            expected
        )
        assert not table_days.is_behind([days.system.pk])
        assert read(days) == of_tables(expected)
        days.play(2)
        assert table_days.is_behind([days.system.pk])
        assert read(days) != of_tables(by_hand(days))  # a page reads no more than that
        monkeypatch.undo()
        assert not table_days.is_behind([days.system.pk])
        expected = by_hand(days)
        assert read(days) == of_tables(expected)
        for day in {day for _, day in expected}:
            assert read(days, day, day) == of_tables(expected, day)

    def test_they_are_those_of_the_round_ledger(self, days: LedgerHouse) -> None:
        filters = Filters(days.system.casino, FIRST, LAST)
        sums: dict[str, int] = defaultdict(int)
        for row in reports()["round-ledger"].rows(filters, 1000):
            sums[row["table_code"]] += row["contributed"]
        assert read(days) == sums

    def test_a_row_that_was_changed_raises_an_alarm(self, days: LedgerHouse) -> None:
        keep_table_days(days.system)
        compare(days.system)
        assert not Alarm.objects.exists()
        row = TableDay.objects.order_by("-day").first()
        assert row
        TableDay.objects.filter(pk=row.pk).update(contributed=row.contributed + 1)
        assert table_days.different_days(days.system) == [row.day]
        compare(days.system)
        assert "totals of days differ" in Alarm.objects.get(kind="day_totals").message
        assert not Alarm.objects.filter(kind="closed_days").exists()

    def test_no_more_is_read_than_what_is_behind_the_mark(self, days: LedgerHouse) -> None:
        """Of a ledger so large that a planner chooses: neither transfers nor their entries."""
        keep_table_days(days.system)
        newest = Transfer.objects.order_by("-number").first()
        assert newest
        values = {"system": days.system.pk, "number": newest.number, "seq": newest.entry_seq}
        with connection.cursor() as cursor:
            for table, statement in _MORE.items():
                with owner_without_guards(table):
                    cursor.execute(statement, values)
                cursor.execute(f"ANALYZE {table}")
            with owner_without_guards("jackpot_head"):
                Head.objects.update(transfer_number=newest.number + 20_000)
            TableDaysMark.objects.update(through=newest.number + 20_000 - BEHIND)
            query = table_days.behind(days.system.casino, [days.system.pk], FIRST, LAST)
            cursor.execute(sql.SQL("EXPLAIN (ANALYZE, COSTS OFF) {}").format(query))
            plan = "\n".join(row[0] for row in cursor.fetchall())
        for table in _MORE:
            assert f"Seq Scan on {table}" not in plan, plan
            scans = re.findall(rf" on {table}\b.*actual.*rows=([\d.]+) loops=(\d+)", plan)
            assert scans, plan
            assert sum(float(rows) * int(loops) for rows, loops in scans) <= BEHIND, plan


def test_what_is_owed_is_what_the_ledger_left(days: LedgerHouse) -> None:
    sums: dict[str, int] = defaultdict(int)
    for each in Transfer.objects.select_related("debit", "credit"):
        sums[each.credit.code] += each.amount
        sums[each.debit.code] -= each.amount
    now = balances([days.system.pk])
    owed = ("royal:pool", "royal:reserve", "royal:overflow", "royal:held")
    others = ("payable", "unclaimed", "to_return", "adjustments")
    assert now.liability == sum(sums[code] for code in (*owed, *others))
    assert now.reserve == sums["royal:reserve"] > 0
    assert now.held == sums["royal:held"] > 0
    assert now.payable == sums["payable"]
    day = day_of(days.clock.now, days.system.casino)
    (row,) = reports()["liability"].rows(Filters(days.system.casino, day, day), 5)
    assert row["liability"] == now.liability


def test_hits_by_month_leave_out_what_was_rejected(days: LedgerHouse) -> None:
    months = {str(each.month): each for each in hits_by_month(days.system.casino, [days.system.pk])}
    assert len(months) == 13
    expected: dict[str, list[Hit]] = defaultdict(list)
    for hit in Hit.objects.all():
        placed = Entry.objects.get(system=days.system, seq=hit.place)
        expected[f"{day_of(placed.at, days.system.casino):%Y-%m}"].append(hit)
    for month, rows in expected.items():
        stands = [hit for hit in rows if hit.state != "rejected"]
        assert months[month].claims == len(rows)
        assert months[month].hits == len(stands)
        assert months[month].amount == sum(hit.held for hit in stands)
    assert sum(each.claims for each in months.values()) == 3
    assert sum(each.hits for each in months.values()) == 2


def test_waiting_times_are_those_of_the_hit_register(days: LedgerHouse) -> None:
    days.hit_royal("t7")
    days.pay(4, chips=2)
    filters = Filters(days.system.casino, FIRST, LAST)
    rows = reports()["hit-register"].rows(filters, 100)
    steps = {each.step: each for each in waits(filters, [days.system.pk])}
    assert list(steps) == ["report", "verify", "confirm", "pay"]
    columns = {
        "report": "seconds_to_reported",
        "verify": "seconds_to_verified",
        "confirm": "seconds_to_confirmed",
        "pay": "seconds_to_paid",
    }
    for step, column in columns.items():
        seconds = sorted(row[column] for row in rows if row[column] is not None)
        assert steps[step].count == len(seconds) > 0
        assert steps[step].half_s == seconds[math.ceil(0.5 * len(seconds)) - 1]
        assert steps[step].most_s == seconds[math.ceil(0.9 * len(seconds)) - 1]
        assert steps[step].longest_s == seconds[-1]
    assert steps["verify"].open == 1
    assert steps["verify"].oldest == Hit.objects.get(number=3).at
    assert steps["report"].open == steps["confirm"].open == steps["pay"].open == 0
