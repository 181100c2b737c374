"""An intake that works in a thread of the test, or step by step."""

import itertools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

import pytest
from django.db import connection

from tables.intake.loop import Intake
from tables.mqtt.client import Link
from tables.protocol import topics
from tables.protocol.table_ref import TableRef
from tests.support.people.roles import acting_as
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

_numbers = itertools.count(1)


def new_instance() -> str:
    """A name under which the broker keeps no session of another test."""
    return f"test-{os.getpid()}-{next(_numbers)}"


class RunningIntake:
    """Runs until the block is left; an exception of its thread fails the test."""

    def __init__(self, instance: str | None = None) -> None:
        self.intake = Intake(instance or new_instance())
        self._stop = threading.Event()
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def __enter__(self) -> "RunningIntake":
        self._thread.start()
        wait_until(lambda: self.intake.link._is_subscribed or not self.is_running)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        _t: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()
        if self._fault and error is None:
            raise self._fault

    def _run(self) -> None:
        try:
            with acting_as("intake"):
                self.intake.run(self._stop)
        except Exception as fault:  # noqa: BLE001 - raised again where the block is left
            self._fault = fault
        finally:
            connection.close()


def publish(link: Link, table_ref: TableRef, body: bytes) -> None:
    publication = link.publish(topics.events(table_ref.system, table_ref.table), body)
    assert publication
    assert publication.wait(60)


def drive(intake: Intake, until: Callable[[], object]) -> None:
    """Let the intake work in this thread until the condition holds."""

    def condition() -> object:
        intake.step(0.01)
        return until()

    wait_until(condition, what="the intake")


@pytest.fixture
def intake(fresh_database: FreshDatabase, broker: Broker) -> Iterator[RunningIntake]:
    """An intake that runs in a thread and commits to the test's own database."""
    with RunningIntake() as running:
        yield running


@contextmanager
def listener(*filters: str) -> Iterator[Link]:
    """A client that hears these topics, or only publishes."""
    link = Link(f"listener-{new_instance()}", filters)
    link.start()
    try:
        assert link.wait_connected(60)
        wait_until(lambda: link._is_subscribed or not filters, what="the subscriptions")
        yield link
    finally:
        link.stop()
