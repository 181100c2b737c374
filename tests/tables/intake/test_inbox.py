"""The inbox: one record an identity, the watermark, conflicts, hostile rows."""

import datetime as dt

import pytest
from django.db import connection

from tables.floor import boot_counter
from tables.intake import inbox
from tables.intake.boots import event_rows, redeliveries
from tables.intake.boots.gaps import close_gap, missing_of
from tables.intake.reception import receive
from tables.models import (
    Alarm,
    ClosedGap,
    DisplayReading,
    GamingTable,
    Quarantine,
    RepeatedEvent,
    Stream,
    TableEvent,
)
from tables.protocol.decode import Decoded, Refused
from tables.protocol.messages import MAX_BOOT, MAX_INTEGER, ROUNDS_OF_A_BOOT, encoder
from tables.protocol.table_ref import TableRef
from tests.support.units.table_units import (
    KEY,
    NOON,
    event,
    make_table,
    message_of,
    messages_of,
    outcomes,
    read_receipt,
    take_in,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def table_ref() -> TableRef:
    return make_table()


def test_events_are_recorded_with_their_exact_bytes(table_ref: TableRef) -> None:
    body = event(table_ref, 1, test=True)
    (receipt,) = take_in(message_of(table_ref, body))
    recorded = TableEvent.objects.get()
    assert bytes(recorded.body) == body
    assert (recorded.type, recorded.round, recorded.test) == ("round_started", 1, True)
    assert outcomes(receipt) == {1: "recorded"}
    assert (receipt.boot, receipt.committed_seq, receipt.next_boot) == (1, 1, 2)
    assert receipt.resend_from is None


@pytest.mark.parametrize("more", [0, 1])
def test_few_and_many_are_recorded_alike(table_ref: TableRef, more: int) -> None:
    """By INSERT in a pipeline, or by COPY: each column is as its event says."""
    count = event_rows.MOST_IN_A_PIPELINE + more
    note = 'O\'Brien \\N {"a", NULL} 🂡'
    bodies = [
        event(
            table_ref,
            1,
            type="session_opened",
            game="holdem",
            deck=52,
            dealer=note,
            seats_in_play=[1, 4],
        ),
        *(event(table_ref, seq, seats_dealt=[1, 4]) for seq in range(2, count)),
        event(table_ref, count, round=MAX_INTEGER, test=True),
    ]
    receipts = take_in(*(message_of(table_ref, body) for body in bodies))
    rows = TableEvent.objects.order_by("seq").values_list(
        "system_id", "table_id", "boot", "seq", "type", "round", "test", "recorded_at", "body"
    )
    at = dt.datetime(2026, 11, 20, 23, tzinfo=dt.UTC)
    place = table_ref.system_id, table_ref.table_id, 1
    assert [(*row[:-1], bytes(row[-1])) for row in rows] == [
        (*place, 1, "session_opened", None, False, at, bodies[0]),
        *(
            (*place, seq, "round_started", seq, False, at, bodies[seq - 1])
            for seq in range(2, count)
        ),
        (*place, count, "round_started", MAX_INTEGER, True, at, bodies[-1]),
    ]
    assert receipts[-1].committed_seq == count
    assert set(TableEvent.objects.values_list("intake", "received_at")) == {("", NOON)}


def test_the_same_bytes_again_are_a_duplicate(table_ref: TableRef) -> None:
    take_in(*messages_of(table_ref, 1))
    (receipt,) = take_in(*messages_of(table_ref, 1, 2, 2))
    assert [(r.seq, r.outcome) for r in receipt.results] == [
        (1, "duplicate"),
        (2, "recorded"),
        (2, "duplicate"),
    ]
    assert TableEvent.objects.count() == 2
    assert Quarantine.objects.count() == 0


@pytest.mark.parametrize("in_one_batch", [True, False])
def test_of_a_conflict_the_first_stands(table_ref: TableRef, in_one_batch: bool) -> None:
    first = message_of(table_ref, event(table_ref, 1))
    other = message_of(table_ref, event(table_ref, 1, round=99))
    if in_one_batch:
        (receipt,) = take_in(first, other)
    else:
        take_in(first)
        (receipt,) = take_in(other)
    assert TableEvent.objects.get().round == 1
    row = Quarantine.objects.get()
    assert (row.reason, row.boot, row.seq, bytes(row.body)) == ("conflict", 1, 1, other.body)
    assert "conflict" in [result.reason for result in receipt.results]
    assert Alarm.objects.get(kind="identity_conflict").count == 1


def test_a_conflict_delivered_twice_is_kept_once(table_ref: TableRef) -> None:
    other = message_of(table_ref, event(table_ref, 1, round=99))
    take_in(message_of(table_ref, event(table_ref, 1)), other)
    (receipt,) = take_in(other)
    assert Quarantine.objects.count() == 1
    assert outcomes(receipt) == {1: "conflict"}


def test_a_gap_holds_the_watermark_until_it_is_filled(table_ref: TableRef) -> None:
    (receipt,) = take_in(*messages_of(table_ref, 1, 2, 5, 6, 9))
    assert (receipt.committed_seq, receipt.resend_from) == (2, 3)
    (receipt,) = take_in(*messages_of(table_ref, 3, 4))
    assert (receipt.committed_seq, receipt.resend_from) == (6, 7)
    (receipt,) = take_in(*messages_of(table_ref, 7, 8))
    assert (receipt.committed_seq, receipt.resend_from) == (9, None)
    stream = Stream.objects.get()
    assert (stream.committed_seq, stream.last_seq) == (9, 9)


def test_quarantined_events_with_a_readable_seq_are_held(table_ref: TableRef) -> None:
    broken = message_of(table_ref, event(table_ref, 2, surprise=True))
    (receipt,) = take_in(*messages_of(table_ref, 1), broken, *messages_of(table_ref, 3))
    assert outcomes(receipt) == {1: "recorded", 2: "unknown_field", 3: "recorded"}
    assert (receipt.committed_seq, receipt.resend_from) == (3, None)


def test_quarantined_before_the_gap_was_filled(table_ref: TableRef) -> None:
    broken = message_of(table_ref, event(table_ref, 3, surprise=True))
    take_in(*messages_of(table_ref, 1), broken)
    (receipt,) = take_in(*messages_of(table_ref, 2))
    assert receipt.committed_seq == 3


def test_what_fails_its_mac_moves_nothing() -> None:
    table_ref = make_table(key=KEY)
    signed_ones = {seq: message_of(table_ref, event(table_ref, seq), key=KEY) for seq in (1, 2, 3)}
    take_in(signed_ones[1])
    (receipt,) = take_in(message_of(table_ref, event(table_ref, 2, round=77), key="ff" * 16))
    assert outcomes(receipt) == {2: "wrong_mac"}
    assert (receipt.committed_seq, receipt.resend_from, receipt.next_boot) == (1, None, 2)
    (receipt,) = take_in(signed_ones[3])  # the forgery does not fill the gap afterwards either
    assert (receipt.committed_seq, receipt.resend_from) == (1, 2)
    assert missing_of(Stream.objects.get()) == [(2, 2)]
    (receipt,) = take_in(signed_ones[2])
    assert (outcomes(receipt), receipt.committed_seq) == ({2: "recorded"}, 3)


def test_what_fails_its_mac_begins_no_boot() -> None:
    table_ref = make_table(key=KEY)
    (receipt,) = take_in(message_of(table_ref, event(table_ref, 5, boot=900)))
    assert outcomes(receipt) == {5: "wrong_mac"}
    assert (receipt.boot, receipt.committed_seq, receipt.next_boot) == (900, 0, 1)
    assert not Stream.objects.exists()
    (row,) = Quarantine.objects.all()
    assert (row.reason, row.boot, row.seq) == ("wrong_mac", 900, 5)


def test_a_forgery_too_long_to_be_an_event_moves_nothing() -> None:
    table_ref = make_table(key=KEY)
    long = event(table_ref, 1, type="rounds_missed", count=1, note="x" * 9000)
    (receipt,) = take_in(message_of(table_ref, long, key="ff" * 16))
    assert (outcomes(receipt), receipt.committed_seq) == ({1: "wrong_mac"}, 0)
    (receipt,) = take_in(message_of(table_ref, long, key=KEY))
    assert (outcomes(receipt), receipt.committed_seq) == ({1: "oversize"}, 1)


def test_a_forgery_on_which_the_console_stumbles_moves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stumble(*_: object) -> None:
        raise ZeroDivisionError

    table_ref = make_table(key=KEY)
    monkeypatch.setattr("tables.intake.reception.decode_event", stumble)
    assert take_in(message_of(table_ref, event(table_ref, 1), key="ff" * 16)) == []
    (receipt,) = take_in(message_of(table_ref, event(table_ref, 1), key=KEY))
    assert (outcomes(receipt), receipt.committed_seq) == ({1: "internal"}, 1)


def test_a_culprit_is_found_by_halves(table_ref: TableRef, monkeypatch: pytest.MonkeyPatch) -> None:
    record = inbox.record
    tried: list[int] = []
    beats: list[int] = []

    def stumble(items: list[Decoded | Refused], now: dt.datetime, *_: object) -> inbox.Outcome:
        tried.append(len(items))
        if any(isinstance(item, Decoded) and item.event.seq == 7 for item in items):
            raise ZeroDivisionError
        return record(items, now)

    monkeypatch.setattr(inbox, "record", stumble)
    answers = receive(messages_of(table_ref, *range(1, 33)), NOON, lambda: beats.append(1))
    assert outcomes(read_receipt(answers[-1])).keys() == set(range(17, 33))
    assert read_receipt(answers[-1]).committed_seq == 32
    assert Quarantine.objects.get().seq == 7
    # The whole, two halves of each of five, and the quarantine of one.
    assert len(tried) == 1 + 2 * 5 + 1
    assert len(beats) == 2 * 5


def test_the_next_boot_is_one_that_the_schema_allows(table_ref: TableRef) -> None:
    boot_counter.reset(
        table_ref.system_id, table_ref.table_id, MAX_BOOT - 1
    )  # its unit has had that many
    (receipt,) = take_in(*messages_of(table_ref, 1, boot=MAX_BOOT))
    assert (outcomes(receipt), receipt.next_boot) == ({1: "recorded"}, MAX_BOOT)
    assert take_in(*messages_of(table_ref, 1, boot=MAX_BOOT + 1)) == []
    assert Quarantine.objects.get().reason == "bad_schema"
    assert MAX_BOOT * ROUNDS_OF_A_BOOT + ROUNDS_OF_A_BOOT <= MAX_INTEGER


def test_a_duplicate_leaves_one_note(table_ref: TableRef) -> None:
    take_in(*messages_of(table_ref, 1, 2))
    assert not RepeatedEvent.objects.exists()
    take_in(*messages_of(table_ref, 1, 1, 3))
    take_in(*messages_of(table_ref, 1))
    notes = redeliveries.take([table_ref.system_id], 10)
    assert notes == [(table_ref.system_id, table_ref.table_id, 1, 1)]
    assert redeliveries.take([table_ref.system_id], 10) == []


def test_events_lost_closes_the_gap(table_ref: TableRef) -> None:
    take_in(*messages_of(table_ref, 1, 5))
    lost = event(table_ref, 6, type="events_lost", from_seq=2, to_seq=4)
    (receipt,) = take_in(message_of(table_ref, lost))
    assert (receipt.committed_seq, receipt.resend_from) == (6, None)
    assert ClosedGap.objects.get().closed_by == "unit"


def test_what_was_declared_lost_and_then_found_is_recorded(table_ref: TableRef) -> None:
    lost = event(table_ref, 3, type="events_lost", from_seq=1, to_seq=2)
    take_in(message_of(table_ref, lost))
    (receipt,) = take_in(*messages_of(table_ref, 2))
    assert outcomes(receipt) == {2: "recorded"}
    assert receipt.committed_seq == 3


@pytest.mark.parametrize(
    ("from_seq", "to_seq"),
    [(4, 3), (5, 4), (3, 5), (5, 5), (6, 7), (1, 2**53 - 1)],
    ids=["inverted", "inverted at its own", "to itself", "itself", "above", "all that may come"],
)
def test_events_lost_of_no_possible_range_is_refused(
    table_ref: TableRef, from_seq: int, to_seq: int
) -> None:
    take_in(*messages_of(table_ref, 1, 2))
    lost = event(table_ref, 5, type="events_lost", from_seq=from_seq, to_seq=to_seq)
    (receipt,) = take_in(message_of(table_ref, lost))
    assert outcomes(receipt) == {5: "bad_schema"}
    assert (receipt.committed_seq, receipt.resend_from) == (2, 3)
    assert not ClosedGap.objects.exists()
    assert "from_seq is at most to_seq" in Quarantine.objects.get().explanation


def test_a_person_closes_a_gap(table_ref: TableRef) -> None:
    take_in(*messages_of(table_ref, 1, 4))
    table = GamingTable.objects.get(pk=table_ref.table_id)
    with pytest.raises(ValueError, match="No event is missing there"):
        close_gap(table, 1, 4, "Ana")
    assert close_gap(table, 1, 3, "Ana") == 4
    assert ClosedGap.objects.get().closed_by == "Ana"


def test_what_is_missing_is_named_however_it_is_held(table_ref: TableRef) -> None:
    take_in(*messages_of(table_ref, 1, 4, 9))
    take_in(message_of(table_ref, event(table_ref, 6, colour="red")))  # quarantined
    lost = event(table_ref, 12, type="events_lost", from_seq=10, to_seq=11)
    take_in(message_of(table_ref, lost))
    stream = Stream.objects.get(table=table_ref.table_id)
    assert missing_of(stream) == [(2, 3), (5, 5), (7, 8)]


def test_a_long_boot_is_looked_at_in_part(
    table_ref: TableRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.intake.boots.gaps.LOOKED_AT", 3)
    take_in(*messages_of(table_ref, 1, 4, 6, 7, 20))
    assert missing_of(Stream.objects.get(table=table_ref.table_id)) == [(2, 3), (5, 5)]


def test_boots_are_counted_apart(table_ref: TableRef) -> None:
    take_in(*messages_of(table_ref, 1, 2, boot=3))
    (receipt,) = take_in(*messages_of(table_ref, 1, boot=7))
    assert (receipt.boot, receipt.committed_seq, receipt.next_boot) == (7, 1, 8)


def test_one_batch_over_many_tables_gives_each_its_receipt() -> None:
    table_refs = [make_table(f"t-{n}") for n in range(5)]
    batch = [
        message for n in (1, 2) for table_ref in table_refs for message in messages_of(table_ref, n)
    ]
    receipts = take_in(*batch)
    assert [receipt.committed_seq for receipt in receipts] == [2] * 5
    assert TableEvent.objects.count() == 10


def test_a_table_out_of_service_is_still_recorded(table_ref: TableRef) -> None:
    GamingTable.objects.update(in_service=False)
    (receipt,) = take_in(*messages_of(table_ref, 1))
    assert outcomes(receipt) == {1: "recorded"}


def test_a_row_that_the_database_refuses_spoils_no_batch(table_ref: TableRef) -> None:
    with connection.cursor() as cursor:  # a fault that no check of ours foresees
        cursor.execute("ALTER TABLE tables_tableevent ADD CONSTRAINT unforeseen CHECK (round <> 2)")
    receipts = take_in(*messages_of(table_ref, 1, 2, 3))
    assert TableEvent.objects.count() == 2
    row = Quarantine.objects.get()
    assert (row.reason, row.seq) == ("internal", 2)
    assert "unforeseen" in row.explanation
    assert receipts[-1].committed_seq == 3


def test_a_mad_unit_is_bounded_and_its_conflicts_apart(
    table_ref: TableRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.intake.quarantine.ROWS_A_MINUTE", 3)
    neighbour = make_table("neighbour")
    take_in(*(message_of(table_ref, b"noise %d" % n) for n in range(10)))
    take_in(message_of(table_ref, b"more noise"), message_of(neighbour, b"noise"))
    assert Quarantine.objects.filter(table_id=table_ref.table_id).count() == 3
    assert Quarantine.objects.filter(table_id=neighbour.table_id).count() == 1
    assert Alarm.objects.get(kind="quarantine_limit").count == 8
    others = [message_of(table_ref, event(table_ref, 1, round=round_)) for round_ in range(2, 7)]
    (receipt,) = take_in(*messages_of(table_ref, 1), *others)
    assert Quarantine.objects.filter(reason="conflict").count() == 3
    assert [result.reason for result in receipt.results] == [None, *["conflict"] * 5]
    assert Alarm.objects.get(kind="identity_conflict").count == 3
    assert Alarm.objects.get(kind="quarantine_limit", subject__endswith="t-1").count == 10


def test_readings_of_a_table_are_bounded(
    table_ref: TableRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.intake.readings.ROWS_A_MINUTE", 3)
    body = {"v": 1, "display": "d-1", "at": NOON, "terms": 1, "shown": [], "system_seq": 4}
    reading = message_of(table_ref, encoder.encode(body), kind="readings")
    take_in(*[reading] * 2)
    take_in(*[reading] * 2)
    assert DisplayReading.objects.count() == 3
    assert Alarm.objects.get(kind="reading_limit").count == 1
    take_in(reading, now=NOON + dt.timedelta(minutes=2))
    assert DisplayReading.objects.count() == 4


def test_what_is_beyond_the_limit_is_not_held(
    table_ref: TableRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.intake.quarantine.ROWS_A_MINUTE", 1)
    broken = [message_of(table_ref, event(table_ref, seq, surprise=seq)) for seq in (1, 2)]
    (receipt,) = take_in(*broken)
    assert outcomes(receipt) == {1: "unknown_field"}
    assert receipt.committed_seq == 1
    (receipt,) = take_in(*broken)
    assert (outcomes(receipt), receipt.committed_seq) == ({1: "unknown_field"}, 1)
