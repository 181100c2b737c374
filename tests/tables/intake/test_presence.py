"""Presence, last wills, and the receipts that answer them."""

import datetime as dt
import json
from typing import Any

import pytest

from tables.intake.presence import silent_tables
from tables.models import DisplayReading, GamingTable, Quarantine, Stream, UnitPresence
from tables.protocol import topics
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.signature import signed
from tables.protocol.table_ref import TableRef
from tests.support.units.table_units import (
    KEY,
    NOON,
    make_table,
    message_of,
    messages_of,
    take_in,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def table_ref() -> TableRef:
    return make_table()


def presence(
    table_ref: TableRef, boot: int, connection: int, *, retained: bool = False, **fields: Any
) -> InboundMessage:
    body = {"v": 1, "state": "online", "boot": boot, "connection": connection, **fields}
    message = message_of(table_ref, json.dumps(body).encode(), kind="presence")
    return InboundMessage.of(message.topic, message.body, retained=retained)


def will(table_ref: TableRef, boot: int, connection: int) -> InboundMessage:
    return presence(table_ref, boot, connection, state="offline")


def is_online() -> bool:
    return UnitPresence.objects.get().online


def test_presence_is_answered_with_the_watermark(table_ref: TableRef) -> None:
    take_in(*messages_of(table_ref, 1, 2))
    (receipt,) = take_in(presence(table_ref, 1, 1, last_seq=2))
    assert (receipt.boot, receipt.committed_seq, receipt.resend_from) == (1, 2, None)


def test_presence_beyond_the_watermark_asks_for_a_resend(table_ref: TableRef) -> None:
    take_in(*messages_of(table_ref, 1, 2))
    (receipt,) = take_in(presence(table_ref, 1, 1, last_seq=9))
    assert (receipt.committed_seq, receipt.resend_from) == (2, 3)


def test_a_boot_of_which_nothing_came_is_asked_for_from_the_start(table_ref: TableRef) -> None:
    (receipt,) = take_in(presence(table_ref, 5, 1, last_seq=2))
    assert (receipt.boot, receipt.committed_seq, receipt.resend_from) == (5, 0, 1)


def test_a_unit_without_memory_is_given_its_next_boot(table_ref: TableRef) -> None:
    take_in(*messages_of(table_ref, 1, boot=6))
    (receipt,) = take_in(presence(table_ref, 0, 1))
    assert (receipt.boot, receipt.next_boot, receipt.resend_from) == (0, 7, None)


def test_a_will_takes_the_unit_offline(table_ref: TableRef) -> None:
    take_in(presence(table_ref, 1, 4))
    assert is_online()
    take_in(will(table_ref, 1, 4))
    assert not is_online()


def test_the_will_of_an_older_connection_is_ignored(table_ref: TableRef) -> None:
    take_in(presence(table_ref, 1, 4), presence(table_ref, 1, 5), will(table_ref, 1, 4))
    assert is_online()
    take_in(presence(table_ref, 2, 1), will(table_ref, 1, 5))
    assert is_online()
    take_in(presence(table_ref, 0, 1), will(table_ref, 2, 1))
    assert is_online()


def test_the_brokers_memory_is_no_sign_of_life(table_ref: TableRef) -> None:
    later = NOON + dt.timedelta(minutes=5)
    take_in(presence(table_ref, 1, 4))
    take_in(presence(table_ref, 1, 4, retained=True), now=later)
    assert UnitPresence.objects.get().heard_at == NOON


def test_silent_tables(table_ref: TableRef) -> None:
    take_in(presence(table_ref, 1, 1))
    assert silent_tables(NOON) == []
    assert [t.pk for t in silent_tables(NOON + dt.timedelta(seconds=31))] == [table_ref.table_id]
    take_in(will(table_ref, 1, 1))
    assert [t.pk for t in silent_tables(NOON)] == [table_ref.table_id]
    GamingTable.objects.update(in_service=False)
    assert silent_tables(NOON) == []


def test_a_table_never_heard_is_silent(table_ref: TableRef) -> None:
    assert [t.pk for t in silent_tables(NOON)] == [table_ref.table_id]


def test_a_broken_presence_is_quarantined(table_ref: TableRef) -> None:
    take_in(presence(table_ref, 1, 1, mood="good"))
    assert Quarantine.objects.get().reason == "unknown_field"
    assert not UnitPresence.objects.exists()


def test_readings_are_kept(table_ref: TableRef) -> None:
    reading = {
        "v": 1,
        "display": "d-07",
        "at": "2026-11-21T12:00:00+13:00",
        "terms": 12,
        "shown": [{"tier": "royal", "value": 1000037}],
        "system_seq": 90210,
    }
    take_in(message_of(table_ref, json.dumps(reading).encode(), kind="readings"))
    row = DisplayReading.objects.get()
    assert (row.display, row.shown, row.system_seq) == ("d-07", {"royal": 1000037}, 90210)


def test_at_a_table_with_a_key_the_unsigned_word_of_a_stranger_does_not_count() -> None:
    table_ref = make_table(key=KEY)
    genuine = InboundMessage.of(
        topics.presence(table_ref.system, table_ref.table),
        signed(presence(table_ref, 3, 1).body, KEY),
    )
    assert len(take_in(genuine)) == 1
    forged = presence(table_ref, 3, 9, last_seq=900)  # would have the console ask for 900 events
    will_of_a_stranger = will(table_ref, 3, 9)
    take_in(forged, will_of_a_stranger)
    assert [row.reason for row in Quarantine.objects.order_by("id")] == ["wrong_mac"] * 2
    row = UnitPresence.objects.get()
    assert (row.online, row.connection, row.last_seq) == (True, 1, 0)
    assert Stream.objects.filter(last_seq__gt=0).count() == 0


def test_what_the_broker_remembers_from_before_the_key_is_not_said_now() -> None:
    table_ref = make_table(key=KEY)
    take_in(presence(table_ref, 3, 1, retained=True))
    assert not Quarantine.objects.exists()
    assert not UnitPresence.objects.exists()


def test_a_reading_carries_the_key_of_its_table_too() -> None:
    table_ref = make_table(key=KEY)
    fields = {"v": 1, "display": "d-1", "at": "2026-11-21T10:18:20Z", "terms": 1, "shown": []}
    body = json.dumps({**fields, "system_seq": 1}).encode()
    topic = topics.readings(table_ref.system, table_ref.table)
    take_in(InboundMessage.of(topic, body), InboundMessage.of(topic, signed(body, KEY)))
    assert DisplayReading.objects.count() == 1
    assert Quarantine.objects.get().reason == "wrong_mac"
