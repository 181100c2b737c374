"""From recorded rows to the fold's input: a block as it stands, folded again and compared.

Whoever folds the stored order (reconciliation, replay) reads it here, and hears here in the
same words where rows and fold differ.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connections

from jackpot.domain.state import blocks
from jackpot.domain.state.books import Books, Transfer
from jackpot.domain.state.entries import AnyEntry, CommandEntry, EventEntry, FactEntry, SkippedEntry
from jackpot.domain.versions import FOLDS
from jackpot.models import Block
from jackpot.storage.writing import header_of
from tables.protocol.messages import event_decoder

PRESENT_DATABASE = "default"

_ENTRIES = """
    SELECT n.seq, n.at, n.kind, n.type, g.code, n.boot, n.event_seq, n.command, n.round, n.hit,
           n.body_hash, n.body, n.outcome, e.id, e.body, c.kind, c.body, c.first, c.second,
           c.basis
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


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry as it stands in the rows, with what it was made of."""

    line: blocks.EntryLine
    at: dt.datetime
    event_id: int | None
    source: Any  # an event's bytes; [kind, body, first, second, basis] of a command; a fact's body

    def entry(self) -> AnyEntry:
        """What the fold takes."""
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
        event = event_decoder.decode(self.source)
        return EventEntry(line.seq, self.at, line.table, event, how, line.body, unjudged)

    @property
    def is_missing(self) -> bool:
        """Whether the event or command that it was made of is gone."""
        if self.line.command is not None:
            return self.source[0] is None
        return self.line.kind == "event" and self.event_id is None

    def source_fields(self) -> dict[str, Any]:
        """The columns that an event or a command itself names."""
        if self.line.command is not None:
            return {"type": self.source[0]}
        if not isinstance(self.source, bytes) or "set_aside" in self.line.outcome:
            return {}  # a skipped entry may be one that cannot be decoded
        event = event_decoder.decode(self.source)
        return {
            "type": event.type,
            "table": event.table,
            "boot": event.boot,
            "event_seq": event.seq,
            "round": getattr(event, "round", None),
        }


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
    """The blocks of a system in their order, behind the number `after`; one at a time is held."""
    rows = Block.objects.using(using).filter(system=system_id, number__gt=after)
    for block in rows.order_by("number").iterator():
        entries = _rows(using, _ENTRIES, system_id, block.first_seq, block.last_seq)
        transfers = _rows(using, _TRANSFERS, system_id, block.first_transfer, block.last_transfer)
        yield Sealed(
            system, block, [_recorded(row) for row in entries], [Transfer(*t) for t in transfers]
        )


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
            differences += [f"{place}: {what}" for what in _misnamed(recorded, block)]
            shown = line.outcome.get("shown")
            if shown is not None:  # what the displays showed was a fact of that moment
                books.displayed, books.displayed_seq = shown["values"], shown["seq"]
            outcome = fold(books, recorded.entry())
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


def _misnamed(recorded: Recorded, block: Block) -> list[str]:
    """Columns of an entry that its source or its block contradict."""
    line = recorded.line
    if recorded.is_missing:
        raise _Changed(f"its {line.kind} is missing")
    if blocks.body_hash(recorded.source).hex() != line.body_hash:
        raise _Changed(f"its {line.kind} was changed since")
    differences = [
        f"its {column} is {getattr(line, column)}, its {line.kind} says {source_value}"
        for column, source_value in recorded.source_fields().items()
        if getattr(line, column) != source_value
    ]
    if recorded.at != block.at:
        written = blocks.instant(block.at)
        differences.append(f"its time is {line.at}, its block was written at {written}")
    return differences


def _moved(books: Books, sealed: Sealed) -> list[str]:
    """The first transfer of a block that the fold does not say."""
    wrong = f"block {sealed.block.number}: its transfers are not what the fold says"
    for folded, written in zip(books.transfers, sealed.transfers, strict=False):
        if folded != written:
            of = f"transfer {written.number} of entry {written.entry}"
            return [f"{wrong}: {of} is {written}, the fold says {folded}"]
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
        json.loads(outcome),
    )
    source: Any = line.body
    if event is not None:
        source = bytes(event)
    elif command is not None:
        command_kind, document, first, second, basis = row[15:]
        body = json.loads(document) if document is not None else None
        source = blocks.command_source(command_kind, body, first, second, basis)
    return Recorded(line, at, event_id, source)


def _rows(using: str, query: str, *values: Any) -> list[tuple[Any, ...]]:
    with connections[using].cursor() as cursor:
        cursor.execute(query, values)
        return list(cursor.fetchall())
