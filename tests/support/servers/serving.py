"""The console's pages, served to a browser as in production: by a process of its own.

It is forked from one that has read the whole project, and reads only its settings afresh: two
seconds of processor time less than a process that begins with nothing.
"""

import importlib
import multiprocessing
import os
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from demo.servers.ports import LOOPBACK, answers, free_port
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["tests.support.servers.console_preloaded"])


@contextmanager
def served(environment: Mapping[str, str], log: Path) -> Generator[str]:
    """The address of a console in this environment, without a final slash.

    One with a log-in provider knows its own address.
    """
    port = free_port()
    own = {"CONSOLE_ORIGIN": f"http://{LOOPBACK}:{port}"} if "OIDC_ISSUER" in environment else {}
    server = _forks.Process(target=_serve, args=({**environment, **own}, log, port), daemon=True)
    server.start()

    def is_up() -> bool:
        assert server.is_alive(), log.read_text(errors="replace")[-2000:]
        return answers(port)

    try:
        wait_until(is_up, 120, what="the console to answer")
        yield f"http://{LOOPBACK}:{port}"
    finally:
        server.kill()
        server.join()


def _serve(environment: Mapping[str, str], log: Path, port: int) -> None:
    """The forked process: `python -m uvicorn`, with what it writes in the log."""
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, sys.stdout.fileno())
    os.dup2(output, sys.stderr.fileno())
    threading.Thread(target=_end_with_owner, daemon=True).start()
    os.environ.clear()
    os.environ.update(environment)
    _read_settings_again()
    import uvicorn.main

    where = ["--host", LOOPBACK, "--port", str(port), "--log-level", "warning"]
    uvicorn.main.main(["config.asgi:application", *where])


def _end_with_owner() -> None:
    owner = multiprocessing.parent_process()
    assert owner
    owner.join()
    os._exit(1)


def _read_settings_again() -> None:
    """The settings as a process reads them that begins in this environment."""
    from django.conf import settings
    from django.db import connections

    for parts in ("config.databases", "config.log_ins", "config.watching"):
        importlib.reload(importlib.import_module(parts))
    module = importlib.reload(importlib.import_module("config.settings"))
    for name in filter(str.isupper, dir(module)):
        setattr(settings, name, getattr(module, name))
    for unused in connections.all(initialized_only=True):
        assert unused.connection is None
        del connections[unused.alias]
    connections.settings = connections.configure_settings(None)


@pytest.fixture
def console_url(fresh_database: FreshDatabase, tmp_path: Path) -> Generator[str]:
    """A console that works on the test's own database.

    In place of pytest-django's live_server, which would empty the tables afterwards.
    """
    with served(fresh_database.environment(), tmp_path / "console.log") as address:
        yield address
