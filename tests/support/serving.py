"""The console's pages, served to a browser as in production: by a process of its own."""

import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from demo.child import Child
from demo.ports import LOOPBACK, answers, free_port
from tests.support.databases import FreshDatabase
from tests.support.waiting import wait_until

_PROJECT = Path(__file__).resolve().parents[2]


@contextmanager
def served(environment: Mapping[str, str], log: Path) -> Generator[str]:
    """The address of a console in this environment, without a final slash."""
    port = free_port()
    server = Child(
        [
            *(sys.executable, "-m", "uvicorn", "config.asgi:application"),
            *("--host", LOOPBACK, "--port", str(port), "--log-level", "warning"),
        ],
        log,
        env=environment,
        cwd=_PROJECT,
    )

    def is_up() -> bool:
        assert server.is_running, server.last_words()
        return answers(port)

    try:
        wait_until(is_up, 120, what="the console to answer")
        yield f"http://{LOOPBACK}:{port}"
    finally:
        server.kill()


@pytest.fixture
def console_url(fresh_database: FreshDatabase, tmp_path: Path) -> Generator[str]:
    """A console that works on the test's own database.

    In place of pytest-django's live_server, which would empty the tables afterwards.
    """
    with served(fresh_database.environment(), tmp_path / "console.log") as address:
        yield address
