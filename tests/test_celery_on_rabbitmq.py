"""Celery on RabbitMQ, as compose has it: hints reach the worker, and the beat's tasks are done."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from amqp.exceptions import NotFound, PreconditionFailed
from django.utils import timezone
from kombu import Connection

from config.application import Application
from jackpot.display.tasks import refresh_display
from jackpot.models import DisplayMessage, DisplayPulse
from settlement.doctor import task_queue
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.servers.celery_process import application, celery
from tests.support.servers.health_answers import HealthAddress
from tests.support.servers.rabbitmq import PrivateRabbitMQ, rabbitmq_program
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

PROJECT = Path(__file__).resolve().parent.parent
# As versions before declared their queues.
CLASSIC = {"durable": True, "auto_delete": False}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.rabbitmq,
    pytest.mark.skipif(
        rabbitmq_program() is None,
        reason="RABBITMQ NOT TESTED: it is not installed (apt install rabbitmq-server)",
    ),
]


@pytest.fixture
def rabbitmq() -> Iterator[PrivateRabbitMQ]:
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o711)
        with PrivateRabbitMQ(Path(name)) as node:
            yield node


@pytest.fixture
def poster(rabbitmq: PrivateRabbitMQ, monkeypatch: pytest.MonkeyPatch) -> Iterator[Application]:
    monkeypatch.setenv("CELERY_BROKER_URL", rabbitmq.url)
    with application() as sender:
        yield sender


def show_another_round(house: House, poster: Application) -> None:
    """Post a round, send one hint, and wait for what a display shows of it."""
    count = DisplayMessage.objects.count()
    house.press("t3")
    house.post()
    poster.send_task(refresh_display.name, (house.system.pk,))
    wait_until(
        lambda: DisplayMessage.objects.count() > count, what="the display message of the hint"
    )


def queues_are_of_their_kind(broker: Connection) -> None:
    """That of tasks is a quorum queue, there is none for later, and a classic one is found."""
    with pytest.raises(PreconditionFailed, match=r"x-queue-type.*quorum"):
        broker.channel().queue_declare("celery", **CLASSIC)
    with pytest.raises(NotFound):  # made for tasks that are due later
        broker.channel().queue_declare("celery_delayed_27", passive=True)
    broker.default_channel.queue_declare("backups", **CLASSIC)
    assert "'x-queue-type' for queue 'backups'" in task_queue.look().differs
    broker.default_channel.queue_delete("backups")
    assert task_queue.look().differs == ""


def test_hints_and_the_beats_tasks_go_through_rabbitmq(
    fresh_database: FreshDatabase,
    rabbitmq: PrivateRabbitMQ,
    poster: Application,
    tmp_path: Path,
) -> None:
    house = House(royal_terms())
    house.open("t3")
    where = HealthAddress()
    worker = celery(
        fresh_database, rabbitmq.url, tmp_path, "worker", "--concurrency", "1", where=where
    )
    try:
        wait_until(
            lambda: poster.control.inspect(timeout=1.0).ping() or not worker.is_running,
            what="the worker's answer over RabbitMQ",
        )
        assert worker.is_running, worker.last_words()
        facts = task_queue.look()
        assert (facts.fault, facts.consumers, facts.differs) == ("", 1, "")
        with poster.connection_for_read() as broker:
            queues_are_of_their_kind(broker)
        assert not DisplayMessage.objects.exists()
        show_another_round(house, poster)
        before = DisplayPulse.objects.get().at
        beat = celery(fresh_database, rabbitmq.url, tmp_path, "beat", "--pidfile", "")
        try:
            wait_until(lambda: DisplayPulse.objects.get().at > before, what="a task of the beat")
            assert (tmp_path / "beat-alive").exists()
            where.wait_ready()
            rabbitmq.stop()
            where.wait_failing("broker")
            assert where.ask("live").status == 200
            rabbitmq.start()
            back = timezone.now()
            wait_until(
                lambda: DisplayPulse.objects.get().at > back, what="a task of the beat again"
            )
            where.wait_ready()
        finally:
            beat.kill()
        show_another_round(house, poster)
    except BaseException as fault:
        fault.add_note(worker.last_words())
        raise
    finally:
        worker.kill()
