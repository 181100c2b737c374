"""The standby at which long reads are done, where the house names one (READ_DATABASE_URL).

A process reads there by a connection that takes the place of the primary's for a while, in one
thread: whatever is asked meanwhile is asked there, and nothing can be written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, LiteralString, NamedTuple

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

_ADDRESS = ("HOST", "PORT", "USER", "PASSWORD", "NAME")
# What a server is: whether it follows another one, its cluster, how far its log goes, and when what
# it showed last was committed (of a primary: nothing).
PLACE: LiteralString = """
    SELECT pg_is_in_recovery(), (SELECT system_identifier::text FROM pg_control_system()),
           CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
                ELSE pg_current_wal_insert_lsn() END - '0/0'::pg_lsn,
           extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8,
           current_setting('wal_block_size')::int,
           pg_size_bytes(current_setting('wal_segment_size'))
"""
# Of a page of the log, and of the first one of a file.
_HEADER, _FIRST_HEADER = 24, 40


class Place(NamedTuple):
    """A server's answer to PLACE. `log`: bytes; None before a standby has replayed anything."""

    is_standby: bool
    cluster: str
    log: int | None
    silent_s: float | None


class Lag(NamedTuple):
    """A standby beside its primary. `is_usable`: it follows that one, however far behind."""

    is_usable: bool
    bytes: int
    seconds: float


def lag_of(primary: Place, standby: Place) -> Lag:
    is_usable = standby.is_standby and standby.cluster == primary.cluster
    missing = max(0, (primary.log or 0) - (standby.log or 0))
    return Lag(is_usable, missing, (standby.silent_s or 0.0) if missing else 0.0)


def place_of(row: Sequence[Any]) -> Place:
    is_standby, cluster, log, silent_s, page, file = row
    return Place(
        is_standby, cluster, None if log is None else end_of_record(int(log), page, file), silent_s
    )


def end_of_record(log: int, page: int, file: int) -> int:
    """Where the last record ended, of a place where the next one will be written.

    On a new page that is behind its header, which no standby has before there is a record: an idle
    primary stands there after each change of files. A record never ends there, and is never empty.

    >>> [end_of_record(each, 8192, 65536) for each in (65536 + 40, 8192 + 24, 8192 + 40, 96)]
    [65536, 8192, 8232, 96]
    """
    header = _HEADER if log % file >= page else _FIRST_HEADER
    return log - header if log % page == header else log


def is_named() -> bool:
    """Whether this process may read at a standby."""
    return bool(settings.READ_DATABASE)


def connection_to_it() -> BaseDatabaseWrapper:
    """A connection of its own, not opened yet. The caller closes it."""
    beside = connection.copy()
    beside.settings_dict |= {name: settings.READ_DATABASE.get(name, "") for name in _ADDRESS}
    beside.settings_dict["OPTIONS"] = {**settings.READ_DATABASE.get("OPTIONS", {})}
    return beside


@contextmanager
def reading_from(standby: BaseDatabaseWrapper) -> Iterator[None]:
    """This thread asks that connection alone, until the end."""
    primary = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = standby
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = primary
