"""What a process asks the database to know whether it can work: on a connection of its own.

A connection at work may hang, and a thread that waits for it cannot be called back; so whoever
watches asks beside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, LiteralString, NamedTuple

import psycopg
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

OURS = ("tables", "jackpot", "settlement")
CLOCK_S = 5.0  # a process whose clock is further from the database's is not ready
_CONNECT_S = 2
_STATEMENT_MS = 2_000

Migrations = frozenset[tuple[str, str]]


class DatabaseState(NamedTuple):
    """What the database said."""

    applied: Migrations
    clock_ahead_s: float  # of its clock, beside this process's

    @property
    def has_our_tables(self) -> bool:
        """Whether all that this version needs is there. Tables may be newer: an update begins with
        them, and they let the version before go on (decision 0136)."""
        return known_migrations() <= self.applied

    @property
    def has_our_time(self) -> bool:
        """Whether the two clocks are near enough to each other."""
        return abs(self.clock_ahead_s) <= CLOCK_S


class DatabaseProbe:
    """Asks on a connection of its own, which it keeps. Used by one thread at a time.

    psycopg.Error, or OSError, when the database cannot say.
    """

    def __init__(self, database: Callable[[], BaseDatabaseWrapper] | None = None) -> None:
        """Of the console's database, or of that to which `database` makes a connection."""
        self._database = database
        self._connection: psycopg.Connection[Any] | None = None

    def ask(self) -> DatabaseState:
        """Its migrations and its clock. A standby is not the database: it takes no writes."""
        began = time.time()
        ((now, is_standby),) = self.rows(
            "SELECT extract(epoch FROM clock_timestamp())::float8, pg_is_in_recovery()"
        )
        if is_standby:
            self.close()  # the next question may reach the primary
            raise psycopg.OperationalError("This server is a standby.")
        ahead_s = now - (began + time.time()) / 2
        rows = self.rows("SELECT app, name FROM django_migrations")
        return DatabaseState(frozenset((app, name) for app, name in rows), ahead_s)

    def rows(
        self, statement: LiteralString, names: Mapping[str, Any] | None = None
    ) -> list[tuple[Any, ...]]:
        """What a statement gives."""
        if self._connection is None or self._connection.closed:
            self._connection = self._connect()
        try:
            return self._connection.execute(statement, names).fetchall()
        except psycopg.Error:
            self._connection.close()
            raise

    def close(self) -> None:
        """Ask on another connection from here on."""
        if self._connection is not None:
            self._connection.close()

    def _connect(self) -> psycopg.Connection[Any]:
        parameters = (self._database() if self._database else connection).get_connection_params()
        for name in ("cursor_factory", "context"):
            parameters.pop(name, None)
        parameters["connect_timeout"] = _CONNECT_S
        parameters["options"] = (
            f"{parameters.get('options', '')} -c statement_timeout={_STATEMENT_MS}"
            " -c default_transaction_read_only=on"
        )
        return psycopg.connect(**parameters, autocommit=True)


def database_check(
    probe: DatabaseProbe, queues: Callable[[DatabaseProbe], str | None] | None = None
) -> Callable[[], dict[str, str]]:
    """A check of database, schema and clock, and of `queues`, which says what waits too long."""

    def faults() -> dict[str, str]:
        try:
            state = probe.ask()
            if not state.has_our_tables:
                return {"schema": "The tables are those of an older version of the console."}
            waits = queues(probe) if queues else None
        except (psycopg.Error, OSError):
            return {"database": "The database does not answer."}
        failed = {"queues": waits} if waits else {}
        if not state.has_our_time:
            failed["clock"] = (
                f"The database's clock is {state.clock_ahead_s:+.1f} s beside this process's."
            )
        return failed

    return faults


@cache
def known_migrations() -> Migrations:
    """Those that this version's code knows."""
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    return frozenset((app, name) for app, name in loader.disk_migrations)


def strange_migrations(applied: Migrations) -> Migrations:
    """Of those that were applied the console's own that this version does not know."""
    ours = frozenset((app, name) for app, name in applied if app in OURS)
    return ours - known_migrations()
