"""A hint that something waits: LISTEN, with a timeout because a hint may be lost."""

from __future__ import annotations

import time
from types import TracebackType

import psycopg
from django.db import connection


class Wake:
    """Waits for a NOTIFY on a channel, on a connection of its own."""

    def __init__(self, channel: str) -> None:
        self.channel = channel
        self._connection: psycopg.Connection | None = None

    def __enter__(self) -> Wake:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        if self._connection is not None:
            self._connection.close()

    def wait(self, timeout_s: float) -> None:
        """Return at a hint or after `timeout_s`; without a database only the timeout counts."""
        try:
            if self._connection is None or self._connection.closed:
                names = connection.get_connection_params()
                names.pop("cursor_factory", None)
                names.pop("context", None)
                self._connection = psycopg.connect(**names, autocommit=True)
                self._connection.execute(f"LISTEN {self.channel}")
                return  # what came before we listened is looked for once more
            for _ in self._connection.notifies(timeout=timeout_s, stop_after=1):
                pass
        except psycopg.OperationalError:
            if self._connection is not None:
                self._connection.close()
            time.sleep(timeout_s)
