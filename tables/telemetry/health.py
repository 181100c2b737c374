"""Whether a process lives and is ready, for whoever restarts it, balances between several or looks.

`/health/live`: its main loop comes round. `/health/ready`: it can do its work; if not, which check
fails. `/metrics`: numbers for a Prometheus. Nothing there is secret: no address, no person,
no text of an error.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence

from django.conf import settings
from prometheus_client.registry import Collector

from tables.process.shared_question import SharedQuestion
from tables.telemetry.health_metrics import HealthMetrics
from tables.telemetry.http_listener import HttpListener, Pages, Reply
from tables.telemetry.metrics_page import MetricsPage

log = logging.getLogger(__name__)

PATIENCE_S = 3.0  # for all checks together; who asks gets an answer then in any case
FRESH_S = 1.0  # so long an answer is given again

# What is wrong, by the name of the check: nothing when all is well. It may wait for others.
Check = Callable[[], Mapping[str, str]]


class Checks:
    """Asked by one thread, whoever wants to know. One that hangs is said not to answer."""

    def __init__(self, checks: Sequence[tuple[str, Check]], patience_s: float = PATIENCE_S) -> None:
        """Each with the name under which it is said not to answer."""
        self._checks = checks
        self._question = SharedQuestion(self._ask, FRESH_S, patience_s)
        self._asking = ""

    def faults(self) -> dict[str, str]:
        """What is wrong now, by check."""
        try:
            return self._question.answer()
        except TimeoutError:
            return {self._asking: "It does not answer."}

    def _ask(self) -> dict[str, str]:
        faults: dict[str, str] = {}
        for name, check in self._checks:
            self._asking = name
            try:
                faults |= check()
            except Exception:
                log.exception("the check of %s met a fault", name)
                faults[name] = "It could not be checked; see the log of the process."
        return faults


class Health:
    """What a process says of itself at HEALTH_LISTEN; nowhere, where that is not set."""

    def __init__(
        self,
        is_live: Callable[[], bool],
        checks: Sequence[tuple[str, Check]],
        collectors: Sequence[Collector] = (),
    ) -> None:
        """`collectors`: what is collected beside the process's own metrics."""
        self._is_live, self._checks = is_live, Checks(checks)
        self._collectors = [HealthMetrics(is_live, self._checks.faults), *collectors]
        self._listener: HttpListener | None = None

    def listen(self) -> None:
        """Begin to answer; returns at once. ImproperlyConfigured for a wrong address."""
        if settings.HEALTH_LISTEN:
            pages: Pages = {
                "/health/live": self.live,
                "/health/ready": self.ready,
                "/metrics": MetricsPage(self._collectors),
            }
            self._listener = HttpListener(settings.HEALTH_LISTEN, pages)
            self._listener.start()

    def forget(self) -> None:
        """In a forked child: the listener is its parent's."""
        if self._listener is not None:
            self._listener.forget()

    def live(self) -> Reply:
        if self._is_live():
            return _json(200, {"status": "live"})
        return _json(503, {"status": "hangs"})

    def ready(self) -> Reply:
        failed = {} if self._is_live() else {"loop": "The main loop does not come round."}
        failed |= self._checks.faults()
        if failed:
            return _json(503, {"status": "not ready", "failed": failed})
        return _json(200, {"status": "ready"})


def _json(status: int, body: Mapping[str, object]) -> Reply:
    return Reply(status, "application/json", json.dumps(body).encode() + b"\n")
