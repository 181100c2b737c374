"""The error of a unit's clock, measured by what it sent around an event."""

import datetime as dt

import pytest
from pytest_django import DjangoAssertNumQueries

from tables.floor.unit_clocks import AROUND, ClockError, clock_errors, wrong_clocks
from tables.models import Casino, GamingTable, JackpotSystem, Stream, TableEvent, UnitPresence
from tables.visibility.scope import Visible, only

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


def stamped(floor: Floor, table: GamingTable, *events: tuple[float, float]) -> None:
    """Events by when they came and what the unit's clock said then, in seconds from noon."""
    Stream.objects.get_or_create(system=floor.system, table=table, boot=1)
    TableEvent.objects.bulk_create(
        TableEvent(
            system=floor.system,
            table=table,
            boot=1,
            seq=seq,
            type="round_started",
            recorded_at=NOON + seconds(recorded),
            received_at=NOON + seconds(received),
            body=b"{}",
        )
        for seq, (received, recorded) in enumerate(events, start=1)
    )


YEARS = 56 * 365.25 * 86_400.0


def found_the_time(floor: Floor, table: GamingTable, before: int) -> None:
    """The unit's clock stands in 1970 for so many events, one a second, and is right after that."""
    events = [(n + 0.2, n - YEARS) for n in range(before)]
    stamped(floor, table, *events, *((n + 0.1, n) for n in range(before, before + 20)))


@pytest.mark.parametrize("before", [15, 40], ids=["most behind it", "most before it"])
def test_a_clock_that_was_set_by_years_is_measured_on_either_side(before: int) -> None:
    floor = Floor()
    table = floor.table("t3")
    found_the_time(floor, table, before)
    for seq, delay in ((before, 0.2), (before + 1, 0.1)):
        error = floor.error(table, seq)
        assert error.corrected == NOON + seconds(seq - 1 + delay)
        assert error.spread == seconds(0)
        assert error.events == (before if seq == before else 20)


@pytest.mark.parametrize("off", [YEARS, -YEARS, 30 * 86_400.0], ids=["future", "past", "month"])
def test_one_wild_reading_makes_no_neighbour_unsure(off: float) -> None:
    floor = Floor()
    table = floor.table("t3")
    stamped(floor, table, *((n + 0.1, n + (off if n == 9 else 0.0)) for n in range(20)))
    error = floor.error(table, 12)
    assert (error.corrected, error.spread, error.events) == (NOON + seconds(11.1), seconds(0), 19)


@pytest.mark.parametrize("off", [YEARS, -YEARS, 30 * 86_400.0], ids=["future", "past", "month"])
def test_a_wild_reading_of_its_own_lies_between_its_neighbours(off: float) -> None:
    floor = Floor()
    table = floor.table("t3")
    received = [n + 0.1 for n in range(12)] + [600.0] * 4  # then cut off, and all at once
    recorded = [float(n) for n in range(12)] + [20.0, 40.0 + off, 60.0, 80.0]
    stamped(floor, table, *zip(received, recorded, strict=True))
    error = floor.error(table, 14)
    assert error.corrected == NOON + seconds(40.1)
    assert (error.spread, error.events) == (seconds(20), 15)
    assert error.recorded_at == NOON + seconds(40 + off)


def test_a_wild_reading_of_the_newest_event_lies_before_it_came() -> None:
    floor = Floor()
    table = floor.table("t3")
    stamped(floor, table, *((n + 0.1, n) for n in range(12)), (15.1, YEARS))
    error = floor.error(table, 13)
    assert error.corrected == NOON + seconds(13.1)  # between 11.1 and 15.1
    assert error.spread == seconds(2)


def test_few_events_stay_few() -> None:
    floor = Floor()
    table = floor.table("t3")
    stamped(floor, table, *((n + 0.1, n) for n in range(5)), (6.1, YEARS))
    assert floor.error(table, 3).events == 5
    assert floor.error(table, 6).events == 1


class TestNamed:
    def report_offset(self, table: GamingTable, ahead: float | None, ago: float = 1.0) -> None:
        at = NOON - seconds(ago)
        said_at = None if ahead is None else at + seconds(ahead)
        UnitPresence.objects.create(table=table, online=True, heard_at=at, said_at=said_at)

    @pytest.mark.parametrize(
        ("ahead", "is_named"),
        [(0, False), (119, False), (-119, False), (121, True), (-121, True), (YEARS, True)],
    )
    def test_by_what_it_says_of_itself(self, ahead: float, is_named: bool) -> None:
        table = Floor().table("t3")
        self.report_offset(table, ahead)
        assert wrong_clocks(NOON) == ([(table, seconds(ahead))] if is_named else [])

    @pytest.mark.parametrize(
        ("ahead", "is_named"),
        [(121, True), (-3600, False), (-7 * 86_400 - 1, True), (-YEARS, True), (YEARS, True)],
    )
    def test_by_what_it_recorded_last(self, ahead: float, is_named: bool) -> None:
        """What waited for an outage to end is no wrong clock."""
        floor = Floor()
        table = floor.table("t3")
        stamped(floor, table, (0.0, YEARS), (1.0, 1.0 + ahead))
        self.report_offset(table, None)
        assert wrong_clocks(NOON) == ([(table, seconds(ahead))] if is_named else [])

    def test_a_clock_that_was_set_right_is_named_no_more(self) -> None:
        floor = Floor()
        table = floor.table("t3")
        found_the_time(floor, table, 5)
        self.report_offset(table, 0)
        assert wrong_clocks(NOON) == []

    def test_a_clock_elsewhere_is_nobody_s_here(self) -> None:
        """Somebody who sees another casino alone, or is inside a rehearsal."""
        table = Floor().table("t3")
        self.report_offset(table, YEARS)
        with only(Visible(casinos=frozenset(), systems=frozenset())):
            assert wrong_clocks(NOON) == []
        with only(Visible(casinos=None, systems=frozenset({table.system_id}))):
            assert wrong_clocks(NOON) == [(table, seconds(YEARS))]

    def test_nobody_asks_a_table_out_of_service(self) -> None:
        table = Floor().table("t3")
        self.report_offset(table, YEARS)
        GamingTable.objects.update(in_service=False)
        assert wrong_clocks(NOON) == []
