"""The newest display values, read once for everybody who watches.

However many browsers this process serves, one task asks the database, in one thread with one
connection, and only while somebody listens. A slow browser holds up nobody: it is handed the
newest message of each system, never a queue of old ones.
"""

import asyncio
import datetime as dt
import logging
from collections.abc import AsyncIterator, Hashable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, Protocol

from django.conf import settings
from django.db import close_old_connections, connections
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from jackpot.display import values as display
from jackpot.display.report_amounts import with_amounts
from jackpot.display.traces import DisplayStep, note
from jackpot.models import DisplayMessage
from tables.models import JackpotSystem
from tables.telemetry import traces

HEARTBEAT_S = 5.0  # every value is read and sent again, changed or not
AFTER_FAULT_S = 1.0

log = logging.getLogger(__name__)


class Message(dict[str, Any]):
    """A display message for all who listen; `events`: as sent, by their words and age."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.events: dict[Hashable, bytes] = {}


class Source(Protocol):
    """Where values come from. A reader calls it from one thread of its own."""

    def versions(self) -> dict[int, tuple[str, int | None]]:
        """Each system's code and the id of its newest message, by the system's id."""

    def current(self, system: int) -> dict[str, Any] | None:
        """The system's newest message, vouched for now; None when it never had one."""

    def close(self) -> None:
        """Nobody listens any more."""


class DatabaseSource:
    """Display messages as they were committed."""

    def versions(self) -> dict[int, tuple[str, int | None]]:
        close_old_connections()  # after a fault the next look uses a new connection
        newest = DisplayMessage.objects.filter(system=OuterRef("pk")).order_by("-pk")
        rows = JackpotSystem.objects.annotate(newest=Subquery(newest.values("pk")[:1]))
        return {
            pk: (code, last_id) for pk, code, last_id in rows.values_list("pk", "code", "newest")
        }

    def current(self, system: int) -> dict[str, Any] | None:
        message = display.current(system)
        return with_amounts(system, message) if message is not None else None

    def close(self) -> None:
        connections.close_all()


class Listener:
    """One browser: what it has not been handed yet."""

    def __init__(self, systems: Iterable[int] | None) -> None:
        self.systems = None if systems is None else frozenset(systems)
        self._pending: dict[int, Message] = {}
        self._something = asyncio.Event()

    def wants(self, system: int) -> bool:
        return self.systems is None or system in self.systems

    def offer(self, system: int, message: Message) -> None:
        self._pending[system] = message
        self._something.set()

    async def next_messages(self, patience_s: float) -> list[Message]:
        """The newest message of each system that has a new one; empty after so much silence."""
        try:
            async with asyncio.timeout(patience_s):
                await self._something.wait()
        except TimeoutError:
            return []
        self._something.clear()
        messages, self._pending = list(self._pending.values()), {}
        return messages


class Feed:
    """One reader for all listeners of this process."""

    def __init__(
        self,
        source: Source,
        interval_s: float,
        heartbeat_s: float = HEARTBEAT_S,
        most: int | None = None,
    ) -> None:
        """`most`: so many listen at once; who comes then asks `is_full` first."""
        self._source = source
        self._most = most
        self._interval_s = interval_s
        self._heartbeat_s = heartbeat_s
        self._listeners: set[Listener] = set()
        self._reader: asyncio.Task[None] | None = None
        self._all_due = False  # somebody came who has nothing yet
        self._through: dict[int, int] = {}  # how far browsers were shown each system's order

    @property
    def is_full(self) -> bool:
        return self._most is not None and len(self._listeners) >= self._most

    @asynccontextmanager
    async def listen(self, systems: Iterable[int] | None) -> AsyncIterator[Listener]:
        """Messages of these systems, of all when None, from now until the block is left."""
        listener = Listener(systems)
        self._listeners.add(listener)
        self._all_due = True
        if self._reader is None:
            self._reader = asyncio.create_task(self._read())
        try:
            yield listener
        finally:
            self._listeners.discard(listener)
            if not self._listeners and self._reader is not None:
                self._reader.cancel()
                self._reader = None

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()
        latest: dict[int, tuple[str, int | None]] = {}
        heartbeat_at, failing = 0.0, False
        self._through.clear()  # what nobody watched was shown to nobody
        thread = ThreadPoolExecutor(1, thread_name_prefix="display-feed")
        try:
            while True:
                began = timezone.now()
                everything = self._all_due or loop.time() >= heartbeat_at
                self._all_due = False
                versions = {} if everything else latest
                try:
                    latest, messages = await loop.run_in_executor(thread, self._look, versions)
                except Exception:
                    # Nothing is handed on, so every display says by itself that it is not
                    # current; this reader goes on asking.
                    if not failing:
                        log.exception("display values cannot be read; asking again")
                    failing, self._all_due = True, True
                    await asyncio.sleep(AFTER_FAULT_S)
                    continue
                failing = False
                if traces.is_on():
                    await loop.run_in_executor(thread, self._trace, began, messages)
                if everything:
                    heartbeat_at = loop.time() + self._heartbeat_s
                for listener in self._listeners:
                    for system, message in messages.items():
                        if listener.wants(system):
                            listener.offer(system, message)
                await asyncio.sleep(self._interval_s)
        finally:
            thread.submit(self._source.close)
            thread.shutdown(wait=False)  # a slow query must not hold up the event loop

    def _look(
        self, earlier: dict[int, tuple[str, int | None]]
    ) -> tuple[dict[int, tuple[str, int | None]], dict[int, Message]]:
        """What is there now, and the messages of the systems where that is news."""
        versions = self._source.versions()
        listeners = tuple(self._listeners)
        messages: dict[int, Message] = {}
        for system, version in versions.items():
            if earlier.get(system) == version or not any(each.wants(system) for each in listeners):
                continue
            message = self._source.current(system)
            if message is not None:
                messages[system] = Message({"system": version[0], **message})
        return versions, messages

    def _trace(self, began: dt.datetime, messages: dict[int, Message]) -> None:
        """Spans of what these messages are the first to show the browsers of this process."""
        for system, message in messages.items():
            through: int = message["system_seq"]
            after = self._through.get(system, through)
            self._through[system] = through
            if through > after:
                note("stream", DisplayStep(system, after, through), began)


feed = Feed(DatabaseSource(), settings.DISPLAY_INTERVAL_S, most=settings.STREAMS_AT_ONCE)
