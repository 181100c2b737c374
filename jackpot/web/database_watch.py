"""Whether the database answers: asked when a request takes long, and again and again while not.

A server that hangs says nothing, and a thread that waits for it cannot be called back. So another
connection asks beside it: what it does not answer in time, nobody waits for any longer.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import psycopg
from django.db import connection
from django.db.migrations.loader import MigrationLoader

PATIENCE_S = 1.3  # for an answer; with WebHandler's look everybody has one within three seconds
AGAIN_S = 1.0
OURS = ("tables", "jackpot", "settlement")
_CONNECT_S = 2

Migrations = frozenset[tuple[str, str]]

log = logging.getLogger(__name__)


class Probe(Protocol):
    """Asks the database something small. Called from one thread."""

    def ask(self) -> Migrations:
        """The migrations that its tables have. psycopg.Error when it cannot say."""


class DatabaseProbe:
    """Asks on a connection of its own, which it keeps."""

    def __init__(self) -> None:
        self._connection: psycopg.Connection[Any] | None = None

    def ask(self) -> Migrations:
        if self._connection is None or self._connection.closed:
            self._connection = self._connect()
        try:
            rows = self._connection.execute("SELECT app, name FROM django_migrations")
            return frozenset((app, name) for app, name in rows)
        except psycopg.Error:
            self._connection.close()
            raise

    def _connect(self) -> psycopg.Connection[Any]:
        parameters = connection.get_connection_params()
        for name in ("cursor_factory", "context"):
            parameters.pop(name, None)
        parameters["connect_timeout"] = _CONNECT_S
        return psycopg.connect(**parameters, autocommit=True)


class DatabaseWatch:
    """Used by one event loop; all who ask at the same time share one question."""

    def __init__(self, probe: Probe, patience_s: float = PATIENCE_S) -> None:
        self._probe, self._patience_s = probe, patience_s
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="database-watch")
        self._question: asyncio.Task[bool] | None = None
        self._waiting: asyncio.Task[None] | None = None  # for its return
        self.is_away = False  # found not to answer, and it has not answered since
        self._applied: Migrations = frozenset()
        self._known: Migrations | None = None

    async def answers(self) -> bool:
        """Whether it answers now."""
        if self._question is None:
            self._question = asyncio.create_task(self._ask())
        question = self._question
        done, _ = await asyncio.wait({question}, timeout=self._patience_s)
        if done and question.result():
            return True
        if not self.is_away:
            log.error("the database does not answer: requests are refused until it does")
            self.is_away = True
            self._waiting = asyncio.create_task(self._until_it_is_back())
        return False

    async def has_our_tables(self) -> bool:
        """Whether the tables are those of this version, neither older nor newer, as last seen."""
        if self._known is None:
            self._known = await asyncio.to_thread(_migrations)
        ours = {(app, name) for app, name in self._applied if app in OURS}
        return self._known <= self._applied and ours <= self._known

    async def _ask(self) -> bool:
        loop = asyncio.get_running_loop()
        try:
            self._applied = await loop.run_in_executor(self._thread, self._probe.ask)
        except (psycopg.Error, OSError) as fault:
            log.debug("%s", fault)
            return False
        else:
            if self.is_away:
                log.warning("the database answers again")
            self.is_away = False
            return True
        finally:
            self._question = None

    async def _until_it_is_back(self) -> None:
        while self.is_away:
            await self.answers()
            await asyncio.sleep(AGAIN_S)


def _migrations() -> Migrations:
    """Those that this version's code knows."""
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    return frozenset((app, name) for app, name in loader.disk_migrations)
