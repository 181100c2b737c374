"""Celery on a broker of a test: processes, worker or beat, and who sends within the test."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.application import Application
from config.celery import app
from demo.servers.child import Child
from demo.servers.installation import PROJECT
from tests.support.servers.health_answers import HealthAddress
from tests.support.suite.databases import FreshDatabase


@contextmanager
def application() -> Iterator[Application]:
    """The application as settings have it, on the broker of the environment's CELERY_BROKER_URL,
    which Celery asks first: the tests' own has the demo's."""
    with Application("sender") as sender:
        sender.config_from_object("django.conf:settings", namespace="CELERY")
        sender.conf.update(broker_transport="", broker_transport_options={})
        try:
            yield sender
        finally:
            app.set_current()


def celery(
    database: FreshDatabase,
    broker_url: str,
    directory: Path,
    *command: str,
    where: HealthAddress | None = None,
) -> Child:
    """Start `celery -A config` with that command; its log is in the directory, under its name."""
    environment = database.environment() | {
        "CELERY_BROKER_URL": broker_url,
        "BEAT_ALIVE_FILE": str(directory / "beat-alive"),
        **(where.environment if where else {}),
    }
    argv = [sys.executable, "-m", "celery", "-A", "config", *command]
    return Child(argv, directory / f"{command[0]}.log", env=environment, cwd=PROJECT)
