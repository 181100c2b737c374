"""What processes say of themselves at HEALTH_LISTEN."""

import json
import urllib.error
import urllib.request
from typing import Any, NamedTuple

from demo.servers.ports import LOOPBACK, free_port
from tests.support.suite.waiting import wait_until


class HealthAnswer(NamedTuple):
    status: int
    body: Any

    @property
    def failed(self) -> set[str]:
        """The checks that fail."""
        return set(self.body.get("failed", ()))


class HealthAddress:
    """Where a process that is started with `environment` answers."""

    def __init__(self) -> None:
        self.port = free_port()
        self.environment = {"HEALTH_LISTEN": f"{LOOPBACK}:{self.port}"}

    def text(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://{LOOPBACK}:{self.port}{path}", timeout=10) as page:
                return page.status, page.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read().decode()

    def ask(self, what: str) -> HealthAnswer:
        """`live` or `ready`; status 0 while nobody listens."""
        try:
            status, body = self.text(f"/health/{what}")
        except OSError:  # nobody, or no place is free
            return HealthAnswer(0, {})
        return HealthAnswer(status, json.loads(body))

    def wait_ready(self) -> None:
        wait_until(lambda: self.ask("ready").status == 200, what=f"it to be ready: {self!r}")

    def wait_failing(self, *checks: str) -> None:
        """Until these checks fail, and no others."""
        wait_until(
            lambda: self.ask("ready").failed == set(checks), what=f"{checks} to fail: {self!r}"
        )

    def __repr__(self) -> str:
        return f"ready: {self.ask('ready')}, live: {self.ask('live')}"
