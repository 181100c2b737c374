"""Whether the database answers: asked when a request takes long, and again and again while not.

A server that hangs says nothing, and a thread that waits for it cannot be called back. So another
connection asks beside it: what it does not answer in time, nobody waits for any longer.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, Protocol

import psycopg

from tables.process.database_probe import DatabaseState, known_migrations

PATIENCE_S = 1.3  # for an answer; with WebHandler's look everybody has one within three seconds
AGAIN_S = 1.0

log = logging.getLogger(__name__)


class Probe(Protocol):
    """Asks the database something small. Called from one thread."""

    def ask(self) -> DatabaseState:
        """Its migrations and its clock. psycopg.Error when it cannot say."""


class DatabaseWatch:
    """Used by one event loop; all who ask at the same time share one question."""

    def __init__(self, probe: Probe, patience_s: float = PATIENCE_S) -> None:
        self._probe, self._patience_s = probe, patience_s
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="database-watch")
        self._question: asyncio.Task[bool] | None = None
        self._waiting: asyncio.Task[None] | None = None  # for its return
        self.is_away = False  # found not to answer, and it has not answered since
        self._state: DatabaseState | None = None

    async def answers(self) -> bool:
        """Whether it answers now."""
        if self._question is None:
            self._question = asyncio.create_task(self._ask())
        question = self._question
        ready, _ = await asyncio.wait({question}, timeout=self._patience_s)
        if ready and question.result():
            return True
        if not self.is_away:
            log.error("the database does not answer: requests are refused until it does")
            self.is_away = True
            self._waiting = asyncio.create_task(self._until_it_is_back())
        return False

    async def differs(self) -> Literal["schema", "clock"] | None:
        """What was not as this process needs it when the database last answered."""
        await asyncio.to_thread(known_migrations)
        if self._state is None or not self._state.has_our_tables:
            return "schema"
        return None if self._state.has_our_time else "clock"

    async def _ask(self) -> bool:
        loop = asyncio.get_running_loop()
        try:
            self._state = await loop.run_in_executor(self._thread, self._probe.ask)
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
