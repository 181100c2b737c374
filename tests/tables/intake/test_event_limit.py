"""A unit gone wild with valid events: held to its room, named, and nobody's delay but its own."""

import threading
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from tables.intake.event_limit import ALARM, EventLimit
from tables.intake.reception import receive
from tables.models import Alarm, OutOfOrderEvent, TableEvent
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.messages import Receipt
from tables.protocol.table_ref import TableRef
from tables.unit.unit import TableUnit
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import RunningIntake, listener
from tests.support.units.table_units import (
    KEY,
    event,
    make_system,
    make_table,
    message_of,
    messages_of,
    outcomes,
    read_receipt,
)

MakeUnit = Callable[..., TableUnit]
HANDSET_S = 5.0  # then a handset says NOT RECORDED


class Clock:
    """Seconds that a test lets pass."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        module = SimpleNamespace(monotonic=lambda: self.now)
        monkeypatch.setattr("tables.intake.event_limit.time", module)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def take_in(limit: EventLimit, *messages: InboundMessage) -> list[Receipt]:
    answers = receive(messages, timezone.now(), limit=limit)
    return [read_receipt(answer) for answer in answers]


def recorded(table_ref: TableRef) -> int:
    return TableEvent.objects.filter(table=table_ref.table_id).count()


def test_the_journal_of_a_night_is_taken_in_at_once(
    fresh_database: FreshDatabase, clock: Clock
) -> None:
    limit, table_ref = EventLimit(), make_table()
    take_in(limit, *messages_of(table_ref, *range(1, 2001)))
    take_in(limit, *messages_of(table_ref, *range(2001, 4001)))
    assert recorded(table_ref) == 4000  # a hundred and more an hour for a day and a half
    assert not Alarm.objects.exists()


def test_what_is_beyond_waits_without_a_gap_and_the_next_table_does_not(
    fresh_database: FreshDatabase,
    clock: Clock,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.UNIT_EVENTS_PER_MINUTE = 60
    monkeypatch.setattr("tables.intake.event_limit.BURST_MINUTES", 2)
    system, limit = make_system(), EventLimit()
    wild, calm = make_table("t-1", system=system), make_table("t-2", system=system)
    receipts = take_in(limit, *messages_of(wild, *range(1, 201)), *messages_of(calm, 1, 2, 3))
    assert [each.committed_seq for each in receipts] == [120, 3]
    assert max(outcomes(receipts[0])) == 120  # the others get no result
    alarm = Alarm.objects.get()
    assert (alarm.kind, alarm.subject, alarm.count) == (ALARM, f"{system.code}/t-1", 80)
    assert (alarm.system_id, "have its unit repaired" in alarm.message) == (system.pk, True)

    clock.now = 10
    assert take_in(limit, *messages_of(wild, 201, 202)) == []  # what was before them is missing
    (receipt,) = take_in(limit, *messages_of(wild, *range(121, 201)))
    assert (receipt.committed_seq, receipt.resend_from) == (130, None)
    clock.now = 40
    # What it has already, and another boot after a reset: no gap comes from these.
    (repeated, fresh) = take_in(limit, *messages_of(wild, 1), *messages_of(wild, 1, boot=2))
    assert (outcomes(repeated), outcomes(fresh)) == ({1: "duplicate"}, {1: "recorded"})
    clock.now = 140
    (receipt,) = take_in(limit, *messages_of(wild, *range(131, 203)))
    assert receipt.committed_seq == 202
    assert recorded(wild) == 203  # all of it, in the end
    assert not OutOfOrderEvent.objects.exists()
    clock.now = 300
    (receipt,) = take_in(limit, *messages_of(wild, 204))
    assert receipt.resend_from == 203  # as ever: what the broker lost is asked for


def test_forgery_and_an_attempt_that_fails_take_no_room(
    fresh_database: FreshDatabase,
    clock: Clock,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.UNIT_EVENTS_PER_MINUTE = 5
    monkeypatch.setattr("tables.intake.event_limit.BURST_MINUTES", 1)
    limit, table_ref = EventLimit(), make_table(key=KEY)
    genuine = [message_of(table_ref, event(table_ref, seq), key=KEY) for seq in range(1, 6)]
    with transaction.atomic():
        take_in(limit, *genuine)
        transaction.set_rollback(True)
    take_in(limit, *(message_of(table_ref, event(table_ref, seq)) for seq in range(1, 6)))
    (receipt,) = take_in(limit, *genuine)
    assert receipt.committed_seq == 5
    assert not Alarm.objects.filter(kind=ALARM).exists()


def test_without_a_limit_all_is_taken_in(
    fresh_database: FreshDatabase, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.UNIT_EVENTS_PER_MINUTE = 0
    monkeypatch.setattr("tables.intake.event_limit.BURST_MINUTES", 0)
    table_ref = make_table()
    take_in(EventLimit(), *messages_of(table_ref, *range(1, 101)))
    assert recorded(table_ref) == 100


def test_a_unit_that_resends_as_the_protocol_says_loses_nothing(
    fresh_database: FreshDatabase,
    broker: Broker,
    make_unit: MakeUnit,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.UNIT_EVENTS_PER_MINUTE = 6000
    monkeypatch.setattr("tables.intake.event_limit.BURST_MINUTES", 0.01)
    table_ref = make_table()
    with RunningIntake():
        unit = make_unit(table_ref)
        for _ in range(400):
            unit.press()
        wait_until(lambda: unit.receipts.committed_seq == 400, 120)
    assert recorded(table_ref) == 400
    assert Alarm.objects.get(kind=ALARM).subject == f"{table_ref.system}/{table_ref.table}"


def test_while_one_unit_floods_another_table_is_recorded_at_once(
    fresh_database: FreshDatabase,
    broker: Broker,
    make_unit: MakeUnit,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tables.intake.event_limit.BURST_MINUTES", 1)
    system = make_system()
    wild, calm = make_table("t-1", system=system), make_table("t-2", system=system)
    stop, count = threading.Event(), 0
    with RunningIntake(), listener() as line:
        unit = make_unit(calm)

        def flood() -> None:
            nonlocal count
            for seq in range(1, 50_001):
                message = message_of(wild, event(wild, seq))
                publication = line.publish(message.topic, message.body)
                if publication and seq % 500 == 0:
                    publication.wait(60)  # the line takes no more than the broker does
                count = seq
                if stop.is_set():
                    return

        began = time.monotonic()
        flooding = threading.Thread(target=flood)
        flooding.start()
        try:
            wait_until(lambda: Alarm.objects.filter(kind=ALARM).exists(), 120)
            delays = []
            for number in range(1, 21):
                pressed = time.monotonic()
                unit.press()
                assert unit.wait_recorded(number)
                delays.append(time.monotonic() - pressed)
            assert flooding.is_alive(), "it flooded all the while"
        finally:
            stop.set()
            flooding.join()
        took = time.monotonic() - began
    assert max(delays) < HANDSET_S, f"{count} events of the wild unit in {took:.1f} s: {delays}"
    per_minute = settings.UNIT_EVENTS_PER_MINUTE
    assert recorded(wild) <= per_minute * (1 + took / 60) + 1
    assert recorded(calm) == 20
