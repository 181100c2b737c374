"""The error of a unit's clock, measured by what it sent around an event."""

import datetime as dt

import pytest
from pytest_django import DjangoAssertNumQueries

from tables.clocks import AROUND, ClockError, clock_errors
from tables.models import Casino, GamingTable, JackpotSystem, TableEvent

pytestmark = pytest.mark.django_db

NOON = dt.datetime(2026, 11, 21, 12, tzinfo=dt.UTC)


def seconds(number: float) -> dt.timedelta:
    return dt.timedelta(seconds=number)


class Floor:
    """Tables whose units' clocks are behind by so much, and whose messages take so long."""

    def __init__(self) -> None:
        casino = Casino.objects.create(code="harbour", name="Harbour", currency="NZD")
        self.system = JackpotSystem.objects.create(casino=casino, code="main", name="Main")

    def table(self, code: str) -> GamingTable:
        return GamingTable.objects.create(system=self.system, code=code, name=code)

    def hears(
        self, table: GamingTable, *delays: float, behind: float, boot: int = 1, start: int = 1
    ) -> None:
        """One event a second, each with its delay."""
        TableEvent.objects.bulk_create(
            TableEvent(
                system=self.system,
                table=table,
                boot=boot,
                seq=seq,
                type="round_started",
                recorded_at=NOON + seconds(seq) - seconds(behind),
                received_at=NOON + seconds(seq) + seconds(delay),
                body=b"{}",
            )
            for seq, delay in enumerate(delays, start=start)
        )

    def error(self, table: GamingTable, seq: int, boot: int = 1) -> ClockError:
        key = (table.pk, boot, seq)
        return clock_errors(self.system.pk, [key])[key]


def test_the_quickest_message_tells_the_clock() -> None:
    floor = Floor()
    table = floor.table("t3")
    floor.hears(table, 0.9, 0.05, 0.15, 12.0, 0.25, behind=2.0)
    error = floor.error(table, 4)  # itself held up for twelve seconds
    assert (error.behind, error.spread, error.events) == (seconds(2.05), seconds(0.2), 5)
    assert error.recorded_at == NOON + seconds(4) - seconds(2)
    assert error.corrected == NOON + seconds(4.05)


def test_a_clock_that_runs_ahead_is_behind_by_less_than_nothing() -> None:
    floor = Floor()
    table = floor.table("t3")
    floor.hears(table, 0.1, 0.1, behind=-3600)
    assert floor.error(table, 1).behind == seconds(0.1 - 3600)


def test_only_events_around_it_of_the_same_boot_count() -> None:
    floor = Floor()
    table, other = floor.table("t3"), floor.table("t7")
    floor.hears(table, *[0.1] * (AROUND + 1), behind=5)  # the first is too far from what follows
    floor.hears(table, *[0.1] * 10, behind=1, start=AROUND + 2)
    floor.hears(table, 0.1, behind=-50, boot=2)
    floor.hears(other, 0.1, behind=-70)
    error = floor.error(table, AROUND + 11)
    assert error.events == AROUND + 1
    assert error.behind == seconds(1.1)
    assert floor.error(table, 1, boot=2).behind == seconds(0.1 - 50)


def test_many_events_are_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    floor = Floor()
    tables = [floor.table(f"t{number}") for number in range(5)]
    for table in tables:
        floor.hears(table, 0.1, 0.2, behind=1)
    with django_assert_num_queries(1):
        assert len(clock_errors(floor.system.pk, [(t.pk, 1, 2) for t in tables])) == 5
