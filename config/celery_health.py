"""Health of worker and beat: whether their loops come round, and what the broker holds for them."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import Any

from celery import Celery, bootsteps
from celery.signals import beat_init, worker_process_init

from tables.process.database_probe import DatabaseProbe, database_check
from tables.process.disks import DiskMetrics
from tables.telemetry.health import Health
from tables.telemetry.row_metrics import RowGauge, RowMetrics
from tables.telemetry.standby_metrics import StandbyMetrics

log = logging.getLogger(__name__)

TURN_S = 1.0  # how often a worker's loop says that it comes round
HANGS_AFTER_S = 30.0
SENDS_WITHIN_S = 60.0  # beat, whose tasks are due every second
BACKLOG = 1000  # more hints than are done in minutes
_CONNECT_S = 2.0


class Turns:
    """When something last came round; while it rests, nobody waits for that."""

    def __init__(self) -> None:
        self._at: float | None = None

    def come(self) -> None:
        self._at = time.monotonic()

    def rest(self) -> None:
        self._at = None

    @property
    def rest_now(self) -> bool:
        return self._at is None

    def within(self, seconds: float) -> bool:
        """Whether it came round within so many seconds, or rests."""
        return self._at is None or time.monotonic() - self._at < seconds


class BrokerProbe:
    """Asks Celery's broker what waits, on a connection of its own. Used by one thread at a time."""

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._connection: Any = None

    def faults(self) -> dict[str, str]:
        try:
            waiting = self._waiting()
        except Exception as fault:  # noqa: BLE001 - each transport has errors of its own
            log.debug("the broker cannot be asked: %s", fault)
            self._connection = None
            return {"broker": "There is no connection to Celery's broker."}
        if waiting > BACKLOG:
            return {"queues": f"{waiting} hints wait, more than {BACKLOG}."}
        return {}

    def _waiting(self) -> int:
        if self._connection is None:
            connection = self._app.connection_for_read(connect_timeout=_CONNECT_S)
            connection.connect()
            self._connection = connection
        channel = self._connection.channel()
        try:
            queue = channel.queue_declare(self._app.conf.task_default_queue, passive=True)
        except self._connection.channel_errors:
            return 0  # no worker has declared it yet
        channel.close()
        return int(queue.message_count)


worker_turns, beat_turns, beat_sends = Turns(), Turns(), Turns()
_worker_health: Health | None = None


class ListeningStep(bootsteps.StartStopStep):
    """Of a worker: listen before the broker is there, and behind the first forks."""

    requires = ("celery.worker.components:Pool",)

    def start(self, parent: Any) -> None:
        global _worker_health
        broker = BrokerProbe(parent.app)

        def faults() -> Mapping[str, str]:
            if worker_turns.rest_now:
                return {"broker": "The worker waits for a connection to Celery's broker."}
            return broker.faults()

        checks = [("broker", faults), ("database", database_check(DatabaseProbe()))]
        rows = RowMetrics(all_row_gauges())
        collectors = [rows, DiskMetrics(), StandbyMetrics()]
        _worker_health = Health(lambda: worker_turns.within(HANGS_AFTER_S), checks, collectors)
        _worker_health.listen()


def all_row_gauges() -> list[RowGauge]:
    """Those of every floor. Imported here: they are declared where the settings are read."""
    from jackpot import metrics as of_order
    from settlement import metrics as of_people
    from tables import metrics as of_tables

    return [*of_tables.ROWS, *of_order.ROWS, *of_people.ROWS]


class TurningStep(bootsteps.StartStopStep):
    """Of its consumer, which is there while the broker is."""

    requires = ("celery.worker.consumer.connection:Connection",)
    _entry: Any = None

    def start(self, parent: Any) -> None:
        worker_turns.come()
        self._entry = parent.timer.call_repeatedly(TURN_S, worker_turns.come)

    def stop(self, parent: Any) -> None:  # noqa: ARG002
        if self._entry is not None:
            self._entry.cancel()
        worker_turns.rest()


@worker_process_init.connect
def forget_listener(**_: Any) -> None:
    """A process of the pool has not the listener that it was forked with."""
    if _worker_health is not None:
        _worker_health.forget()


@beat_init.connect
def listen_as_beat(sender: Any, **_: Any) -> None:
    """Beat answers, too."""
    beat_turns.come()
    beat_sends.come()
    broker = BrokerProbe(sender.app)

    def sends() -> Mapping[str, str]:
        if beat_sends.within(SENDS_WITHIN_S):
            return {}
        return {"queues": f"No task was sent within {SENDS_WITHIN_S:g} s."}

    checks = [
        ("broker", broker.faults),
        ("queues", sends),
        ("database", database_check(DatabaseProbe())),
    ]
    Health(lambda: beat_turns.within(HANGS_AFTER_S), checks).listen()
