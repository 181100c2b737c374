"""A table unit's journal: every event with its exact bytes, on the disk before it is sent."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

KEPT_S = 7 * 24 * 3600.0  # how long an event that a receipt covers is kept

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS memory (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS event (
        boot INTEGER NOT NULL, seq INTEGER NOT NULL, payload BLOB NOT NULL,
        written_at REAL NOT NULL, PRIMARY KEY (boot, seq)
    ) WITHOUT ROWID;
"""


class Journal:
    """An SQLite file, or `:memory:` for a unit that forgets when it is switched off.

    Integers are remembered by name: `boot`, `seq`, `connection`, `round` and what else the
    unit must know after a power cut.
    """

    def __init__(self, path: Path | str = ":memory:") -> None:
        self._lock = threading.RLock()
        self._database = sqlite3.connect(str(path), check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")  # fsync at every commit
        self._database.executescript(_SCHEMA)

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def copy_to(self, target: sqlite3.Connection) -> None:
        """Copy everything into another SQLite database, for whoever looks at it later."""
        with self._lock:
            self._database.backup(target)

    def recall(self, name: str) -> int:
        """What was last remembered under this name; 0 when nothing was."""
        row = self._query("SELECT value FROM memory WHERE name = ?", name)
        return int(row[0][0]) if row else 0

    def remember(self, **values: int) -> None:
        """On the disk when this returns."""
        with self._lock, self._transaction():
            for name, value in values.items():
                self._database.execute("REPLACE INTO memory VALUES (?, ?)", (name, int(value)))

    def append(self, make_payload: Callable[[int, int], bytes], **values: int) -> tuple[int, bytes]:
        """Write the next event of this boot, with what must be remembered with it.

        `make_payload(boot, seq)` gives its bytes; returns its seq and bytes.
        """
        with self._lock, self._transaction():
            boot, seq = self.recall("boot"), self.recall("seq") + 1
            payload = make_payload(boot, seq)
            self._database.execute(
                "INSERT INTO event VALUES (?, ?, ?, ?)", (boot, seq, payload, time.time())
            )
            for name, value in {**values, "seq": seq}.items():
                self._database.execute("REPLACE INTO memory VALUES (?, ?)", (name, int(value)))
        return seq, payload

    def events_from(self, boot: int, seq: int, limit: int) -> list[tuple[int, bytes]]:
        """Seq and bytes of the events of a boot from `seq` on."""
        return self._query(
            "SELECT seq, payload FROM event WHERE boot = ? AND seq >= ? ORDER BY seq LIMIT ?",
            boot,
            seq,
            limit,
        )

    def take_over(self, events: Iterable[tuple[int, int, bytes, float]]) -> None:
        """Boot, seq, bytes and time (Unix) of events that were written elsewhere."""
        with self._lock, self._transaction():
            self._database.executemany("INSERT INTO event VALUES (?, ?, ?, ?)", events)

    def count(self) -> int:
        """How many events are kept."""
        return int(self._query("SELECT count(*) FROM event")[0][0])

    def forget_covered(self, boot: int, committed_seq: int) -> None:
        """Drop events that a receipt covers and that are older than seven days."""
        outdated = time.time() - KEPT_S
        # The first is the oldest: as long as it is kept, the others need not be looked at.
        oldest = self._query(
            "SELECT written_at FROM event WHERE boot = ? ORDER BY seq LIMIT 1", boot
        )
        if oldest and oldest[0][0] < outdated:
            self._query(
                "DELETE FROM event WHERE boot = ? AND seq <= ? AND written_at < ?",
                boot,
                committed_seq,
                outdated,
            )

    def _query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._database.execute(statement, values).fetchall()

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._database)


class _Transaction:
    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> None:
        self._database.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, _error: object, _trace: object) -> None:
        self._database.execute("ROLLBACK" if kind else "COMMIT")
