"""From recorded rows to the fold's input: a block as it stands, folded again and compared.

Whoever folds the stored order (reconciliation, replay) reads it here, and hears here in the
same words where rows and fold differ.
"""

from __future__ import annotations

import datetime as dt
import json
import operator
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import starmap
from typing import Any

import msgspec
import psycopg
from django.db import connections

from jackpot.domain.state import blocks
from jackpot.domain.state.books import Books, Transfer
from jackpot.domain.state.entries import AnyEntry, CommandEntry, EventEntry, FactEntry, SkippedEntry
from jackpot.domain.versions import FOLDS
from jackpot.models import Block
from jackpot.storage.writing import header_of
from tables.protocol.messages import AnyEvent, event_decoder

Row = tuple[Any, ...]
PRESENT_DATABASE = "default"
ENTRIES_AT_ONCE = 2_000
_number = operator.itemgetter(0)

_ENTRIES = """
    SELECT n.seq, n.at, n.kind, n.type, g.code, n.boot, n.event_seq, n.command, n.round, n.hit,
           n.body_hash, n.body::text, n.outcome::text, e.id, e.body, c.kind, c.body::text, c.first,
           c.second, c.basis
    FROM jackpot_entry n
    LEFT JOIN tables_gamingtable g ON g.id = n.table_id
    LEFT JOIN tables_tableevent e ON e.id = n.event_id
    LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    WHERE n.system_id = %s AND n.seq BETWEEN %s AND %s ORDER BY n.seq
"""
_TRANSFERS = """
    SELECT t.number, t.entry_seq, d.code, c.code, t.amount, t.debit_after, t.credit_after,
           t.reason, t.hit
    FROM jackpot_transfer t
    JOIN jackpot_account d ON d.id = t.debit_id JOIN jackpot_account c ON c.id = t.credit_id
    WHERE t.system_id = %s AND t.number BETWEEN %s AND %s ORDER BY t.number
"""


class Recorded(msgspec.Struct, frozen=True):
    """An entry as it stands in the rows, with what it was made of."""

    line: blocks.EntryLine
    at: dt.datetime
    event_id: int | None
    source: Any  # an event's bytes; [kind, body, first, second, basis] of a command; a fact's body

    @property
    def event(self) -> AnyEvent | None:
        """The event that it was made of, but of a skipped entry: that may be no event."""
        if not isinstance(self.source, bytes) or "set_aside" in self.line.outcome:
            return None
        return event_decoder.decode(self.source)

    def entry(self, event: AnyEvent | None = None) -> AnyEntry:
        """What the fold takes; `event` where that is decoded already."""
        line = self.line
        flags = line.outcome.get("flags", [])
        how = "late" if "late" in flags else "ahead" if "ahead_of_gap" in flags else "in order"
        if (skip := line.outcome.get("set_aside")) is not None:
            people = (skip["first"], skip["second"], skip["reason"])
            return SkippedEntry(line.seq, self.at, line.kind, *people, how)
        unjudged = frozenset(line.outcome.get("no_verdict", ()))  # a fact of that moment
        if line.command is not None:
            kind, body, first, second = self.source[:4]
            return CommandEntry(
                line.seq, self.at, line.command, kind, body, first, second, unjudged
            )
        if line.kind == "fact" or line.table is None:
            return FactEntry(line.seq, self.at, line.type, line.body)
        event = event or event_decoder.decode(self.source)
        return EventEntry(line.seq, self.at, line.table, event, how, line.body, unjudged)

    @property
    def is_missing(self) -> bool:
        """Whether the event or command that it was made of is gone."""
        if self.line.command is not None:
            return self.source[0] is None
        return self.line.kind == "event" and self.event_id is None

    def misnamed(self, event: AnyEvent | None) -> list[tuple[str, Any]]:
        """Columns that the event or the command itself contradicts, with what that says."""
        line = self.line
        if line.command is not None:
            return [] if line.type == self.source[0] else [("type", self.source[0])]
        if event is None:
            return []
        number = getattr(event, "round", None)
        facts = (event.type, event.table, event.boot, event.seq, number)
        if facts == (line.type, line.table, line.boot, line.event_seq, line.round):
            return []
        columns = ("type", "table", "boot", "event_seq", "round")
        both = zip(columns, facts, strict=True)
        return [(column, value) for column, value in both if getattr(line, column) != value]


@dataclass(frozen=True, slots=True)
class Sealed:
    """One block with its entries and transfers."""

    system: str
    block: Block
    entries: list[Recorded]
    transfers: list[Transfer]


def sealed_blocks(
    system_id: int, system: str, *, after: int = 0, using: str = PRESENT_DATABASE
) -> Iterator[Sealed]:
    """The blocks of a system in order, behind the number `after`; a few at a time are held."""
    rows = Block.objects.using(using).filter(system=system_id, number__gt=after)
    for some in _together(rows.order_by("number").iterator()):
        entries = _rows(using, _ENTRIES, system_id, [(b.first_seq, b.last_seq) for b in some])
        spans = [(b.first_transfer, b.last_transfer) for b in some]
        transfers = _rows(using, _TRANSFERS, system_id, spans)
        for block, span in zip(some, spans, strict=True):
            lines = _between(entries, block.first_seq, block.last_seq)
            moved = list(starmap(Transfer, _between(transfers, *span)))
            yield Sealed(system, block, list(map(_recorded, lines)), moved)


def _together(blocks: Iterator[Block]) -> Iterator[list[Block]]:
    """The first block, then neighbours whose rows are read at once."""
    some: list[Block] = []
    left = 0
    for block in blocks:
        some.append(block)
        left -= max(1, block.last_seq - block.first_seq + 1)
        if left <= 0:
            yield some
            some, left = [], ENTRIES_AT_ONCE
    if some:
        yield some


def fold_again(books: Books, sealed: Sealed, previous: bytes) -> list[str]:
    """Move the books by a recorded block under its own version; where the rows say otherwise.

    `previous` is the hash of the block before. The transfers stay in the books.
    """
    block, differences = sealed.block, []
    if bytes(block.previous) != previous:
        differences.append(f"block {block.number} does not follow the one before it")
    differences += _folded(books, sealed)
    header = header_of(sealed.system, block)
    lines = [recorded.line for recorded in sealed.entries]
    if blocks.block_hash(header, lines, sealed.transfers) != bytes(block.hash):
        differences.append(f"block {block.number}: its rows do not lead to its hash")
    return differences


def _folded(books: Books, sealed: Sealed) -> list[str]:
    block, differences = sealed.block, []
    fold = FOLDS.get((block.fold_version, block.rules_version))
    if fold is None:
        return [
            f"block {block.number} was folded by version {block.fold_version} under rules"
            f" {block.rules_version}, which this program does not have"
        ]
    for recorded in sealed.entries:
        line = recorded.line
        place = f"block {block.number}, entry {line.seq}"
        try:
            event = _source_of(recorded)
            differences += [f"{place}: {what}" for what in _misnamed(recorded, event, block)]
            fact = line.outcome.get("shown")
            if fact is not None:  # what the displays showed was a fact of that moment
                books.displayed, books.displayed_seq = fact["values"], fact["seq"]
            outcome = fold(books, recorded.entry(event))
        except _Changed as fault:
            return [
                *differences,
                f"{place}: {fault}",
            ]  # what follows an entry that was not folded is noise
        except Exception as fault:  # noqa: BLE001 - whatever stands in the rows is a difference
            return [*differences, f"{place} cannot be folded: {fault!r}"]
        if outcome != line.outcome:
            differences.append(f"{place}: its outcome is {line.outcome}, the fold says {outcome}")
    return [*differences, *_moved(books, sealed)]


class _Changed(Exception):
    """The event, command or fact is not what its entry was made of."""


def _source_of(recorded: Recorded) -> AnyEvent | None:
    """The event that an entry was made of, if it was one. _Changed unless it is what it was."""
    if recorded.is_missing:
        raise _Changed(f"its {recorded.line.kind} is missing")
    if blocks.body_hash(recorded.source).hex() != recorded.line.body_hash:
        raise _Changed(f"its {recorded.line.kind} was changed since")
    return recorded.event


def _misnamed(recorded: Recorded, event: AnyEvent | None, block: Block) -> list[str]:
    """Columns of an entry that its source or its block contradict."""
    line = recorded.line
    differences = [
        f"its {column} is {getattr(line, column)}, its {line.kind} says {source_value}"
        for column, source_value in recorded.misnamed(event)
    ]
    if recorded.at != block.at:
        written_at = blocks.instant(block.at)
        differences.append(f"its time is {line.at}, its block was written at {written_at}")
    return differences


def _moved(books: Books, sealed: Sealed) -> list[str]:
    """The first transfer of a block that the fold does not say."""
    if books.transfers == sealed.transfers:
        return []
    wrong = f"block {sealed.block.number}: its transfers are not what the fold says"
    for folded, stored in zip(books.transfers, sealed.transfers, strict=False):
        if folded != stored:
            of = f"transfer {stored.number} of entry {stored.entry}"
            return [f"{wrong}: {of} is {stored}, the fold says {folded}"]
    if len(books.transfers) != len(sealed.transfers):
        rows = len(sealed.transfers)
        return [f"{wrong}: {rows} rows, the fold says {len(books.transfers)}"]
    return []


def _recorded(row: tuple[Any, ...]) -> Recorded:
    seq, at, kind, type_, table, boot, event_seq, command, round_, hit = row[:10]
    digest, body, outcome, event_id, event = row[10:15]
    line = blocks.EntryLine(
        seq,
        blocks.instant(at),
        kind,
        type_,
        table,
        boot,
        event_seq,
        command,
        round_,
        hit,
        bytes(digest).hex(),
        json.loads(body) if body is not None else None,
        json.loads(outcome) if outcome != "{}" else {},
    )
    source: Any = line.body
    if event is not None:
        source = bytes(event)
    elif command is not None:
        command_kind, document, first, second, basis = row[15:]
        body = json.loads(document) if document is not None else None
        source = blocks.command_source(command_kind, body, first, second, basis)
    return Recorded(line, at, event_id, source)


def _rows(using: str, query: str, system_id: int, spans: list[tuple[int, int]]) -> list[Row]:
    """The rows of all these spans of numbers, and what lies between them."""
    first, last = min(first for first, _ in spans), max(last for _, last in spans)
    connection = connections[using]
    connection.ensure_connection()
    # Past the cursor of Django, which gets every value as text.
    with psycopg.Cursor[Row](connection.connection) as cursor:
        cursor.execute(query.encode(), (system_id, first, last), binary=True)
        return cursor.fetchall()


def _between(rows: list[Row], first: int, last: int) -> list[Row]:
    """Those with a number in that span."""
    begin = bisect_left(rows, first, key=_number)
    return rows[begin : bisect_right(rows, last, lo=begin, key=_number)]
