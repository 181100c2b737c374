"""The intake: acknowledged only after the commit, and not to be stopped."""

import dataclasses
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import OperationalError, connection

from tables.intake.boots.watermark import HINT_CHANNEL
from tables.intake.loop import Intake, IntakeError
from tables.intake.reception import Answer, receive
from tables.models import Quarantine, RepeatedEvent, TableEvent
from tables.mqtt.client import Delivery, Link
from tables.protocol import topics
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.table_ref import TableRef
from tables.unit.unit import TableUnit
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
from tests.support.units.table_units import NOON, event, make_table, messages_of, read_receipt

MakeUnit = Callable[..., TableUnit]


def delivery_of(intake: Intake, table_ref: TableRef) -> Delivery:
    """The next event of this table; the broker also remembers the presence of others."""
    topic = topics.events(table_ref.system, table_ref.table)
    deliveries: list[Delivery] = []

    def is_delivered() -> bool:
        deliveries.extend(one for one in intake.link.take(0.1, 1) if one.message.topic == topic)
        return bool(deliveries)

    wait_until(is_delivered)
    return deliveries[0]


def test_an_intake_killed_between_commit_and_ack_counts_once(
    fresh_database: FreshDatabase, lasting_broker: Broker
) -> None:
    table_ref, instance = make_table(), new_instance()
    first = Intake(instance)
    first.start()
    assert first.link.wait_connected(60)
    with listener(topics.receipts(table_ref.system, table_ref.table)) as unit:
        publish(unit, table_ref, event(table_ref, 1))
        delivery = delivery_of(first, table_ref)
        receive([delivery.message], NOON)  # committed; then the power goes
        first.link.cut()
        second = Intake(instance)
        second.start()
        try:
            drive(second, lambda: not unit.deliveries.empty())
        finally:
            second.stop()
        receipt = read_receipt(unit.deliveries.get().message.body)
    assert [result.outcome for result in receipt.results] == ["duplicate"]
    assert receipt.committed_seq == 1
    assert TableEvent.objects.count() == 1


def test_an_ack_on_another_connection_is_dropped(
    fresh_database: FreshDatabase, lasting_broker: Broker
) -> None:
    table_ref, instance = make_table(), new_instance()
    intake = Intake(instance)
    intake.start()
    assert intake.link.wait_connected(60)
    with listener() as unit:
        publish(unit, table_ref, event(table_ref, 1))
        delivery = delivery_of(intake, table_ref)
        intake.link.reconnect()
        again = delivery_of(intake, table_ref)
        assert dataclasses.replace(again.message, redelivered=False) == delivery.message
        assert not intake.link.ack(delivery)
        assert intake.link.ack(again)
    intake.stop()


def test_while_the_database_is_away_nothing_is_acknowledged(
    fresh_database: FreshDatabase, intake: RunningIntake, make_unit: MakeUnit
) -> None:
    unit = make_unit(make_table())
    connection.close()
    fresh_database.go_away()
    unit.press()
    assert unit.wait_recorded(1, 0.5) is None
    assert intake.is_running
    fresh_database.come_back()
    assert unit.wait_recorded(1)
    assert TableEvent.objects.count() == 1


def test_a_commit_whose_answer_was_lost_makes_no_repeat(
    fresh_database: FreshDatabase, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same batch is tried again, and its events are there: the unit said them once."""
    table_ref = make_table()
    topic = topics.events(table_ref.system, table_ref.table)
    tries: list[int] = []  # of batches with the event; the broker may deliver others before

    def lose_the_first_answer(messages: Sequence[InboundMessage], *rest: Any) -> list[Answer]:
        answers = receive(messages, *rest)
        if any(message.topic == topic for message in messages):
            tries.append(len(messages))
            if len(tries) == 1:
                raise OperationalError("server closed the connection unexpectedly")
        return answers

    monkeypatch.setattr("tables.intake.loop.receive", lose_the_first_answer)
    intake = Intake(new_instance())
    intake.start()
    try:
        assert intake.link.wait_connected(60)
        with listener() as unit:
            publish(unit, table_ref, event(table_ref, 1))
            drive(intake, lambda: len(tries) >= 2)
            assert TableEvent.objects.count() == 1
            assert not RepeatedEvent.objects.exists()
            publish(unit, table_ref, event(table_ref, 1))
            drive(intake, RepeatedEvent.objects.exists)
    finally:
        intake.stop()


def test_a_fault_in_one_message_quarantines_that_one(
    intake: RunningIntake, make_unit: MakeUnit, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tables.intake import reception

    decode = reception.decode_event

    def faulty(message: object, table_ref: object) -> object:
        if b"stumble" in message.body:  # type: ignore[attr-defined]
            raise ZeroDivisionError("unforeseen")
        return decode(message, table_ref)  # type: ignore[arg-type]

    monkeypatch.setattr(reception, "decode_event", faulty)
    unit = make_unit(make_table())
    unit.press()
    unit.rounds_missed(1, "stumble")
    unit.press()
    assert unit.wait_recorded(3)
    result = unit.wait_recorded(2)
    assert result
    assert (result.outcome, result.reason) == ("quarantined", "internal")
    assert Quarantine.objects.get(seq=2).explanation.endswith("ZeroDivisionError: unforeseen")


def test_a_dead_network_thread_ends_the_intake(
    fresh_database: FreshDatabase, broker: Broker
) -> None:
    intake = Intake(new_instance())
    with pytest.raises(IntakeError):
        intake.step(0)


def test_a_fault_in_a_callback_ends_the_intake_aloud(
    fresh_database: FreshDatabase, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise ZeroDivisionError("unforeseen")

    table_ref = make_table()

    def meet_the_fault() -> None:
        with listener() as unit, RunningIntake() as running:
            monkeypatch.setattr(running.intake.link._client, "on_message", stumble)
            publish(unit, table_ref, event(table_ref, 1))
            wait_until(lambda: not running.is_running)

    with pytest.raises(ZeroDivisionError, match="unforeseen"):
        meet_the_fault()


def test_a_fault_in_a_callback_does_not_end_a_network_thread(broker: Broker) -> None:
    def stumble() -> None:
        raise ZeroDivisionError("unforeseen")

    topic = f"jackpot/v1/{new_instance()}/t-1/receipts"
    link = Link(new_instance(), [topic], on_connected=stumble)
    link.start()
    try:
        assert link.wait_connected(60)
        with listener() as other:

            def is_heard() -> bool:
                publication = other.publish(topic, b"still there")
                assert publication
                assert publication.wait(60)
                return not link.deliveries.empty()

            wait_until(is_heard)
        assert link.alive()
    finally:
        link.stop()


def test_many_events_are_all_acknowledged(intake: RunningIntake) -> None:
    table_ref = make_table()
    with listener() as unit:
        for seq in range(1, 1201):
            unit.publish(topics.events(table_ref.system, table_ref.table), event(table_ref, seq))
        wait_until(lambda: TableEvent.objects.count() == 1200)
    assert not Quarantine.objects.exists()


def test_each_system_hears_whether_the_intake_listens(
    fresh_database: FreshDatabase, broker: Broker
) -> None:
    table_ref, instance = make_table(), new_instance()
    with listener(topics.console(table_ref.system, instance)) as screen:

        def state_is(state: str) -> bool:
            return bool(
                json.loads(screen.deliveries.get(timeout=60).message.body)["state"] == state
            )

        with RunningIntake(instance):
            wait_until(partial(state_is, "online"))
        wait_until(partial(state_is, "offline"))


def test_an_intake_to_which_nothing_is_delivered_connects_anew(
    fresh_database: FreshDatabase,
    broker: Broker,
    make_unit: MakeUnit,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tables.intake.loop.DEAF_AFTER_S", 0.5)
    monkeypatch.setattr("tables.intake.loop.HEARTBEATS_EVERY_S", 0.02)
    table_ref, instance = make_table(), new_instance()
    with RunningIntake(instance) as running:
        unit = make_unit(table_ref)
        # Its subscriptions are gone, as after a broker's fault, and nobody tells it.
        running.intake.link._client.unsubscribe(
            ["jackpot/v1/+/+/events", "jackpot/v1/+/+/presence", f"jackpot/v1/+/console/{instance}"]
        )
        unit.press()
        assert unit.wait_recorded(1)


def test_the_poster_gets_a_hint(fresh_database: FreshDatabase, broker: Broker) -> None:
    table_ref, instance = make_table(), new_instance()
    with (
        psycopg.connect(fresh_database.url, autocommit=True) as poster,
        listener() as unit,
    ):
        poster.execute(f"LISTEN {HINT_CHANNEL}")
        with RunningIntake(instance):
            publish(unit, table_ref, event(table_ref, 1))
            assert next(poster.notifies(timeout=60)).channel == HINT_CHANNEL


@pytest.mark.slow
def test_killed_again_and_again_the_intake_loses_and_doubles_nothing(
    fresh_database: FreshDatabase, broker: Broker, make_unit: MakeUnit, tmp_path: Path
) -> None:
    table_ref, instance = make_table(), new_instance()
    lives, presses = 4, 150
    words = tmp_path / "intake.log"
    unit = make_unit(table_ref, ready=False)

    def start() -> subprocess.Popen[bytes]:
        with words.open("ab") as log:
            return subprocess.Popen(
                [
                    sys.executable,
                    settings.BASE_DIR / "manage.py",
                    "run_intake",
                    "--instance",
                    instance,
                ],
                env=fresh_database.environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def works_on(life: int, before: int) -> bool:
        """It, not what the one before it left to be committed."""
        assert process.poll() is None, words.read_text()
        listens = words.read_text().count("is listening") == life + 1
        return listens and TableEvent.objects.count() > before

    process = start()
    try:
        assert unit.wait_ready(120)
        for life in range(lives):
            before = TableEvent.objects.count()
            for _ in range(presses):
                unit.press()
            # Killed in the middle of its work.
            wait_until(partial(works_on, life, before), 120)
            process.kill()
            process.wait()
            process = start()
        assert unit.wait_recorded(lives * presses, 120)
        wait_until(lambda: unit.receipts.committed_seq == lives * presses, 120)
        wait_until(lambda: words.read_text().count("is listening") == lives + 1, 120)
    finally:
        process.terminate()
        assert process.wait(60) == 0
    assert TableEvent.objects.count() == lives * presses
    assert not Quarantine.objects.filter(table_id=table_ref.table_id).exists()


def test_stop_ends_the_intake(fresh_database: FreshDatabase, broker: Broker) -> None:
    stop = threading.Event()
    stop.set()
    Intake(new_instance()).run(stop)


def test_messages_taken_in_without_a_broker(fresh_database: FreshDatabase) -> None:
    table_ref = make_table()
    (answer,) = receive(messages_of(table_ref, 1, 2), NOON)
    assert answer.topic == topics.receipts(table_ref.system, table_ref.table)
    assert read_receipt(answer).committed_seq == 2
