"""Commits beside the casino's own, of which it is written down which were acknowledged.

In a database of their own, on the same servers: they ask the servers alone what the casino asks
of the whole.
"""

import contextlib
import threading

import psycopg

TABLE = "CREATE TABLE IF NOT EXISTS acknowledged (number bigint PRIMARY KEY)"
PUT = "INSERT INTO acknowledged (number) VALUES (%s)"
PAUSE_S = 0.02


class Acknowledged:
    """Commits one number after the other, for ever; a context manager."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._stop = threading.Event()
        self._numbers: list[int] = []
        self._thread = threading.Thread(target=self._commit_on, daemon=True)

    def __enter__(self) -> "Acknowledged":
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(TABLE)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(30)

    def lost(self) -> list[int]:
        """Acknowledged numbers that are not there."""
        acknowledged = list(self._numbers)
        assert acknowledged
        with psycopg.connect(self._url, connect_timeout=5) as connection:
            rows = connection.execute("SELECT number FROM acknowledged").fetchall()
        return sorted(set(acknowledged) - {number for (number,) in rows})

    def _commit_on(self) -> None:
        number = 0
        while not self._stop.is_set():
            with (
                contextlib.suppress(psycopg.Error),
                psycopg.connect(self._url, autocommit=True, connect_timeout=5) as connection,
            ):
                while not self._stop.wait(PAUSE_S):
                    number += 1
                    connection.execute(PUT, [number])
                    self._numbers.append(number)
            self._stop.wait(PAUSE_S)


class OpenTransaction:
    """One on a machine's own server, begun while it was the primary, committed later."""

    def __init__(self, url: str, number: int) -> None:
        """`number` is its own; it is not one that `Acknowledged` reaches."""
        self._connection = psycopg.connect(url)
        self._connection.execute(PUT, [number])
        self.answer = ""  # what came of the commit
        self._thread = threading.Thread(target=self._commit, daemon=True)

    def commit(self) -> None:
        """Ask for it; returns at once."""
        self._thread.start()

    @property
    def is_answered(self) -> bool:
        return bool(self.answer)

    def _commit(self) -> None:
        try:
            self._connection.commit()
        except psycopg.Error as fault:
            self.answer = f"refused: {fault}"
        else:
            self.answer = "acknowledged"
        finally:
            self._connection.close()
