"""Promise: each event that a unit wrote down is in the inbox exactly once, byte for byte; and the
inbox has nothing that no unit wrote down.

A journal is the unit's SQLite file: `event (boot, seq, payload, written_at)`, the payload as it is
sent. What was refused is in quarantine instead. Events that a journal lost, it declares lost.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verifier.database.report import Report, Scope
from verifier.database.rows import Connection, System, ask, stream
from verifier.order.log import NO_LOG, PublishedLog

KIND = "journals"
_MAC = re.compile(rb"[0-9a-fA-F]{64}")
_INBOX = """
    SELECT boot, seq, body FROM tables_tableevent
    WHERE system_id = %s AND table_id = %s ORDER BY boot, seq
"""
Key = tuple[int, int]  # boot, seq


@dataclass(frozen=True, slots=True)
class Journal:
    """One unit's file, and whose it is."""

    path: Path
    system: str
    table: str


@dataclass(frozen=True)
class UnitRecords:
    """What the table units themselves hold, and what was kept elsewhere of the log.

    `journals`: a folder with their SQLite files (receipts: see `unit_receipts`), or the files.
    `covered`: by system, table and boot the highest committed_seq that a unit got in a receipt of
    the present era.
    """

    journals: Path | str | Iterable[Path | str] | None = None
    covered: Mapping[tuple[str, str, int], int] = field(default_factory=dict)
    log: PublishedLog = NO_LOG


def find(journals: Path | str | Iterable[Path | str], report: Report) -> list[Journal]:
    """The journals in a folder, or those named. A file without events is only remarked on."""
    if isinstance(journals, Path | str):
        folder = Path(journals)
        paths = [path for path in sorted(folder.rglob("*")) if _is_sqlite(path)]
        if not paths:
            raise FileNotFoundError(f"no journal of a table unit lies in {folder}")
    else:
        paths = [Path(path) for path in journals]
    journal_files = []
    for path in paths:
        with closing(_open(path)) as file:
            row = file.execute("SELECT CAST(payload AS BLOB) FROM event LIMIT 1").fetchone()
        if row is None:
            report.remarks.append(f"{path.name} has no events")
            continue
        event = json.loads(_body(row[0]))
        journal_files.append(Journal(path, event["system"], event["table"]))
    return journal_files


def journals_are_in_the_inbox(
    connection: Connection,
    scope: Scope,
    system: System,
    journals: list[Journal],
    settled: bool,
    covered: Mapping[tuple[str, int], int],
) -> int:
    """Hold journals and inbox against each other, table by table; returns how many events.

    `covered`: the committed_seq that units got in receipts, by table and boot; all of it must be
    there even where not all is settled.
    """
    tables = dict(
        ask(connection, "SELECT code, id FROM tables_gamingtable WHERE system_id = %s", [system.id])
    )
    count = 0
    for table in sorted({journal.table for journal in journals}):
        if table not in tables:
            scope.add(KIND, f"table {table}", "a journal names it, the console does not know it")
            continue
        own = [journal for journal in journals if journal.table == table]
        ids = (system.id, tables[table])
        count += _Table(connection, scope, ids, own, settled, covered).check()
    return count


class _Table:
    """The journals of one table beside its part of the inbox, both in the order of identities."""

    def __init__(
        self,
        connection: Connection,
        scope: Scope,
        ids: tuple[int, int],  # of system and table
        journals: list[Journal],
        settled: bool,
        covered: Mapping[tuple[str, int], int],
    ) -> None:
        self._connection, self._scope = connection, scope
        self._ids, self._journals, self._settled = ids, journals, settled
        self._table = journals[0].table
        self._covered = covered
        self._first: dict[int, int] = {}  # by boot, the first seq that a journal still has
        self._lost: list[tuple[int, int, int]] = []  # boot, first, last

    def check(self) -> int:
        """Go through both at once."""
        for journal in self._journals:
            self._gaps(journal)
        count = 0
        rows = stream(self._connection, _INBOX, list(self._ids))
        for key, payloads, body in _side_by_side(self._journals, rows):
            count += len(payloads)
            if not payloads:
                self._unwritten(key)
            for payload in payloads:
                if body is None or body != _body(payload):
                    self._differs(key, payload, body)
        return count

    def _differs(self, key: Key, payload: bytes, body: bytes | None) -> None:
        """Other bytes than the unit's, or none: accounted for only in quarantine."""
        boot, seq = key
        if self._is_quarantined(key, payload):
            return
        if body is not None:
            self._say(key, "the inbox has other bytes than the unit's journal")
        elif seq <= self._covered.get((self._table, boot), 0):
            self._say(key, "a receipt covered it, and it is neither recorded nor quarantined")
        elif self._settled:
            self._say(key, "the unit wrote it down, and it is neither recorded nor quarantined")

    def _unwritten(self, key: Key) -> None:
        """Recorded, and in no journal: forgotten after seven days, lost, or of an older unit."""
        boot, seq = key
        if boot < min(self._first) or seq < self._first.get(boot, 0):
            return
        if any(of == boot and first <= seq <= last for of, first, last in self._lost):
            return
        self._say(key, "it is recorded, and no unit wrote it down")

    def _gaps(self, journal: Journal) -> None:
        """What a journal lost, it declares lost: note the gaps, and look for the word on them."""
        gaps: list[tuple[int, int, int]] = []
        declared: list[tuple[int, int, int]] = []
        at: Key = (0, 0)
        for boot, seq, payload in _events(journal):
            if boot == at[0] and seq > at[1] + 1:
                gaps.append((boot, at[1] + 1, seq - 1))
            if boot != at[0]:
                self._first[boot] = min(seq, self._first.get(boot, seq))
            at = boot, seq
            if b"events_lost" in payload:
                event = json.loads(_body(payload))
                if event["type"] == "events_lost" and (
                    event["from_seq"] <= event["to_seq"] < seq  # any other word is refused
                ):
                    declared.append((boot, event["from_seq"], event["to_seq"]))
        for boot, first, last in gaps:
            if not any(of == boot and low <= first and last <= high for of, low, high in declared):
                self._say((boot, first), f"the journal has no seq {first} to {last}, undeclared")
        self._lost += declared

    def _is_quarantined(self, key: Key, payload: bytes) -> bool:
        rows = ask(
            self._connection,
            "SELECT 1 FROM tables_quarantine"
            " WHERE table_id = %s AND boot = %s AND seq = %s AND sha256 = %s",
            [self._ids[1], *key, hashlib.sha256(payload).digest()],
        )
        return bool(rows)

    def _say(self, key: Key, sentence: str) -> None:
        self._scope.add(KIND, f"event {self._table}/{key[0]}/{key[1]}", sentence)


def _side_by_side(
    journals: list[Journal], inbox: Iterator[tuple[Any, ...]]
) -> Iterator[tuple[Key, list[bytes], bytes | None]]:
    """Each identity with what journals have of it and what the inbox has."""
    events = (
        (boot, seq, 0, payload) for boot, seq, payload in heapq.merge(*map(_events, journals))
    )
    recorded = ((boot, seq, 1, bytes(body)) for boot, seq, body in inbox)
    both = heapq.merge(events, recorded, key=lambda row: row[:3])
    for key, rows in itertools.groupby(both, key=lambda row: row[:2]):
        group = list(rows)
        body = group[-1][3] if group[-1][2] == 1 else None
        yield (key[0], key[1]), [row[3] for row in group if row[2] == 0], body


def _events(journal: Journal) -> Iterator[tuple[int, int, bytes]]:
    with closing(_open(journal.path)) as file:
        yield from file.execute(
            "SELECT boot, seq, CAST(payload AS BLOB) FROM event ORDER BY boot, seq"
        )


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _is_sqlite(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\x00"


def _body(payload: bytes) -> bytes:
    """The JSON bytes, without the line of the MAC if there is one."""
    body, line, mac = payload.rpartition(b"\n")
    return body if line and body.strip() and _MAC.fullmatch(mac) else payload
