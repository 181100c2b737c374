"""Celery on RabbitMQ, as compose has it: hints reach the worker, and the beat's tasks are done."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery

from demo.child import Child
from jackpot.display.tasks import refresh_display
from jackpot.models import DisplayMessage, DisplayPulse
from settlement.doctor import task_queue
from tests.support.books import royal_terms
from tests.support.databases import FreshDatabase
from tests.support.health_asked import HealthAddress
from tests.support.house import House
from tests.support.rabbitmq import PrivateRabbitMQ, rabbitmq_program
from tests.support.waiting import wait_until

PROJECT = Path(__file__).resolve().parent.parent

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


def celery(
    fresh_database: FreshDatabase,
    rabbitmq: PrivateRabbitMQ,
    directory: Path,
    *command: str,
    where: HealthAddress | None = None,
) -> Child:
    """A process of Celery's on that broker and database."""
    environment = fresh_database.environment() | {
        "CELERY_BROKER_URL": rabbitmq.url,
        "BEAT_ALIVE_FILE": str(directory / "beat-alive"),
        **(where.environment if where else {}),
    }
    argv = [sys.executable, "-m", "celery", "-A", "config", *command]
    return Child(argv, directory / f"{command[0]}.log", env=environment, cwd=PROJECT)


def test_hints_and_the_beats_tasks_go_through_rabbitmq(
    fresh_database: FreshDatabase,
    rabbitmq: PrivateRabbitMQ,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CELERY_BROKER_URL", rabbitmq.url)  # the tests' own is the demo's
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.post()
    where = HealthAddress()
    worker = celery(fresh_database, rabbitmq, tmp_path, "worker", "--concurrency", "1", where=where)
    try:
        with Celery() as poster:
            wait_until(
                lambda: poster.control.inspect(timeout=1.0).ping() or not worker.is_running,
                what="the worker's answer over RabbitMQ",
            )
            assert worker.is_running, worker.last_words()
            seen = task_queue.look()
            assert (seen.fault, seen.consumers, seen.differs) == ("", 1, "")
            poster.amqp.queues["celery"].queue_arguments = {"x-queue-type": "quorum"}
            assert "x-queue-type" in task_queue.look().differs
            poster.amqp.queues["celery"].queue_arguments = None
            assert not DisplayMessage.objects.exists()
            poster.send_task(refresh_display.name, (house.system.pk,))
            wait_until(DisplayMessage.objects.exists, what="the display message of the hint")
        before = DisplayPulse.objects.get().at
        beat = celery(fresh_database, rabbitmq, tmp_path, "beat", "--pidfile", "")
        try:
            wait_until(lambda: DisplayPulse.objects.get().at > before, what="a task of the beat")
            assert (tmp_path / "beat-alive").exists()
        finally:
            beat.kill()
        where.wait_ready()
        rabbitmq.stop()
        where.wait_failing("broker")
        assert where.ask("live").status == 200
    finally:
        worker.kill()
