"""Two intakes hear the same: all is recorded once, and neither waits for the other for ever."""

import dataclasses
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from tables.intake.boots.redeliveries import Hearer, newest_event
from tables.intake.loop import Intake
from tables.intake.reception import receive
from tables.models import (
    Alarm,
    Quarantine,
    QuarantineDay,
    RepeatedEvent,
    Stream,
    TableEvent,
)
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.table_ref import TableRef
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import listener, new_instance, publish
from tests.support.units.table_units import (
    NOON,
    event,
    make_system,
    make_table,
    messages_of,
    take_in,
)

ROUNDS = 60


def test_an_intake_does_not_start_under_the_name_of_a_stand_in(settings: Settings) -> None:
    settings.INTAKE_INSTANCE = "intake-1-stand-in"
    for options in ({}, {"instance": "intake-2-stand-in"}, {"stand_in": True}):
        with pytest.raises(CommandError, match=r"INTAKE_INSTANCE.*does not end in -stand-in"):
            call_command("run_intake", **options)


def test_the_same_events_through_two_intakes_at_once(fresh_database: FreshDatabase) -> None:
    system = make_system()
    table_refs = [make_table(f"t-{n}", system=system) for n in range(4)]
    together = threading.Barrier(2)

    def intake(order: list[TableRef]) -> None:
        try:
            for seq in range(1, ROUNDS + 1):
                together.wait(120)
                # New streams in every round (boot), met in opposite orders.
                batch = [
                    message
                    for table_ref in order
                    for message in (
                        *messages_of(table_ref, seq),
                        *messages_of(table_ref, 1, boot=seq + 1),
                    )
                ]
                take_in(*batch)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        for future in [pool.submit(intake, table_refs), pool.submit(intake, table_refs[::-1])]:
            future.result()
    assert TableEvent.objects.count() == 2 * ROUNDS * len(table_refs)
    assert {s.committed_seq for s in Stream.objects.filter(boot=1)} == {ROUNDS}


def noted() -> list[int]:
    """The seqs of which a note says that they came again."""
    return list(RepeatedEvent.objects.order_by("seq").values_list("seq", flat=True))


def hears(intake: str, *messages: InboundMessage, through: int = 0) -> None:
    receive(messages, NOON, hearer=Hearer(intake, through))


@pytest.mark.django_db
def test_a_copy_for_another_intake_is_no_repeat() -> None:
    first, second = messages_of(make_table(), 1, 2)
    hears("a", first)
    hears("b", first, second)
    hears("a", second)
    assert noted() == []


@pytest.mark.django_db
def test_what_a_unit_says_again_is_noted_by_who_recorded_it() -> None:
    first, second = messages_of(make_table(), 1, 2)
    hears("a", first)
    hears("b", first, second)
    hears("b", first)  # nobody can say whether it is the copy
    assert noted() == []
    hears("a", first)
    assert noted() == [1]
    hears("b", second, second)
    assert noted() == [1, 2]


@pytest.mark.django_db
def test_what_the_broker_delivers_again_is_no_repeat() -> None:
    (first,) = messages_of(make_table(), 1)
    hears("a", first)
    hears("a", dataclasses.replace(first, redelivered=True))
    assert noted() == []


@pytest.mark.django_db
def test_behind_an_own_heartbeat_nobody_waits_for_a_copy() -> None:
    """The one that recorded it may be gone for good: a stand-in during an update."""
    first, second = messages_of(make_table(), 1, 2)
    hears("stand-in", first)
    through = newest_event()
    hears("stand-in", second)
    hears("a", first, second, through=through)
    assert noted() == [1]


@pytest.mark.django_db
def test_what_cannot_be_used_is_kept_and_counted_once() -> None:
    """With counters or without, of a known unit or not; what is said again counts as ever."""
    table_ref = make_table()
    (first,) = messages_of(table_ref, 1)
    topic = first.topic
    unusable = [
        InboundMessage.of(topic, b"no JSON"),
        InboundMessage.of(topic, first.body.replace(b"{", b'{"strange":1,', 1)),
        InboundMessage.of("jackpot/v1/nobody/t9/events", b"no JSON"),
        InboundMessage.of("elsewhere", b"no JSON"),
    ]
    for intake in ("a", "b"):
        hears(intake, *unusable)
    assert Quarantine.objects.count() == len(unusable)
    assert sum(Alarm.objects.values_list("count", flat=True)) == len(unusable)
    assert sum(QuarantineDay.objects.values_list("rows", flat=True)) == len(unusable)
    hears("b", *unusable)
    assert sum(Alarm.objects.values_list("count", flat=True)) == len(unusable)
    hears("a", *unusable)
    assert sum(Alarm.objects.values_list("count", flat=True)) == 2 * len(unusable)


def test_two_at_once_keep_it_once(fresh_database: FreshDatabase) -> None:
    messages = [InboundMessage.of(f"elsewhere/{number}", b"") for number in range(50)]
    together = threading.Barrier(2)

    def intake(name: str) -> None:
        try:
            for message in messages:
                together.wait(120)
                hears(name, message)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        for future in [pool.submit(intake, name) for name in ("a", "b")]:
            future.result()
    assert Quarantine.objects.count() == len(messages)
    assert Alarm.objects.get().count == len(messages)


def test_two_at_one_broker(fresh_database: FreshDatabase, lasting_broker: Broker) -> None:
    """Each event is recorded once, with no note; what is said again has one, whoever is left."""
    table_ref = make_table()
    intakes = [Intake(new_instance()), Intake(new_instance())]
    for intake in intakes:
        intake.start()
        assert intake.link.wait_connected(60)
    counts = dict.fromkeys((intake.instance for intake in intakes), 0)

    def work() -> None:
        for intake in intakes:
            counts[intake.instance] += intake.step(0.01)

    def all_heard(seqs: int) -> bool:
        work()
        through = newest_event()
        return TableEvent.objects.count() == seqs and all(
            intake._heard_through >= through for intake in intakes
        )

    def are_noted(*seqs: int) -> bool:
        work()
        return noted() == list(seqs)

    with listener() as unit:
        for seq in range(1, 21):
            publish(unit, table_ref, event(table_ref, seq))
            work()
        wait_until(lambda: all_heard(20), what="both to hear themselves behind all events")
        assert noted() == []
        for seq in (3, 7):
            publish(unit, table_ref, event(table_ref, seq))
        wait_until(lambda: are_noted(3, 7), what="notes of both")
        intakes.pop(0).stop()
        RepeatedEvent.objects.all().delete()
        for seq in range(1, 21):
            publish(unit, table_ref, event(table_ref, seq))
        wait_until(lambda: are_noted(*range(1, 21)), what="notes of the other")
    intakes[0].stop()
