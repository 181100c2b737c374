"""The brokers of tables and of tasks: one that is as it should be, and those that are not."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.utils import timezone
from pytest_django import Settings

from demo.servers.broker import PrivateBroker
from settlement.doctor import mqtt_broker, task_queue
from settlement.doctor.examination import State
from settlement.doctor.mqtt_broker import QUEUED, Broker, Trial, Welcome
from settlement.doctor.task_queue import TaskQueue
from tables.intake.heartbeat import Heartbeats
from tables.models import BrokerAccounts
from tables.mqtt.client import Link
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.servers.secure_broker import has_mosquitto
from tests.support.servers.services import Broker as Address
from tests.support.suite.waiting import wait_until

needs_mosquitto = pytest.mark.skipif(not has_mosquitto(), reason="no Mosquitto on this machine")
NOBODY = urlsplit("mqtt://127.0.0.1:1")


@pytest.fixture
def small_queue(settings: Settings) -> Iterator[None]:
    """A broker that holds few messages back, as brokers do by themselves."""
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o711)
        broker = PrivateBroker(Path(name) / "broker", kind="mosquitto", queued_at_most=1000)
        broker.start()
        settings.MQTT_URL = urlsplit(broker.url)
        yield
        broker.stop()


@pytest.mark.django_db
def test_a_broker_lets_the_console_in_and_an_intake_listens(
    broker: Address, settings: Settings
) -> None:
    house = House(royal_terms(), code="doctor-1")
    facts = mqtt_broker.look()
    assert mqtt_broker.connection(facts).state == State.GOOD
    assert mqtt_broker.limits(facts).state in (State.GOOD, State.UNSEEN)  # amqtt speaks no MQTT 5
    assert mqtt_broker.intake(facts).state == State.WRONG
    assert house.system.code in mqtt_broker.intake(facts).finding
    link, heartbeats = Link("doctor-test"), Heartbeats("intake-1")
    link.start()
    try:
        assert link.wait_connected(10)
        heartbeats.tend(link)
        wait_until(
            lambda: mqtt_broker.intake(mqtt_broker.look()).state == State.GOOD, what="the intake"
        )
    finally:
        heartbeats.stop()
        link.stop()
    wait_until(
        lambda: mqtt_broker.intake(mqtt_broker.look()).state == State.WRONG, what="its farewell"
    )


@needs_mosquitto
def test_a_broker_keeps_what_it_is_sent_for_who_is_away(broker: Address) -> None:
    assert mqtt_broker.try_out() == Trial(has_session=True, received=QUEUED, is_retained=True)


@needs_mosquitto
@pytest.mark.usefixtures("small_queue")
def test_a_broker_that_drops_messages_is_caught() -> None:
    trial = mqtt_broker.try_out()
    assert trial is not None
    assert trial.received < QUEUED
    assert mqtt_broker.queue_of_session(trial).state == State.WRONG
    assert mqtt_broker.session(trial).state == State.GOOD


@pytest.mark.django_db
def test_a_broker_that_is_not_there_is_wrong_once(settings: Settings) -> None:
    settings.MQTT_URL = NOBODY
    facts = mqtt_broker.look()
    point = mqtt_broker.connection(facts)
    assert (point.state, "refused" in point.finding) == (State.WRONG, True)
    assert mqtt_broker.limits(facts).state == mqtt_broker.intake(facts).state == State.UNSEEN
    assert mqtt_broker.try_out() is None


def test_what_a_trial_says() -> None:
    lost = Trial(has_session=False, received=0, is_retained=False)
    for judge in (mqtt_broker.session, mqtt_broker.queue_of_session, mqtt_broker.retained):
        assert judge(Trial(has_session=True, received=QUEUED, is_retained=True)).state == State.GOOD
        assert judge(lost).state == State.WRONG
        assert judge(None).state == State.UNSEEN


@pytest.mark.parametrize(
    "limits", [{"MaximumPacketSize": 1000}, {"RetainAvailable": 0}, {"MaximumQoS": 0}]
)
def test_limits_that_are_too_low_are_named(limits: dict[str, int]) -> None:
    welcome = Welcome(has_session=False, limits={})
    assert mqtt_broker.limits(Broker(frozenset(), welcome, "", welcome)).state == State.GOOD
    low = Broker(frozenset(), welcome, "", Welcome(has_session=False, limits=limits))
    point = mqtt_broker.limits(low)
    assert (point.state, next(iter(limits)) in point.finding) == (State.WRONG, True)


@pytest.mark.django_db
def test_accounts_that_the_broker_has_not_are_named(settings: Settings, tmp_path: Path) -> None:
    facts = Broker(frozenset(), None)
    assert mqtt_broker.accounts(facts).state == State.ATTENTION
    settings.BROKER_ACCOUNTS_DIR = str(tmp_path)
    assert mqtt_broker.accounts(facts).state == State.WRONG
    row = BrokerAccounts.objects.create(pk=1, fault="It hangs.", digest="x")
    assert mqtt_broker.accounts(facts).finding == "It hangs."
    row.taken_at, row.fault = timezone.now(), ""
    row.save()
    assert mqtt_broker.accounts(facts).state == State.GOOD


def test_tasks_in_a_folder_are_for_the_demo(settings: Settings) -> None:
    facts = task_queue.look()
    assert facts.fault == ""
    assert task_queue.connection(facts).state == State.ATTENTION
    settings.CELERY_BROKER_URL = "amqp://guest@rabbitmq//"
    assert task_queue.connection(facts).state == State.GOOD
    assert task_queue.connection(TaskQueue(fault="refused")).state == State.WRONG


@pytest.mark.parametrize(
    ("facts", "states"),
    [
        (TaskQueue(fault="refused"), ("unseen", "unseen", "unseen")),
        (TaskQueue(), ("attention", "unseen", "unseen")),
        (TaskQueue(waiting=3, consumers=2), ("good", "good", "good")),
        (TaskQueue(waiting=600, consumers=0), ("attention", "wrong", "good")),
        (TaskQueue(waiting=6000, consumers=1, differs="x-queue-type"), ("wrong", "good", "wrong")),
    ],
)
def test_what_a_queue_says(facts: TaskQueue, states: tuple[str, ...]) -> None:
    judges = (task_queue.waiting, task_queue.workers, task_queue.kind)
    assert tuple(judge(facts).state for judge in judges) == states
