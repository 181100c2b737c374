"""Giving numbers: what waits becomes elements of the order, and cursors move behind them."""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from jackpot import models
from jackpot.domain.command_handlers.rounds import rounds_named
from jackpot.domain.state.blocks import body_hash, command_source, instant
from jackpot.domain.state.entries import AnyEntry, CommandEntry, EventEntry, FactEntry, SkippedEntry
from jackpot.storage.copying import columns
from jackpot.storage.loading import Plan
from jackpot.storage.writing import Row
from jackpot.terms.periods import Ended
from jackpot.writer.pending import Arrived, Dark, PendingInput, Queued
from jackpot.writer.sequence import HANDS, Release, Step, StreamKey, Take, plan
from jackpot.writer.skipped_entries import Skip
from tables.floor import boot_counter
from tables.floor.unit_clocks import clock_errors
from tables.models import GamingTable
from tables.process.prepared_statements import prepared_cursor
from tables.protocol.messages import event_decoder

# With the cursors go the notes of out-of-order events that have their place now.
_CURSORS = """
    WITH placed AS (
        DELETE FROM tables_straggler w
        WHERE w.system_id = ANY(%s::bigint[]) AND w.event_id <= %s
          AND (SELECT n.seq FROM jackpot_entry n WHERE n.event_id = w.event_id LIMIT 1) IS NOT NULL
    )
    INSERT INTO jackpot_cursor (system_id, table_id, boot, through)
    SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
    ON CONFLICT (system_id, table_id, boot) DO UPDATE SET through = excluded.through
"""
_ARRIVED = """
    UPDATE jackpot_gap SET arrived = arrived + came.events FROM (
        SELECT gap.id, count(*) AS events
        FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
             AS late (system_id, table_id, boot, seq)
        CROSS JOIN LATERAL (
            SELECT g.id, g.from_seq FROM jackpot_gap g
            WHERE g.system_id = late.system_id AND g.table_id = late.table_id
              AND g.boot = late.boot AND g.to_seq >= late.seq
            ORDER BY g.to_seq LIMIT 1
        ) gap
        WHERE gap.from_seq <= late.seq GROUP BY gap.id
    ) came
    WHERE jackpot_gap.id = came.id
"""

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
MICROSECOND = dt.timedelta(microseconds=1)

Fact = Ended | Dark
Source = Arrived | Queued | Release | Fact


class PendingEntry(msgspec.Struct):
    """An element of the order before it is folded: its row, and what it was made of."""

    row: Row
    source: Source
    how: str = "in order"
    passed: tuple[tuple[int, int], ...] = ()  # seqs before it that came without an event
    skip: Skip | None = None

    def entry(self) -> AnyEntry:
        """What the fold takes. An event is decoded only here: one that cannot be decoded any
        more halts its system by name, like any other fault of the fold."""
        row, source = self.row, self.source
        if self.skip is not None:
            return SkippedEntry(row.seq, row.at, row.kind, *self.skip, self.how)
        match source:
            case Arrived():
                event = event_decoder.decode(source.body)
                return EventEntry(row.seq, row.at, source.table, event, self.how, row.body)
            case Queued():
                command = (source.number, source.kind, source.body, source.first, source.second)
                return CommandEntry(row.seq, row.at, *command)
            case Release() | Ended() | Dark():
                return FactEntry(row.seq, row.at, row.type, row.body)


def number(
    after: int,
    pending_input: PendingInput,
    now: dt.datetime,
    gap_wait_s: float,
    limit: int,
    over: Sequence[Ended] = (),
) -> list[PendingEntry]:
    """About `limit` of what may be taken now, at least one, numbered from `after` + 1 on.

    Commands and events meet in the order in which the console got them, and so do the periods
    that are `over` and displays that were found dark: before what was received at that
    moment or later.
    """
    tables = {event.table_id: event.table for event in pending_input.events.values()}
    others = _by_time(sorted([*over, *pending_input.dark], key=_time_of), pending_input.commands)
    releases: list[Release] = []  # they go with the event that they let through
    pending_entries: list[PendingEntry] = []

    def add(source: Source) -> PendingEntry:
        pending_entries.append(
            PendingEntry(_row(after + len(pending_entries) + 1, now, source, tables), source)
        )
        return pending_entries[-1]

    def add_other() -> bool:
        """The next command or fact; whether the rest must wait, since new terms cut the periods."""
        source = others.popleft()
        add(source)
        is_new = isinstance(source, Queued) and source.kind == "put_terms"
        return is_new and any(isinstance(each, Ended) for each in others)

    for step in _steps(pending_input, gap_wait_s):
        if len(pending_entries) >= limit:
            break
        if isinstance(step, Release):
            releases.append(step)
            continue
        event = pending_input.events[step.candidate.arrival]
        while others and _time_of(others[0]) <= event.received_at:
            if add_other():
                return _whole(pending_entries, limit)
        while releases:
            add(releases.pop(0))
        pending = add(event)
        pending.how, pending.passed = step.how, step.passed
    while others and not pending_input.cut:
        if add_other():
            break
    return _whole(pending_entries, limit)


def _steps(pending_input: PendingInput, gap_wait_s: float) -> list[Step]:
    """What may be taken of the streams.

    What lies behind the end of a stream that was cut may have arrived before what other streams
    and commands have left: that waits for the next batch (19.14(b)).
    """
    steps = plan(pending_input.candidates(), pending_input.cursors, gap_wait_s)
    if pending_input.cut:
        last = {
            step.candidate.stream: place
            for place, step in enumerate(steps)
            if isinstance(step, Take)
        }
        # A stream of which nothing can be taken now holds back nobody.
        steps = steps[: min(last.get(stream, len(steps)) for stream in pending_input.cut) + 1]
    return steps


def _by_time(facts: Sequence[Fact], commands: Sequence[Queued]) -> deque[Fact | Queued]:
    """Both as they come: each in its own order, a fact before a later command."""
    left, sources = deque[Fact | Queued](facts), deque[Fact | Queued]()
    for command in commands:
        while left and _time_of(left[0]) <= _time_of(command):
            sources.append(left.popleft())
        sources.append(command)
    return sources + left


def _time_of(source: Fact | Queued) -> float:
    match source:
        case Ended():
            return source.ends.timestamp()
        case Dark():
            return source.until.timestamp()
        case Queued():
            return source.issued_at.timestamp()


def _whole(pending_entries: list[PendingEntry], limit: int) -> list[PendingEntry]:
    """The first `limit`, and behind a release the event that it lets through."""
    while limit < len(pending_entries) and isinstance(pending_entries[limit - 1].source, Release):
        limit += 1
    return pending_entries[:limit]


def ends(pending_entries: Sequence[PendingEntry]) -> list[int]:
    """Where a batch may end: a gap is released only with the event that it held back."""
    return [
        place
        for place, pending in enumerate(pending_entries, 1)
        if not isinstance(pending.source, Release)
    ]


def _row(seq: int, now: dt.datetime, source: Source, tables: dict[int, str]) -> Row:
    match source:
        case Arrived():
            return Row(
                seq,
                now,
                "event",
                source.type,
                body_hash(source.body),
                table=source.table,
                boot=source.boot,
                event_seq=source.seq,
                event_id=source.id,
                round=source.round,
            )
        case Queued():
            digest = body_hash(
                command_source(source.kind, source.body, source.first, source.second, source.basis)
            )
            return Row(seq, now, "command", source.kind, digest, command=source.number)
        case Ended():
            fact_body = {"tier": source.tier, "ends": instant(source.ends)}
            return Row(seq, now, "fact", "period_closed", body_hash(fact_body), body=fact_body)
        case Dark():
            since, until = instant(source.since), instant(source.until)
            fact_body = {"table": source.table, "since": since, "until": until}
            digest = body_hash(fact_body)
            return Row(seq, now, "fact", "display_dark", digest, table=source.table, body=fact_body)
        case Release():
            table_id, boot = source.stream
            body = {"boot": boot, "from_seq": source.from_seq, "to_seq": source.to_seq}
            return Row(
                seq,
                now,
                "fact",
                "gap_released",
                body_hash(body),
                table=tables[table_id],
                boot=boot,
                body=body,
            )


def measure_clocks(system_id: int, pending_entries: list[PendingEntry]) -> None:
    """Put beside each hand how far its unit's clock was off, by what is in the inbox now."""
    hands = {
        (source.table_id, source.boot, source.seq): pending.row
        for pending in pending_entries
        if isinstance(source := pending.source, Arrived) and source.type in HANDS
    }
    if not hands:
        return
    for key, error in clock_errors(system_id, hands).items():
        hands[key].body = {
            "clock": {
                "at_us": (error.corrected - EPOCH) // MICROSECOND,
                "behind_us": error.behind // MICROSECOND,
                "margin_us": error.spread // MICROSECOND,
                "events": error.events,
            }
        }


def needed_by(pending_entries: list[PendingEntry], table_ids: Mapping[str, int]) -> Plan:
    """What must be loaded to fold these; `table_ids` by code."""
    needed = Plan(with_hits=False)
    for pending in pending_entries:
        source = pending.source
        if isinstance(source, Arrived):
            if source.round is not None:
                needed.rounds.add((source.table_id, source.round))
            if source.type in HANDS:
                needed.with_hits = True
        elif isinstance(source, Ended):
            needed.with_hits = True
        elif isinstance(source, Queued):
            needed.with_hits = True
            match source.body:
                case {"hit": int() as hit} if 0 < hit < 2**63:
                    needed.hits.add(hit)
            needed.rounds |= {
                (table_ids[table], number)
                for table, number in rounds_named(source.body)
                if table in table_ids
            }
    return needed


def move_cursors(entries: Mapping[int, Sequence[PendingEntry]]) -> None:
    """Move each stream behind what was taken of it in these batches, by system."""
    through: dict[tuple[int, int, int], int] = {}
    holes: list[models.Gap] = []
    late: list[tuple[int, int, int, int]] = []
    newest = 0
    for system_id, pending_entries in entries.items():
        for pending in pending_entries:
            match pending.source:
                case Release() as release:
                    hole = (release.from_seq, release.to_seq)
                    holes.append(_gap(system_id, release.stream, hole, pending))
                case Arrived() as event:
                    newest = max(newest, event.id)
                    stream = (event.table_id, event.boot)
                    if pending.how == "in order":
                        through[system_id, *stream] = event.seq
                        holes += [_gap(system_id, stream, hole, pending) for hole in pending.passed]
                    elif pending.how == "late":
                        late.append((system_id, *stream, event.seq))
    models.Gap.objects.bulk_create(holes)
    with prepared_cursor() as cursor:
        if newest:
            moved = columns([(*key, seq) for key, seq in through.items()])
            cursor.execute(_CURSORS, [list(entries), newest, *(moved or [[]] * 4)])
        if late:
            cursor.execute(_ARRIVED, columns(late))
    for system_id, pending_entries in entries.items():
        _settle_the_rest(system_id, pending_entries)


def _gap(
    system_id: int, stream: StreamKey, hole: tuple[int, int], pending: PendingEntry
) -> models.Gap:
    (table_id, boot), (from_seq, to_seq) = stream, hole
    return models.Gap(
        system_id=system_id,
        table_id=table_id,
        boot=boot,
        from_seq=from_seq,
        to_seq=to_seq,
        entry_seq=pending.row.seq,
    )


def _settle_the_rest(system_id: int, pending_entries: Sequence[PendingEntry]) -> None:
    """Calls of dark displays, boot counters that were set right, and the queue of commands."""
    newest = None
    for pending in pending_entries:
        match pending.source:
            case Dark() as dark:
                models.DarkCall.objects.filter(pk=dark.id).update(entry=pending.row.seq)
            case Queued() as queued:
                newest = queued.number
                if queued.kind == "reset_boots" and "refused" not in (pending.row.outcome or {}):
                    _reset_boots(system_id, queued.body)
    if newest is not None:
        models.CommandQueue.objects.filter(system_id=system_id).update(taken=newest)


def _reset_boots(system_id: int, body: dict[str, Any]) -> None:
    table = GamingTable.objects.filter(system=system_id, code=body["table"]).first()
    if table is not None:
        boot_counter.reset(system_id, table.pk, body["boot"])
