"""What a batch takes was there at one moment: the order of arrival holds across tables."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings

from jackpot.models import Entry, Gap
from jackpot.writer import commands, pending, poster
from jackpot.writer.pending import pending_work, settle
from tables.models import GamingTable, Stream
from tables.protocol import messages
from tests.support.play.books import royal_terms
from tests.support.play.house import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Something happens after the look at what waits and before it is read, once."""
    honest = poster.waiting

    def happens(what: Callable[[], None]) -> None:
        left = [what]

        def waiting(*arguments: Any) -> Any:
            while left:
                left.pop()()
            return honest(*arguments)

        monkeypatch.setattr(poster, "waiting", waiting)

    return happens


def two_tables() -> House:
    house = House(royal_terms())
    for table in ("t3", "t7"):
        house.open(table)
        house.press(table)
    house.post()
    return house


def hits(house: House) -> list[str]:
    return list(house.system.hits.order_by("number").values_list("table__code", flat=True))


def test_what_comes_after_the_look_waits_for_the_next(between: Any) -> None:
    """19.14(b): t7's hand came first; only of t3 something waited already."""
    house = two_tables()
    house.press("t3")

    def arrive() -> None:
        house.call("t7")
        house.call("t3")

    between(arrive)
    house.post()
    assert hits(house) == ["t7", "t3"]


def test_a_filled_gap_brings_nothing_before_its_time(between: Any) -> None:
    """t3's missing round comes after t7's hand: with it come the round and the hand behind it."""
    house = two_tables()
    missing = house.event("t3", messages.RoundStarted, round=2)
    house.rounds["t3"] = 2
    house.press("t3")

    def arrive() -> None:
        house.call("t7")
        house.record("t3", missing)
        house.call("t3")

    between(arrive)
    house.post()  # the look before saw nothing that could be taken
    house.post()
    assert hits(house) == ["t7", "t3"]
    assert not Entry.objects.filter(outcome__flags__contains=["late"]).exists()


def test_a_command_after_the_look_waits_for_the_next(between: Any) -> None:
    house = two_tables()
    house.press("t3")

    def arrive() -> None:
        house.call("t7")
        commands.queue(house.system, "pay", {"hit": 1}, first="mere")

    between(arrive)
    house.post()
    order = list(Entry.objects.order_by("seq").values_list("type", flat=True))
    assert order.index("hand_called") < order.index("pay")


def test_a_small_id_that_is_committed_late_is_not_passed_over(between: Any) -> None:
    """Two intakes: the one that took its id first commits after the look."""
    house = two_tables()
    missing = house.event("t7", messages.RoundStarted, round=2)
    house.rounds["t7"] = 2
    house.press("t7")
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval(pg_get_serial_sequence('tables_tableevent', 'id'))")
        ((small,),) = cursor.fetchall()
    house.press("t3")

    def arrive() -> None:
        with connection.cursor() as cursor:
            back = "SELECT setval(pg_get_serial_sequence('tables_tableevent', 'id'), %s, %s)"
            cursor.execute(back, [small, False])
            house.record("t7", missing)
            cursor.execute(back, [small + 1, True])

    between(arrive)
    house.post()
    house.post()
    entries = Entry.objects.filter(table__code="t7", event_seq__gte=3).order_by("seq")
    assert list(entries.values_list("event_seq", "outcome")) == [(3, {}), (4, {})]
    assert Entry.objects.get(event_id=small).event_seq == 3


@override_settings(GAP_WAIT_S=0.0)
def test_a_batch_that_was_sent_in_the_wrong_order_is_not_passed_over(between: Any) -> None:
    """Another intake took an id between those of its events, and committed before the look: of
    the batch that bounds what is read to its first event.
    """
    house = two_tables()
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('tables_tableevent_id_seq')")
        ((small,),) = cursor.fetchall()
    house.press("t7")
    earlier = house.event("t7", messages.RoundStarted, round=3)
    later = house.event("t7", messages.RoundStarted, round=4)

    def arrive() -> None:
        with connection.cursor() as cursor:
            cursor.execute("ALTER SEQUENCE tables_tableevent_id_seq INCREMENT BY 10")
            cursor.execute("SELECT setval('tables_tableevent_id_seq', %s, false)", [small])
        house.record("t7", later, earlier)

    between(arrive)
    house.post()
    entries = Entry.objects.filter(table__code="t7", event_seq__gte=3).order_by("seq")
    assert list(entries.values_list("event_seq", flat=True)) == [3, 5, 4]


@override_settings(GAP_WAIT_S=60.0)
def test_a_hand_behind_a_gap_is_not_held_by_a_backlog(monkeypatch: pytest.MonkeyPatch) -> None:
    """19.11: however many rounds of its table wait before it, and events of other tables."""
    monkeypatch.setattr(poster, "BATCH", 20)
    others = [f"t{number}" for number in range(10, 30)]
    house = House(royal_terms(), tables=("t3", *others))
    for table in ("t3", *others):
        house.open(table)
    house.post()
    house.seqs["t3"] += 1
    for _ in range(14):
        house.press("t3")
    house.call("t3")
    for table in others * 4:
        house.press(table)
    house.post()
    hand = Entry.objects.get(type="hand_called")
    assert not Entry.objects.filter(event__gt=hand.event_id, seq__lt=hand.seq).exists()


def test_a_quarantined_last_event_leaves_nothing_waiting() -> None:
    house = two_tables()
    whole = house.event("t3", messages.RoundStarted, round=2)
    house.record("t3", whole.replace(b'"round":2', b'"round":"x"'))
    house.post()
    assert pending_work([house.system.pk]) == {}
    house.rounds["t3"] = 2
    house.press("t3")
    house.record("t3", whole)
    house.post()
    assert Gap.objects.count() == Gap.objects.filter(arrived=1).count()
    assert Entry.objects.filter(type="round_started", table__code="t3").count() == 3


def test_a_look_reads_what_waits_and_not_the_past() -> None:
    """Also by a plan that was made on the day of the installation, when the tables were empty."""
    with connection.cursor() as cursor:  # what earlier tests took back is no row to vacuum here
        cursor.execute(
            "UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE relname = 'tables_tableevent'"
        )
    systems = list(range(1000, 1050))
    for _ in range(10):  # from the sixth on the server keeps its plan
        pending_work(systems)
    house = two_tables()
    for _ in range(300):
        house.press("t3")
    house.post()
    house.press("t7")
    before = rows_read("tables_tableevent", "seq_tup_read")
    assert list(pending_work([house.system.pk, *systems[1:]])) == [house.system.pk]
    assert rows_read("tables_tableevent", "seq_tup_read") == before


def test_the_horizon_is_no_way_to_what_waits() -> None:
    """All that was ever recorded lies below it, and a plan that finds events by it reads that: not
    even one without another way does.
    """
    house = two_tables()
    names: dict[str, Any] = {"system": house.system.pk, "limit": 9, "horizon": 10**9}
    names |= {"hands": ["x"], "systems": [1], "tables": [1], "boots": [1], "shares": [9]}
    names["horizons"] = [10**9]
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("DROP INDEX event_identity")
        cursor.execute("SET LOCAL enable_seqscan = off")
        for query in (pending._EVENTS, pending._LATE):
            cursor.execute(f"EXPLAIN {query}", names)
            plan = "\n".join(line for (line,) in cursor.fetchall())
            ways = ("Seq Scan on tables_tableevent", "Index Scan using tables_tableevent_pkey")
            assert any(way in plan for way in ways), plan
            assert "Index Cond: (id <=" not in plan, plan


def test_boots_of_the_past_are_left_out_of_the_look_until_something_comes() -> None:
    """A unit begins a boot with every start: after years there are thousands of them."""
    house = two_tables()
    begin_boot(house, "t3", 2)
    house.post()
    assert settle([house.system.pk]) == 1
    assert boots_that_are_looked_at("t3") == [2]
    assert boots_that_are_looked_at("t7") == [1]  # its newest

    house.call("t3")  # of boot 1, late
    assert boots_that_are_looked_at("t3") == [1, 2]
    assert settle([house.system.pk]) == 0  # it waits still
    house.post()
    assert hits(house) == ["t3"]
    assert settle([house.system.pk]) == 1
    assert boots_that_are_looked_at("t3") == [2]


def test_a_boot_with_a_gap_stays_in_the_look() -> None:
    house = two_tables()
    house.record("t3", house.event("t3", messages.RoundStarted, seq=9, round=9))
    begin_boot(house, "t3", 2)
    house.post()
    assert settle([house.system.pk]) == 0
    assert boots_that_are_looked_at("t3") == [1, 2]


def test_a_look_does_not_read_the_boots_of_the_past() -> None:
    house = two_tables()
    table = GamingTable.objects.get(code="t3")
    Stream.objects.bulk_create(
        Stream(system=house.system, table=table, boot=boot, settled=True)
        for boot in range(2, 5_000)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE tables_stream")
    house.press("t7")
    before = rows_read("tables_stream")
    assert list(pending_work([house.system.pk])) == [house.system.pk]
    assert rows_read("tables_stream") - before < 10


def begin_boot(house: House, table: str, boot: int) -> None:
    event = json.loads(house.event(table, messages.RoundStarted, seq=1, round=50))
    house.record(table, json.dumps(event | {"boot": boot}).encode())


def boots_that_are_looked_at(table: str) -> list[int]:
    streams = Stream.objects.filter(table__code=table, settled=False)
    return list(streams.order_by("boot").values_list("boot", flat=True))


def rows_read(table: str, counted: str = "seq_tup_read + idx_tup_fetch") -> int:
    """By this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {counted} FROM pg_stat_xact_user_tables WHERE relname = %s", [table]
        )
        return int(cursor.fetchone()[0])
