"""The outbox: messages after the commit, in order, each acknowledged before it is forgotten."""

import socket
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings

from tables.intake import outbox
from tables.intake.loop import Intake
from tables.models import OutboxMessage, TableEvent
from tables.mqtt.client import Delivery
from tables.protocol import topics
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import (
    RunningIntake,
    drive,
    listener,
    new_instance,
    publish,
)
from tests.support.units.table_units import event, make_table


def test_a_flooded_intake_publishes_its_outbox_once(
    fresh_database: FreshDatabase, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answers to its own messages lie behind all that is delivered and not yet read."""
    monkeypatch.setattr("tables.intake.loop.BATCH", 10)
    monkeypatch.setattr("tables.mqtt.polled_client.QUEUED_AT_MOST", 20)
    table_ref = make_table()
    intake = Intake(new_instance())
    intake.start()
    assert intake.link.wait_connected(60)
    try:
        with listener(topics.display(table_ref.system)) as screen:
            for seq in range(1, 301):
                publish(screen, table_ref, event(table_ref, seq))
            for number in range(20):
                outbox.put(table_ref.system, topics.display(table_ref.system), b"%d" % number)
            drive(intake, lambda: not OutboxMessage.objects.exists())
            drive(intake, lambda: TableEvent.objects.count() == 300)
            heard = [screen.deliveries.get(timeout=60).message.body for _ in range(20)]
            assert heard == [b"%d" % number for number in range(20)]
            outbox.put(table_ref.system, topics.display(table_ref.system), b"the last")
            drive(intake, lambda: not OutboxMessage.objects.exists())
            assert screen.deliveries.get(timeout=60).message.body == b"the last"
    finally:
        intake.stop()


def test_one_intake_sends_and_another_takes_over(
    fresh_database: FreshDatabase, broker: Broker
) -> None:
    table_ref = make_table()
    instances = new_instance(), new_instance()
    with listener(topics.display(table_ref.system)) as screen:
        with RunningIntake(instances[0]), RunningIntake(instances[1]):
            for number in range(40):
                outbox.put(table_ref.system, topics.display(table_ref.system), b"%d" % number)
            wait_until(lambda: not OutboxMessage.objects.exists())
        with RunningIntake(instances[1]):
            outbox.put(table_ref.system, topics.display(table_ref.system), b"40")
            wait_until(lambda: not OutboxMessage.objects.exists())
        heard = [screen.deliveries.get(timeout=60).message.body for _ in range(41)]
    assert heard == [b"%d" % number for number in range(41)]  # each once, in order
    assert screen.deliveries.empty()


def test_what_was_on_its_way_when_the_line_broke_is_sent_on_the_next_one(
    fresh_database: FreshDatabase, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It broke and came back within one step, in which the intake waited for the database."""
    monkeypatch.setattr("tables.intake.loop._LONGEST_PAUSE_S", 0.01)
    table_ref = make_table()
    topic = topics.display(table_ref.system)
    # It hears nothing but the table's events: neither its own heartbeats nor what brokers retained
    # of others may stand before the one event that holds the line's end back.
    monkeypatch.setattr("tables.intake.loop.DEAF_AFTER_S", 3600.0)
    intake = Intake(new_instance())
    intake.link._filters = [topics.events(table_ref.system, table_ref.table)]
    intake.start()
    assert intake.link.wait_connected(60)
    monkeypatch.setattr(
        "tables.mqtt.polled_client.QUEUED_AT_MOST", 1
    )  # an end waits behind a message

    def is_delivered() -> bool:
        intake.link.turn(0.01)
        return bool(intake.link._ready)

    def is_on_its_way() -> bool:
        intake._look_after_the_rest()
        return bool(intake._sender._on_the_way)

    def come_back() -> None:
        if intake.link.is_connected and intake.link.connection_number != before:
            fresh_database.come_back()

    monkeypatch.setattr(intake, "_beat", come_back)
    try:
        with listener(topic) as screen:
            publish(screen, table_ref, event(table_ref, 1))
            wait_until(is_delivered)
            outbox.put(table_ref.system, topic, b"older", retain=True)
            wait_until(is_on_its_way)  # it leaves with the next turn
            before = intake.link.connection_number
            line: Any = intake.link._client.socket()
            line.shutdown(socket.SHUT_RDWR)
            fresh_database.go_away()
            assert intake.step(0) == 1
            assert intake.link.connection_number != before
            outbox.put(table_ref.system, topic, b"newer", retain=True)
            drive(intake, lambda: not OutboxMessage.objects.exists())
            heard = [screen.deliveries.get(timeout=60).message.body for _ in range(2)]
            assert heard == [b"older", b"newer"]
            assert screen.deliveries.empty()
    finally:
        intake.stop()


class Acknowledged:
    """What became of a message in a test without a broker."""

    def __init__(self, *, is_acknowledged: bool = False) -> None:
        self.is_acknowledged = is_acknowledged


def test_what_the_broker_lost_is_sent_again(
    fresh_database: FreshDatabase, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_ref = make_table()
    payloads: list[bytes] = []

    def publish_nowhere(message: outbox.Outgoing) -> Acknowledged:
        payloads.append(message.payload)
        return Acknowledged()

    sender = outbox.Sender(publish_nowhere)
    outbox.put(table_ref.system, topics.display(table_ref.system), b"lost")
    assert not sender.step(1)
    sender.step(1)
    assert payloads == [b"lost"]
    monkeypatch.setattr(outbox, "LOST_AFTER_S", 0.0)
    sender.step(1)
    assert payloads == [b"lost", b"lost"]
    assert OutboxMessage.objects.count() == 1
    sender.rest()


def test_newer_messages_do_not_prolong_the_wait_for_a_lost_one(
    fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Displays are sent something every few seconds, and old values never after newer ones."""
    table_ref = make_table()
    payloads: list[bytes] = []
    now = 100.0

    def publish(message: outbox.Outgoing) -> Acknowledged:
        payloads.append(message.payload)
        return Acknowledged(is_acknowledged=message.payload != b"0")

    monkeypatch.setattr(outbox, "time", SimpleNamespace(monotonic=lambda: now))
    sender = outbox.Sender(publish)
    for number in range(4):
        outbox.put(table_ref.system, topics.display(table_ref.system), b"%d" % number, retain=True)
        sender.step(1)
        now += outbox.LOST_AFTER_S / 3
    assert payloads == [b"0", b"1", b"2", b"3"]
    now += 1.0
    sender.step(1)
    sender.step(1)
    assert payloads[4:] == [b"0", b"1", b"2", b"3"]
    sender.rest()


def test_the_outbox_is_published_in_order_and_emptied(intake: RunningIntake) -> None:
    table_ref = make_table()
    with listener(topics.display(table_ref.system)) as screen:
        for number in range(20):
            outbox.put(
                table_ref.system, topics.display(table_ref.system), b"%d" % number, retain=True
            )
        heard = [screen.deliveries.get(timeout=60).message.body for _ in range(20)]
    assert heard == [b"%d" % number for number in range(20)]
    wait_until(lambda: not OutboxMessage.objects.exists())
    with listener(topics.display(table_ref.system)) as late:
        assert late.deliveries.get(timeout=10).message.body == b"19"


def test_a_full_outbox_does_not_hurry_an_intake_without_a_broker(
    fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "MQTT_URL", urlsplit("mqtt://127.0.0.1:1"))
    intake = Intake(new_instance())
    intake.start()
    waited: list[float] = []

    def take(timeout: float, *_: object) -> list[Delivery]:
        waited.append(timeout)
        return []

    monkeypatch.setattr(intake.link, "take", take)
    monkeypatch.setattr(intake, "_outbox_waits", True)
    intake.step(0.05)
    assert waited == [0.05]
    intake.link.stop()
