"""Reading the database: one moment, nothing written, a few thousand rows in memory at a time."""

from __future__ import annotations

import functools
import json
import operator
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, LiteralString, NamedTuple, TypeVar, cast

import psycopg
from psycopg.sql import SQL, Composed

Row = TypeVar("Row", bound=tuple[Any, ...])
Connection = psycopg.Connection[tuple[Any, ...]]
NO_OUTCOME = "{}"  # as the writer leaves what has nothing to say

_CONFLICT = "conflict with recovery"
_INSTANT = """to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
_STATED = f"""
    SELECT n.seq, {_INSTANT.format("n.at")}, n.kind, n.type, g.code, n.boot, n.event_seq,
           n.command, n.round, n.hit, n.body_hash, n.body::text, n.outcome::text
"""
WHOLE = f"""
    {_STATED}, e.body,
           (e.system_id, e.table_id, e.boot, e.seq)
               = (n.system_id, n.table_id, n.boot, n.event_seq),
           c.kind, c.body::text, c.first, c.second, c.basis
    FROM jackpot_entry n
    LEFT JOIN tables_gamingtable g ON g.id = n.table_id
    LEFT JOIN tables_tableevent e ON e.id = n.event_id
    LEFT JOIN jackpot_command c ON c.system_id = n.system_id AND c.number = n.command
    WHERE n.system_id = %s ORDER BY n.seq
"""  # of entries, with what they were made of
STATED = f"""
    {_STATED}, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM jackpot_entry n LEFT JOIN tables_gamingtable g ON g.id = n.table_id
    WHERE n.system_id = %s ORDER BY n.seq
"""  # of entries by themselves
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
        if self.outcome_text == NO_OUTCOME:
            return []
        flags = self.outcome.get("flags", [])
        return flags if isinstance(flags, list) else []


# A row of the ledger: number, entry, debit and credit by id, amount, both balances after it in
# micros, reason, hit. Three in four rows are transfers, so that they stay the tuples they came as.
Transfer = tuple[int, int, int, int, int, int, int, str, int | None]


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


_read = json.JSONDecoder().raw_decode


def read_event(body: bytes) -> Any:
    """What an event's bytes say. ValueError where they are no JSON in UTF-8."""
    text = str(body, "utf-8")
    if not text.startswith("{"):  # white space, perhaps, which the shorter way does not pass over
        return json.loads(text)
    document, end = _read(text)
    return document if end == len(text) else json.loads(text)


class Conflict(Exception):
    """A standby ended the look, which kept it from following its primary: look again."""


@contextmanager
def snapshot(url: str, moment: str | None = None) -> Iterator[Connection]:
    """A connection that sees one moment and can write nothing; the moment that another connection
    exported, if it is given. The server may be a standby, which may raise Conflict."""
    try:
        with psycopg.connect(url) as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            connection.read_only = True
            if moment is not None:
                connection.execute(SQL("SET TRANSACTION SNAPSHOT {}").format(moment))
            connection.execute("SET LOCAL jit = off")
            yield connection
    except psycopg.Error as fault:
        # The words of a server in English; the class where its words are others.
        if isinstance(fault, psycopg.errors.SerializationFailure) or _CONFLICT in str(fault):
            raise Conflict(str(fault)) from fault
        raise


def of_a_standby(connection: Connection) -> str | None:
    """Until when a server that is a standby has replayed commits; None where it is none."""
    ((at,),) = ask(
        connection,
        "SELECT CASE WHEN pg_is_in_recovery() THEN coalesce(to_char(pg_last_xact_replay_timestamp()"
        " AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS \"UTC\"'), 'its base backup') END",
    )
    return at if at is None else str(at)


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
    for rows in batches(connection, query, values, at_once):
        yield from rows


def batches(
    connection: Connection, query: LiteralString | Composed, values: Any, at_once: int
) -> Iterator[list[tuple[Any, ...]]]:
    """The same, as many rows together as are read at once."""
    name = f"rows_{id(query)}_{next(_numbers)}"
    with connection.cursor(name) as cursor:
        cursor.execute(query, values, binary=True)
        while rows := cursor.fetchmany(at_once):
            yield rows


_numbers = iter(range(1, 2**62))
_key = operator.itemgetter(0)
_entry: Callable[[tuple[Any, ...]], Entry] = functools.partial(tuple.__new__, Entry)


class _Ahead(Generic[Row]):
    """Rows in the order of their first column, of which those up to a number can be taken."""

    def __init__(self, batches: Iterator[list[Row]]) -> None:
        self._batches = batches
        self._rows: list[Row] = next(batches, [])
        self._position = 0  # among these

    def through(self, last: int, most: int | None = None) -> list[Row]:
        """Take all rows up to that number, at most so many."""
        rows: list[Row] = []
        while self._rows:
            end = bisect_right(self._rows, last, lo=self._position, key=_key)
            if most is not None:
                end = min(end, self._position + most - len(rows))
            rows += self._rows[self._position : end]
            self._position = end
            if end < len(self._rows):
                break
            self._rows, self._position = next(self._batches, []), 0
        return rows


def walk(connection: Connection, system: System, query: LiteralString = WHOLE) -> Iterator[Sealed]:
    """The whole order, block by block; at the end what lies behind the last block."""
    entries = _Ahead(
        list(map(_entry, rows)) for rows in batches(connection, query, [system.id], 2000)
    )
    transfers: _Ahead[Transfer] = _Ahead(
        cast("Iterator[list[Transfer]]", batches(connection, _TRANSFERS, [system.id], 10_000))
    )
    for row in stream(connection, _BLOCKS, [system.id], 500):
        block = Block(*row)
        yield Sealed(block, entries.through(block.last_seq), transfers.through(block.last_transfer))
    while True:
        rest = Sealed(None, entries.through(2**63, 1000), transfers.through(2**63, 5000))
        if not rest.entries and not rest.transfers:
            return
        yield rest
