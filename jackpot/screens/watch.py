"""Which screens are there, and what each must read again: asked once a second for all streams."""

from __future__ import annotations

import asyncio

from asgiref.sync import sync_to_async

from jackpot.models import Screen
from jackpot.web.server import let_go

LOOK_S = 1.0


class Watch:
    """The versions of all screens of the database, as of a second ago at most."""

    def __init__(self) -> None:
        self._versions: dict[int, int] = {}
        self._due = 0.0
        self._lock: asyncio.Lock | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def version(self, screen: int) -> int | None:
        """None: it was removed."""
        loop = asyncio.get_running_loop()
        if self._lock is None or self._loop is not loop:
            self._lock, self._loop, self._due = asyncio.Lock(), loop, 0.0
        async with self._lock:
            if loop.time() >= self._due:
                self._versions = await sync_to_async(_versions)()
                self._due = loop.time() + LOOK_S
        return self._versions.get(screen)


def _versions() -> dict[int, int]:
    try:
        return dict(Screen.objects.filter(ended_at=None).values_list("pk", "version"))
    finally:
        let_go()


watch = Watch()
