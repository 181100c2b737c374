"""Rows in the place of a database, for the verifier's own judgement of them: no query is tried."""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from verifier.database.rows import Connection, Entry
from verifier.fold.folding import Decision


class _Rows:
    def __init__(self, by_query: Mapping[str, Iterable[tuple[Any, ...]]]) -> None:
        self._by_query = by_query
        self._rows: list[tuple[Any, ...]] = []

    def execute(self, query: str, _values: Any = ()) -> "_Rows":
        self._rows = list(self._by_query.get(query, ()))
        return self

    @contextmanager
    def cursor(self, _name: str) -> Iterator["_Cursor"]:
        yield _Cursor(self._by_query)

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self._rows


class _Cursor:
    """Of a long answer, some at a time."""

    def __init__(self, by_query: Mapping[str, Iterable[tuple[Any, ...]]]) -> None:
        self._by_query = by_query
        self._left: Iterator[tuple[Any, ...]] = iter(())

    def execute(self, query: str, _values: Any, *, binary: bool) -> None:
        assert binary
        self._left = iter(self._by_query.get(query, ()))

    def fetchmany(self, most: int) -> list[tuple[Any, ...]]:
        return list(itertools.islice(self._left, most))


def rows(by_query: Mapping[str, Iterable[tuple[Any, ...]]]) -> Connection:
    """A connection that answers these queries with these rows, and any other with none."""
    return cast("Connection", _Rows(by_query))


def decision(seq: int, kind: str, outcome: dict[str, Any], **body: Any) -> Decision:
    """A command that took effect: number `seq`, by mere and david."""
    columns: dict[str, Any] = dict.fromkeys(Entry._fields)
    columns |= {"seq": seq, "at": f"2026-11-21T10:00:{seq:02}", "kind": "command", "type": kind}
    columns |= {"command": seq, "command_kind": kind, "first": "mere", "second": "david"}
    columns |= {"body_hash": b"", "outcome_text": "{}"}
    return Decision(Entry(**columns), body, outcome)
