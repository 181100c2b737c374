"""Writing folded batches: entries, hits, rounds, sessions and the blocks that seal them.

All of it in the poster's one transaction; transfers are the ledger's. The batches of several
systems are written together: each keeps its own block, the statements are shared.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from jackpot import models
from jackpot.domain.state import blocks
from jackpot.domain.state.books import Books
from jackpot.domain.state.entries import Outcome
from jackpot.domain.state.hits import ContributionTotals, TierBalances
from jackpot.domain.versions import Version
from jackpot.storage import ledger
from jackpot.storage.copying import RowsOf, columns, null, text
from jackpot.storage.loading import Loaded
from jackpot.storage.writing_tiers import open_tiers, write_tiers
from jackpot.terms.document import to_json
from tables.process.prepared_statements import prepared_cursor

_ENTRIES = RowsOf(
    models.Entry,
    "system_id seq at kind type table_id boot event_seq event_id command round hit body_hash body"
    " outcome",
)
_NEW_ROUNDS = RowsOf(
    models.RoundState,
    "system_id table_id round terms game deck dealt started completed void pot hit cancelled priced"
    " uncalled commission taken awaits differs pace accepted stakes flop counted",
)
_ROUNDS = """
    UPDATE jackpot_roundstate AS r SET game = c.game, deck = c.deck, dealt = c.dealt,
        started = c.started, completed = c.completed, void = c.void, pot = c.pot, hit = c.hit,
        cancelled = c.cancelled, priced = c.priced, uncalled = c.uncalled,
        commission = c.commission, taken = c.taken, differs = c.differs,
        pace = c.pace, accepted = c.accepted, flop = c.flop,
        counted = c.counted
    FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::text[], %s::smallint[],
                %s::smallint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[],
                %s::bigint[], %s::bigint[], %s::smallint[], %s::bigint[], %s::bigint[],
                %s::bigint[], %s::bigint[], %s::smallint[], %s::bigint[], %s::boolean[],
                %s::smallint[])
         AS c (system_id, table_id, round, game, deck, dealt, started, completed, void, pot, hit,
               cancelled, priced, uncalled, commission, taken, differs, pace, accepted, flop,
               counted)
    WHERE (r.system_id, r.table_id, r.round) = (c.system_id, c.table_id, c.round)
"""


_BALANCES = TierBalances.__struct_fields__
_OF_BLOCK = [field.attname for field in models.Block._meta.concrete_fields]
_BLOCK = f"""
    INSERT INTO jackpot_block ({", ".join(_OF_BLOCK)})
    VALUES ({", ".join(["%s"] * len(_OF_BLOCK))})
"""  # noqa: S608 - of constants
_HEADS = """
    UPDATE jackpot_head AS head
    SET seq = moved.seq, transfer_number = moved.transfer_number, hit_number = moved.hit_number,
        terms_number = moved.terms_number, block_number = moved.block_number,
        block_hash = moved.block_hash
    FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[],
                %s::bigint[], %s::bigint[], %s::bigint[], %s::bytea[])
         AS moved (system_id, before, epoch, seq, transfer_number, hit_number, terms_number,
                   block_number, block_hash)
    WHERE (head.system_id, head.seq, head.epoch) = (moved.system_id, moved.before, moved.epoch)
    RETURNING head.system_id
"""


class FencedOff(Exception):
    """This writer's lease is over: nothing of the batch may be kept."""


class Row(msgspec.Struct):
    """An entry as it will be written; `outcome` is set by the fold."""

    seq: int
    at: dt.datetime
    kind: str
    type: str
    body_hash: bytes
    table: str | None = None
    boot: int | None = None
    event_seq: int | None = None
    event_id: int | None = None
    command: int | None = None
    round: int | None = None
    body: Any = None
    outcome: Outcome | None = None

    @property
    def label(self) -> str:
        """As people find it."""
        if self.command is not None:
            return f"{self.type} (command {self.command})"
        if self.event_seq is None:
            return f"{self.type} ({self.table or 'console'})"
        return f"{self.type} ({self.table}, boot {self.boot}, seq {self.event_seq})"

    @property
    def hit(self) -> int | None:
        return (self.outcome or {}).get("hit")

    def line(self) -> blocks.EntryLine:
        return blocks.EntryLine(
            self.seq,
            blocks.instant(self.at),
            self.kind,
            self.type,
            self.table,
            self.boot,
            self.event_seq,
            self.command,
            self.round,
            self.hit,
            self.body_hash.hex(),
            self.body,
            self.outcome,
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """What one system's batch has to write: the head before it, the folded books, its rows.

    `version`: under which its rows were folded.
    """

    head: models.Head
    loaded: Loaded
    rows: Sequence[Row]
    at: dt.datetime
    version: Version

    @property
    def system_id(self) -> int:
        return self.head.system_id

    @property
    def books(self) -> Books:
        return self.loaded.books


def write(batches: Sequence[Batch]) -> None:
    """Write each system's batch and move its head behind it; all of it, or FencedOff."""
    for batch in batches:
        open_tiers(batch.system_id, batch.loaded)
        _terms(batch)
    _entries(batches)
    ledger.post([(b.system_id, b.books, b.loaded.accounts) for b in batches])
    write_tiers([batch.loaded for batch in batches])
    _rounds(batches)
    _sessions(batches)
    for batch in batches:
        _hits(batch)
    _seal(batches)
    for batch in batches:
        batch.loaded.at, batch.loaded.version = batch.at, batch.version


def _terms(batch: Batch) -> None:
    books, before = batch.books, batch.head.terms_number
    if books.terms_number == before:
        return
    # An entry names the last version that it made: a table that leaves makes one of each jackpot.
    versions = [
        (row.outcome["terms"], row.seq)
        for row in batch.rows
        if row.outcome and "terms" in row.outcome
    ]
    models.Terms.objects.bulk_create(
        models.Terms(
            system_id=batch.system_id,
            number=number,
            jackpot=books.terms[number].code,
            document=to_json(books.terms[number]),
            effective_seq=next(seq for last, seq in versions if last >= number),
        )
        for number in range(before + 1, books.terms_number + 1)
    )


def _entries(batches: Sequence[Batch]) -> None:
    lines = []
    for batch in batches:
        system_id, tables = batch.system_id, batch.loaded.table_ids
        for row in batch.rows:
            table = tables[row.table] if row.table is not None else None
            lines.append(
                f"{system_id}\t{row.seq}\t{blocks.instant(row.at)}\t{row.kind}\t{row.type}\t"
                f"{null(table)}\t{null(row.boot)}\t{null(row.event_seq)}\t"
                f"{null(row.event_id)}\t{null(row.command)}\t{null(row.round)}\t"
                f"{null(row.hit)}\t\\\\x{row.body_hash.hex()}\t"
                f"{_json(row.body)}\t{_json(row.outcome)}\n"
            )
    _ENTRIES.write(lines)


def _json(value: Any) -> str:
    """JSON as it stands in a line of COPY; the empty object of a plain round at once."""
    if value is None:
        return "\\N"
    return json.dumps(value).replace("\\", "\\\\") if value else "{}"


def _rounds(batches: Sequence[Batch]) -> None:
    """Rounds that are new are copied; of those that are stored already, what may change."""
    new: list[str] = []
    changed: list[tuple[int | str | None, ...]] = []
    for batch in batches:
        _rounds_of(batch, new, changed)
    if new:
        _NEW_ROUNDS.write(new)
    if changed:
        with prepared_cursor() as cursor:
            cursor.execute(_ROUNDS, columns(changed))


def _rounds_of(batch: Batch, new: list[str], changed: list[tuple[int | str | None, ...]]) -> None:
    system_id, books, loaded = batch.system_id, batch.books, batch.loaded
    newest = loaded.newest_rounds
    for key in sorted(books.dirty_rounds):
        r, table_id = books.rounds[key], loaded.table_ids[key[0]]
        number = key[1]
        if key in loaded.stored_rounds:
            # A hand that is entered says the game of a round that was not pressed.
            play = (r.game, r.deck, r.dealt)
            rest = (r.started, r.completed, r.void, r.pot, r.hit, r.cancelled)
            figures = (r.priced, r.uncalled, r.commission, r.taken, r.differs)
            pace = (r.pace, r.accepted, r.flop, r.counted)
            changed.append((system_id, table_id, number, *play, *rest, *figures, *pace))
            continue
        new.append(
            f"{system_id}\t{table_id}\t{number}\t{r.terms}\t{null(r.game)}\t{null(r.deck)}\t"
            f"{null(r.dealt)}\t{null(r.started)}\t{null(r.completed)}\t{null(r.void)}\t"
            f"{null(r.pot)}\t{null(r.hit)}\t{null(r.cancelled)}\t{null(r.priced)}\t"
            f"{null(r.uncalled)}\t{null(r.commission)}\t{null(r.taken)}\t"
            f"{'t' if r.awaits else 'f'}\t{null(r.differs)}\t{null(r.pace)}\t{null(r.accepted)}\t"
            f"{text(r.stakes)}\t{null(r.flop)}\t{null(r.counted)}\n"
        )
        if number > newest.get(key[0], 0):
            newest[key[0]] = number
    loaded.stored_rounds |= books.dirty_rounds


def _sessions(batches: Sequence[Batch]) -> None:
    states = [
        models.TableState(
            table_id=batch.loaded.table_ids[table],
            session=books.sessions[table],
            boot=boot,
            seq=seq,
            presses=msgspec.to_builtins(books.presses.get(table)),
        )
        for batch in batches
        for books in [batch.books]
        for table in sorted(books.dirty_sessions)
        for boot, seq in [books.session_at.get(table, (None, None))]
    ]
    if states:
        models.TableState.objects.bulk_create(
            states,
            update_conflicts=True,
            unique_fields=["table"],
            update_fields=["session", "boot", "seq", "presses"],
        )


def _time(head: models.Head, place: int, at: dt.datetime) -> dt.datetime:
    """A further claim of a hand may be opened by a later entry than the one at its place."""
    if place > head.seq:
        return at
    entry = models.Entry.objects.get(system=head.system_id, seq=place)
    return entry.at


def _counters(totals: Mapping[str, ContributionTotals]) -> dict[str, list[int]]:
    """As the column has them: of each tier pool, reserve, overflow."""
    return {tier: [fed.pool, fed.reserve, fed.overflow] for tier, fed in totals.items()}


def _hits(batch: Batch) -> None:
    head, loaded = batch.head, batch.loaded
    books, tables = loaded.books, loaded.table_ids
    for number in sorted(books.dirty_hits):
        hit = books.hits[number]
        changing = {
            "acts_at": hit.acts_at,
            "moved_fed": None if hit.moved_fed is None else _counters(hit.moved_fed),
            "tier_id": loaded.tiers[hit.tier] if hit.tier is not None else None,
            "state": hit.state,
            "held": hit.held,
            "confirmed": hit.confirmed,
            **{f"before_{name}": getattr(hit.before, name, None) for name in _BALANCES},
            "report": hit.report,
            "report_entry": hit.report_entry,
            "corrected": hit.corrected,
            "strength": hit.strength,
            "closing": hit.closing,
            "payees": hit.payees,
            "stops": hit.stops,
            "pairing": hit.pairing,
            "clock": msgspec.to_builtins(hit.clock),
            "round": hit.round,
        }
        first = {
            "at": partial(_time, head, hit.place, batch.at),
            "place": hit.place,
            "fed": _counters(hit.fed),
            "table_id": tables[hit.table],
            "terms": hit.terms,
            "values": hit.values,
            "shown": hit.shown,
            "shown_seq": hit.shown_seq,
            "called_seats": hit.called_seats,
        }
        models.Hit.objects.update_or_create(
            system_id=batch.system_id,
            number=number,
            defaults=changing,
            create_defaults={**changing, **first},
        )


def _seal(batches: Sequence[Batch]) -> None:
    """Write the blocks and move the heads; an old writer's epoch finds no head to move."""
    sealed = [_block(batch) for batch in batches]
    with prepared_cursor() as cursor:
        cursor.executemany(
            _BLOCK, [[getattr(block, name) for name in _OF_BLOCK] for block in sealed]
        )
    moved = []
    for batch, block in zip(batches, sealed, strict=True):
        head, books = batch.head, batch.books
        here = (head.pk, head.seq, head.epoch)
        head.seq, head.transfer_number = books.seq, books.transfer_number
        head.hit_number, head.terms_number = books.hit_number, books.terms_number
        head.block_number, head.block_hash = block.number, block.hash
        counts = (head.seq, head.transfer_number, head.hit_number, head.terms_number)
        moved.append((*here, *counts, block.number, block.hash))
    with prepared_cursor() as cursor:
        cursor.execute(_HEADS, columns(moved))
        if len(cursor.fetchall()) != len(batches):
            systems = ", ".join(batch.books.system for batch in batches)
            raise FencedOff(f"another writer has taken over {systems}")


def _block(batch: Batch) -> models.Block:
    head, books, rows = batch.head, batch.books, batch.rows
    block = models.Block(
        system_id=head.system_id,
        number=head.block_number + 1,
        first_seq=rows[0].seq,
        last_seq=rows[-1].seq,
        first_transfer=head.transfer_number + 1,
        last_transfer=books.transfer_number,
        fold_version=batch.version[0],
        rules_version=batch.version[1],
        at=batch.at,
        previous=bytes(head.block_hash),
    )
    block.hash = blocks.block_hash(
        header_of(books.system, block),
        (row.line() for row in rows),
        books.transfers,
    )
    return block


def header_of(system: str, block: models.Block) -> blocks.Header:
    """A block's own columns as they are hashed."""
    return blocks.Header(
        system,
        block.number,
        block.first_seq,
        block.last_seq,
        block.first_transfer,
        block.last_transfer,
        block.fold_version,
        block.rules_version,
        blocks.instant(block.at),
        bytes(block.previous).hex(),
    )
