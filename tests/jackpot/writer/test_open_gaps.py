"""However many gaps stand open, and whatever came late within them, only what is new costs."""

import pytest
from django.db import connection
from django.test import override_settings

from jackpot.models import Entry, Gap
from jackpot.writer.pending import pending_work
from tables.models import OutOfOrderEvent
from tables.protocol import messages
from tests.support.play.books import royal_terms
from tests.support.play.house import House

pytestmark = pytest.mark.django_db

WIDE = 9  # events that are missing of a gap
_READ = """
    SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int
    FROM pg_stat_xact_user_tables WHERE relname ~ %s
"""


def rows_read(tables: str = "^(tables|jackpot)_") -> int:
    """So far in this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_READ, [tables])
        return int(cursor.fetchone()[0])


def read_by_a_look(house: House) -> int:
    before = rows_read()
    pending_work([house.system.pk])
    return rows_read() - before


def open_house() -> House:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # as the writer's line
        cursor.execute("DISCARD PLANS")
    house = House(royal_terms())
    house.open("t3")
    house.open("t7")
    house.post()
    return house


def started(house: House, count: int) -> list[bytes]:
    """The next rounds of t3, that many, as its unit says them."""
    first = house.rounds.get("t3", 0) + 1
    house.rounds["t3"] = first + count - 1
    return [
        house.event("t3", messages.RoundStarted, round=number)
        for number in range(first, first + count)
    ]


def open_gaps(house: House, gaps: int) -> list[list[bytes]]:
    """So often t3 sends one of ten events and no more; those of each gap that did not come."""
    runs = [started(house, WIDE + 1) for _ in range(gaps)]
    house.record("t3", *(run[-1] for run in runs))
    house.post()
    assert Gap.objects.count() == gaps
    return [run[:-1] for run in runs]


def late() -> int:
    return Entry.objects.filter(outcome__flags__contains=["late"]).count()


@override_settings(GAP_WAIT_S=0.0)
def test_a_look_costs_the_same_with_five_hundred_gaps_open() -> None:
    house = open_house()
    plain = read_by_a_look(house)
    missing = open_gaps(house, 500)
    assert read_by_a_look(house) <= plain
    house.record("t3", *(body for run in missing for body in run[:-1]))
    house.post()
    assert late() == 500 * (WIDE - 1)
    assert Gap.objects.filter(arrived=WIDE - 1).count() == 500
    assert read_by_a_look(house) <= plain

    house.record("t3", missing[250][-1])
    waits = read_by_a_look(house)
    assert waits <= plain + 5  # it, and where its stream stands
    house.post()
    assert late() == 500 * (WIDE - 1) + 1
    assert Gap.objects.get(arrived=WIDE).from_seq == 2 + 250 * (WIDE + 1)
    assert read_by_a_look(house) <= plain


@override_settings(GAP_WAIT_S=0.0)
def test_a_counter_that_jumped_far_makes_no_look_dearer() -> None:
    """One event with a huge seq, and all that the boot says from then on is late."""
    house = open_house()
    plain = read_by_a_look(house)
    house.record("t3", house.event("t3", messages.RoundStarted, seq=10**9, round=10**6))
    house.post()
    for _ in range(3):
        house.record("t3", *started(house, 300))
        house.post()
        assert read_by_a_look(house) <= plain
    assert late() == Gap.objects.get().arrived == 900


def test_events_are_not_all_read_where_the_table_is_thought_to_be_empty() -> None:
    """As the planner thinks after a vacuum in a quiet hour, until the planner is told otherwise."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pg_class SET reltuples = 0, relpages = 1 WHERE relname = 'tables_tableevent'"
        )
    house = open_house()
    plain = read_by_a_look(house)
    house.record("t3", *started(house, 100))
    house.post()
    assert read_by_a_look(house) <= plain


def test_notes_that_are_not_late_are_not_asked_one_by_one() -> None:
    """After a restore a unit sends all again, behind what it said meanwhile."""
    house = open_house()
    *resent, newest = started(house, 400)
    house.record("t3", newest)
    house.record("t3", *resent)
    assert OutOfOrderEvent.objects.count() == 399
    before = rows_read("^jackpot_cursor$")
    pending_work([house.system.pk])
    assert rows_read("^jackpot_cursor$") - before < 10
    house.post()
    assert not OutOfOrderEvent.objects.exists()


@override_settings(GAP_WAIT_S=0.0)
def test_a_late_event_is_put_to_its_gap_without_reading_the_others() -> None:
    house = open_house()
    missing = open_gaps(house, 500)
    before = rows_read("^jackpot_gap$")
    house.record("t3", missing[400][0])
    house.post()
    assert rows_read("^jackpot_gap$") - before < 10
    assert Gap.objects.get(arrived=1).from_seq == 2 + 400 * (WIDE + 1)


@override_settings(GAP_WAIT_S=60.0)
def test_a_note_of_an_out_of_order_event_goes_with_its_place() -> None:
    """Whether it is taken in order, ahead of a gap, or late; in other order it has none."""
    house = open_house()
    first, second, third = started(house, 3)
    hand = house.event("t3", messages.HandCalled, round=3, tier="royal", seats=[3])
    (last,) = started(house, 1)
    house.record("t3", first, last)
    assert not OutOfOrderEvent.objects.exists()
    house.record("t3", hand, first)
    house.record("t3", hand, second, third)
    assert list(OutOfOrderEvent.objects.values_list("seq", flat=True)) == [5, 3, 4]
    house.post()
    assert not OutOfOrderEvent.objects.exists()
    assert late() == 0 < Entry.objects.filter(type="hand_called").count()

    lost = started(house, 3)
    house.press("t3")
    with override_settings(GAP_WAIT_S=0.0):
        house.post()
    house.record("t3", *lost)
    assert OutOfOrderEvent.objects.count() == 3
    house.post()
    assert not OutOfOrderEvent.objects.exists()
    assert late() == 3


@override_settings(GAP_WAIT_S=60.0)
def test_an_out_of_order_event_that_waits_for_another_keeps_its_note() -> None:
    house = open_house()
    _, second, third = started(house, 3)
    house.record("t3", third)
    house.record("t3", second)
    house.press("t7")
    house.post()
    assert OutOfOrderEvent.objects.get().seq == 3
    with override_settings(GAP_WAIT_S=0.0):
        house.post()
    assert not OutOfOrderEvent.objects.exists()
    assert late() == 0


def test_a_hand_that_was_taken_ahead_is_no_gap_where_something_late_comes_with_the_rest() -> None:
    """As many events are read as seqs lie behind the cursor, and one of them lies before it."""
    house = open_house()
    first, lost, third, fourth = started(house, 4)
    hand = house.event("t3", messages.HandCalled, round=4, tier="royal", seats=[3])
    (last,) = started(house, 1)
    with override_settings(GAP_WAIT_S=0.0):
        house.record("t3", first, third)
        house.post()
    with override_settings(GAP_WAIT_S=60.0):
        house.record("t3", hand)
        house.post()
        house.record("t3", lost, fourth, last)
        house.post()
    assert late() == 1
    assert [(gap.from_seq, gap.to_seq) for gap in Gap.objects.all()] == [(3, 3)]
