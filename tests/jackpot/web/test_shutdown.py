"""A web process that is told to stop says so first, and ends when nobody comes any more."""

import http.client
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.servers.child import Child
from demo.servers.installation import PROJECT
from demo.servers.ports import LOOPBACK, answers, free_port
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

DRAIN_S = 2.0

pytestmark = pytest.mark.slow


class Web:
    """A process by its port, asked over one line that is kept open, and over fresh ones."""

    def __init__(self, database: FreshDatabase, log: Path, drain_s: float) -> None:
        self.port = free_port()
        argv = [sys.executable, "-m", "uvicorn", "config.asgi:application"]
        where = ["--host", LOOPBACK, "--port", str(self.port), "--log-level", "warning"]
        environment = {**database.environment(), "WEB_DRAIN_S": str(drain_s)}
        self.child = Child([*argv, *where], log, env=environment, cwd=PROJECT)
        self.line = http.client.HTTPConnection(LOOPBACK, self.port, timeout=60)

    def ask(self, path: str, line: http.client.HTTPConnection | None = None) -> tuple[int, str]:
        """Status, and whether the line is kept."""
        fresh = line or http.client.HTTPConnection(LOOPBACK, self.port, timeout=60)
        fresh.request("GET", path)
        answer = fresh.getresponse()
        answer.read()
        return answer.status, answer.getheader("Connection", "")

    def is_ready(self) -> bool:
        return answers(self.port) and self.ask("/health/ready")[0] == 200


@pytest.fixture
def web(fresh_database: FreshDatabase, tmp_path: Path) -> Iterator[Web]:
    web = Web(fresh_database, tmp_path / "log", DRAIN_S)
    try:
        wait_until(web.is_ready, what="the web process")
        yield web
    finally:
        web.child.kill()


def test_who_is_told_to_stop_is_not_ready_and_serves_on(web: Web) -> None:
    assert web.ask("/login/", web.line) == (200, "")
    web.child.send(signal.SIGTERM)
    wait_until(lambda: web.ask("/health/ready")[0] == 503, what="it to say that it leaves")
    assert web.ask("/health/live")[0] == 200
    assert web.ask("/login/")[0] == 200  # a new line, as of a proxy that has not noticed
    assert web.ask("/login/", web.line) == (200, "close")
    wait_until(lambda: not web.child.is_running, what="its end")


def test_who_is_told_twice_ends_at_once(web: Web) -> None:
    web.child.send(signal.SIGTERM)
    wait_until(lambda: web.ask("/health/ready")[0] == 503, what="it to say that it leaves")
    web.child.send(signal.SIGTERM)
    wait_until(lambda: not answers(web.port), DRAIN_S / 2, what="its door to close")
