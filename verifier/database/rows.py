"""Reading the database: one moment, nothing written, a few thousand rows in memory at a time."""

from __future__ import annotations

import functools
import json
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, LiteralString, NamedTuple, TypeVar

import psycopg
from psycopg.sql import Composed

Row = TypeVar("Row")
Connection = psycopg.Connection[tuple[Any, ...]]

_INSTANT = """to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
_ENTRIES = f"""
    SELECT n.seq, {_INSTANT.format("n.at")}, n.kind, n.type, g.code, n.boot, n.event_seq,
           n.command, n.round, n.hit, n.body_hash, n.body::text, n.outcome::text, e.body,
           (e.system_id, e.table_id, e.boot, e.seq)
               = (n.system_id, n.table_id, n.boot, n.event_seq),
           c.kind, c.body::text, c.first, c.second, c.basis
    FROM jackpot_entry n
    LEFT JOIN tables_gamingtable g ON g.id = n.table_id
    LEFT JOIN tables_tableevent e ON e.id = n.event_id
    LEFT JOIN jackpot_command c ON c.system_id = n.system_id AND c.number = n.command
    WHERE n.system_id = %s ORDER BY n.seq
"""  # noqa: S608 - of constants
_TRANSFERS = """
    SELECT number, entry_seq, debit_id, credit_id, amount, debit_after, credit_after, reason, hit
    FROM jackpot_transfer WHERE system_id = %s ORDER BY number
"""
_BLOCKS = f"""
    SELECT number, first_seq, last_seq, first_transfer, last_transfer, fold_version,
           rules_version, {_INSTANT.format("at")}, previous, hash
    FROM jackpot_block WHERE system_id = %s ORDER BY number
"""  # noqa: S608 - of constants


@dataclass(frozen=True, slots=True)
class System:
    """A jackpot system; `digits` are the decimals of its currency."""

    id: int
    code: str
    digits: int
    era: int
    zone: str = "UTC"
    day_starts: str = "06:00:00"


class Accounts(dict[int, str]):
    """The codes of a system's accounts by id."""

    def __missing__(self, id_: int) -> str:
        return f"an account of nobody, {id_}"


class Entry(NamedTuple):
    """One element of the order with what it was made of."""

    seq: int
    at: str
    kind: str
    type: str
    table: str | None
    boot: int | None
    event_seq: int | None
    command: int | None
    round: int | None
    hit: int | None
    body_hash: bytes
    body_text: str | None  # of a fact
    outcome_text: str
    event_body: bytes | None  # the inbox's bytes
    is_its_event: bool | None  # the inbox has them under this identity
    command_kind: str | None
    command_text: str | None
    first: str | None
    second: str | None
    basis: bytes | None  # over what people recorded (`verifier.people.decision_basis`)

    @property
    def outcome(self) -> dict[str, Any]:
        """What the writer said became of it. Not to be changed: equal ones are shared."""
        return parsed(self.outcome_text)

    @property
    def flags(self) -> list[str]:
        """What the writer flagged it with."""
        flags = self.outcome.get("flags", [])
        return flags if isinstance(flags, list) else []


class Transfer(NamedTuple):
    """A row of the ledger; accounts by id, amounts in micros."""

    number: int
    entry: int
    debit: int
    credit: int
    amount: int
    debit_after: int
    credit_after: int
    reason: str
    hit: int | None


@dataclass(frozen=True, slots=True)
class Block:
    """What one transaction of the writer sealed of a system."""

    number: int
    first_seq: int
    last_seq: int
    first_transfer: int
    last_transfer: int
    fold_version: int
    rules_version: int
    at: str
    previous: bytes
    hash: bytes


@dataclass(slots=True)
class Sealed:
    """A block with its rows; rows that lie behind the last block have none."""

    block: Block | None
    entries: list[Entry]
    transfers: list[Transfer]


@functools.lru_cache(maxsize=4096)
def parsed(text: str) -> dict[str, Any]:
    """A JSON object; what is no object is read as an empty one, and shows in the hash."""
    document = json.loads(text)
    return document if isinstance(document, dict) else {}


@contextmanager
def snapshot(url: str) -> Iterator[Connection]:
    """A connection that sees one moment and can write nothing."""
    with psycopg.connect(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        connection.execute("SET LOCAL jit = off")
        yield connection


def systems(connection: Connection, code: str | None) -> list[System]:
    """The jackpot systems, or the one with that code."""
    rows = ask(
        connection,
        "SELECT s.id, s.code, c.minor_digits, s.era, c.timezone, c.day_starts::text"
        " FROM tables_jackpotsystem s"
        " JOIN tables_casino c ON c.id = s.casino_id"
        " WHERE %(code)s::text IS NULL OR s.code = %(code)s ORDER BY s.id",
        {"code": code},
    )
    return [System(*row) for row in rows]


def ask(connection: Connection, query: LiteralString, values: Any = ()) -> list[tuple[Any, ...]]:
    """The rows of a query with a short answer."""
    return connection.execute(query, values).fetchall()


def stream(
    connection: Connection,
    query: LiteralString | Composed,
    values: Any = (),
    at_once: int = 2000,
) -> Iterator[tuple[Any, ...]]:
    """The rows of a query with a long answer, some at a time."""
    name = f"rows_{id(query)}_{next(_numbers)}"
    with connection.cursor(name) as cursor:
        cursor.execute(query, values, binary=True)
        while rows := cursor.fetchmany(at_once):
            yield from rows


_numbers = iter(range(1, 2**62))


class _Ahead(Generic[Row]):
    """Rows of which the next one can be looked at before it is taken."""

    def __init__(self, rows: Iterator[Row], key: Callable[[Row], int]) -> None:
        self._rows, self._key = rows, key
        self._next = next(rows, None)

    def through(self, last: int, most: int | None = None) -> list[Row]:
        """Take all rows up to that key, at most so many."""
        taken: list[Row] = []
        row, rows, key = self._next, self._rows, self._key
        while row is not None and key(row) <= last and (most is None or len(taken) < most):
            taken.append(row)
            row = next(rows, None)
        self._next = row
        return taken


def walk(connection: Connection, system: System) -> Iterator[Sealed]:
    """The whole order, block by block; at the end what lies behind the last block."""
    entries = _Ahead(
        map(Entry._make, stream(connection, _ENTRIES, [system.id])), operator.itemgetter(0)
    )
    transfers = _Ahead(
        map(Transfer._make, stream(connection, _TRANSFERS, [system.id], 10_000)),
        operator.itemgetter(0),
    )
    for row in stream(connection, _BLOCKS, [system.id], 500):
        block = Block(*row)
        yield Sealed(block, entries.through(block.last_seq), transfers.through(block.last_transfer))
    while True:
        rest = Sealed(None, entries.through(2**63, 1000), transfers.through(2**63, 5000))
        if not rest.entries and not rest.transfers:
            return
        yield rest
