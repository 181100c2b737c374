"""How many requests a web process works on at once; the others stand in a line, by turns.

Each request at work holds a thread and a connection of the database. Whoever sends hundreds at
once, logged in or not, takes of both no more than this process has, and of the line no more than a
turn: those who wait are served by address, one of each in rotation. A line that is full, or a wait
that grows too long, is answered with 503 and when to come again. A stream holds neither thread nor
connection once it has begun, so streams are no part of this; `jackpot.display.live` counts them.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

MOST_WAITING = 500  # of all addresses together
MOST_WAITING_OF_ONE = 250
PATIENCE_S = 10.0


class Full(Exception):
    """Nobody else is taken into the line, or this one has stood in it for too long."""


class Line:
    """At most `places` are at work; who waits is called by address, in rotation.

    Used by one event loop. One address has a third of the places at most, but two where there are
    several: what is at work at the same time shares this process's processor.
    """

    def __init__(
        self,
        places: int,
        *,
        waiting: int = MOST_WAITING,
        of_one: int = MOST_WAITING_OF_ONE,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._free = places
        self._most_places_of_one = max(min(places, 2), places // 3)
        self._most, self._most_of_one, self._patience_s = waiting, of_one, patience_s
        self._waiting = 0
        self._at_work: Counter[str] = Counter()
        # The address that is called next stands first.
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def place(self, address: str) -> AsyncIterator[None]:
        """A place until the block is left. Full where there is none to be had."""
        await self._take(address)
        try:
            yield
        finally:
            self._give_back(address)

    async def _take(self, address: str) -> None:
        if self._may_work(address) and address not in self._lines:
            self._begin(address)
            return
        line = self._lines.get(address, ())
        if self._waiting >= self._most or len(line) >= self._most_of_one:
            raise Full
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(address, deque()).append(called)
        self._waiting += 1
        try:
            async with asyncio.timeout(self._patience_s):
                await called
        except BaseException as fault:
            if called in self._lines.get(address, ()):
                self._leave(address, called)
            else:  # it was called in the moment in which it went away
                self._give_back(address)
            if isinstance(fault, TimeoutError):
                raise Full from None
            raise

    def _may_work(self, address: str) -> bool:
        return self._free > 0 and self._at_work[address] < self._most_places_of_one

    def _begin(self, address: str) -> None:
        self._free -= 1
        self._at_work[address] += 1

    def _give_back(self, address: str) -> None:
        self._free += 1
        self._at_work[address] -= 1
        if not self._at_work[address]:
            del self._at_work[address]
        while called := next(filter(self._may_work, self._lines), None):
            self._call(called)

    def _call(self, address: str) -> None:
        line = self._lines[address]
        called = line[0]
        self._leave(address, called)
        if line:
            self._lines.move_to_end(address)
        self._begin(address)
        if not called.done():  # else it goes away now, and gives back what it has here
            called.set_result(None)

    def _leave(self, address: str, called: asyncio.Future[None]) -> None:
        line = self._lines[address]
        line.remove(called)
        self._waiting -= 1
        if not line:
            del self._lines[address]
