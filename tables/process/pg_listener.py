"""Reading PostgreSQL's notifications beside other work: hints, on which nothing depends."""

import select
import time

import psycopg
from django.db import connection

AGAIN_AFTER_S = 1.0  # after the database was out of reach


class PgListener:
    """Listens on a channel over a connection of its own, made again whenever it breaks."""

    def __init__(self, channel: str) -> None:
        self._channel = channel
        self._connection: psycopg.Connection | None = None
        self._missed = False  # whether something may have been said while nobody listened
        self._try_at = 0.0

    def fileno(self) -> int | None:
        """What to wait for besides other things; None while the database is out of reach."""
        if self._connection is None and time.monotonic() >= self._try_at:
            self._try_at = time.monotonic() + AGAIN_AFTER_S
            self._listen()
        return None if self._connection is None else self._connection.fileno()

    def heard(self) -> bool:
        """Whether anything was said since this was asked last."""
        heard, self._missed = self._missed, False
        if self._connection is None or not select.select([self._connection], [], [], 0)[0]:
            return heard
        try:
            for _ in self._connection.notifies(timeout=0):
                heard = True
        except psycopg.Error:
            self.close()
        return heard

    def wait(self, timeout_s: float) -> None:
        """Return when something was said or after `timeout_s`; without a database after that."""
        waits_for = self.fileno()
        if waits_for is None:
            time.sleep(timeout_s)
        elif not self._missed:
            select.select([waits_for], [], [], timeout_s)
        self.heard()

    def close(self) -> None:
        """Stop listening, until asked again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _listen(self) -> None:
        parameters = connection.get_connection_params()
        for name in ("cursor_factory", "context"):
            parameters.pop(name, None)
        try:
            self._connection = psycopg.connect(**parameters, autocommit=True)
            self._connection.execute(f"LISTEN {self._channel}")
        except psycopg.Error:  # a standby, too, which nobody listens to
            self.close()
        else:
            self._missed = True
