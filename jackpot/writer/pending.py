"""What waits for a place in a system's order: events of the inbox and queued commands."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import ceil, sqrt
from typing import Any, NamedTuple

import msgspec
import psycopg
from django.utils import timezone

from jackpot.storage.copying import columns
from jackpot.writer.sequence import HANDS, Candidate, Cursor, StreamKey
from tables.process.prepared_statements import prepared_cursor

# One statement for all systems of a poster, cheap enough for every batch and every idle moment.
# A system that halted has no news until two people skip what it halted on. A stream waits
# where an event without an entry lies behind its cursor: a seq at its end that is held without an
# event (quarantined) waits for the next one.
# The statement is the one look at what there is: what is read later is read only up to it. Else an
# event that came in between on one table would get a place before an earlier one of another table.
# Late is what the order has gone past. Only what intake noted as out of order can be: nobody looks
# through the gaps, which stay open for ever where nothing comes.
# It asks stream by stream, note by note, event by event: a planner that knows nothing of the tables
# yet would else read all events, or all entries, to look for a few.
_PENDING_WORK = """
    WITH posted AS (
        SELECT head.system_id FROM jackpot_head head
        WHERE head.system_id = ANY(%(systems)s::bigint[]) AND (head.halted_at IS NULL OR EXISTS (
            SELECT FROM jackpot_setaside aside WHERE aside.system_id = head.system_id
            AND (aside.event_id = head.halted_event OR aside.command = head.halted_command)))
    )
    SELECT 0, 'horizon', 0, 0,
           coalesce((SELECT e.id FROM tables_tableevent e ORDER BY e.id DESC LIMIT 1), 0), 0, false
    UNION ALL
    SELECT s.system_id, 'stream', s.table_id, s.boot, s.last_seq - c.through,
           s.committed_seq, s.committed_seq <= c.through
    FROM tables_stream s
    CROSS JOIN LATERAL (
        SELECT coalesce(max(c.through), 0) AS through FROM jackpot_cursor c
        WHERE (c.system_id, c.table_id, c.boot) = (s.system_id, s.table_id, s.boot)
    ) c
    WHERE s.system_id IN (TABLE posted) AND NOT s.settled AND s.last_seq > c.through
      AND (SELECT e.seq FROM tables_tableevent e
           WHERE e.system_id = s.system_id AND e.table_id = s.table_id AND e.boot = s.boot
             AND e.seq > c.through
             AND (e.type <> ALL(%(hands)s)
                  OR (SELECT n.seq FROM jackpot_entry n WHERE n.event_id = e.id LIMIT 1) IS NULL)
           ORDER BY e.seq LIMIT 1) IS NOT NULL
    UNION ALL
    SELECT q.system_id, 'commands', 0, 0, q.last_number, 0, false FROM jackpot_commandqueue q
    WHERE q.system_id IN (TABLE posted) AND q.last_number > q.taken
    UNION ALL
    SELECT p.system_id, 'late', 0, 0, 1, 0, false FROM posted p
    CROSS JOIN LATERAL (
        SELECT FROM (
            SELECT system_id, table_id, boot, min(seq) AS seq FROM tables_straggler
            WHERE system_id = p.system_id GROUP BY system_id, table_id, boot
        ) w
        WHERE w.seq <= (
            SELECT c.through FROM jackpot_cursor c
            WHERE (c.system_id, c.table_id, c.boot) = (w.system_id, w.table_id, w.boot))
        LIMIT 1
    ) late
    UNION ALL
    SELECT t.system_id, 'periods', 0, 0, count(*), 0, false FROM jackpot_periodcall call
    JOIN jackpot_tier t ON t.id = call.tier_id
    WHERE t.system_id IN (TABLE posted) AND call.ends > t.period_from
    GROUP BY t.system_id
    UNION ALL
    SELECT g.system_id, 'dark', 0, 0, max(dark.id), 0, false FROM jackpot_darkcall dark
    JOIN tables_gamingtable g ON g.id = dark.table_id
    WHERE g.system_id IN (TABLE posted) AND dark.entry IS NULL
    GROUP BY g.system_id
    UNION ALL
    SELECT s.id, 'repeated', 0, 0, 1, 0, false FROM tables_jackpotsystem s
    WHERE s.id = ANY(%(systems)s::bigint[])
      AND EXISTS (SELECT FROM tables_repeatedevent again WHERE again.system_id = s.id)
    ORDER BY 1, 2, 3, 4
"""
# Rows that the intake holds just now are those to which something comes: they are left as they are.
_SETTLE = """
    UPDATE tables_stream AS stream SET settled = true FROM (
        SELECT s.id FROM tables_stream s
        WHERE s.system_id = ANY(%(systems)s::bigint[]) AND NOT s.settled
          AND s.committed_seq = s.last_seq
          AND s.last_seq = coalesce((
              SELECT c.through FROM jackpot_cursor c
              WHERE (c.system_id, c.table_id, c.boot) = (s.system_id, s.table_id, s.boot)), 0)
          AND (s.discarded OR s.boot < (
              SELECT max(n.boot) FROM tables_stream n
              WHERE n.system_id = s.system_id AND n.table_id = s.table_id AND NOT n.discarded))
        FOR UPDATE SKIP LOCKED
    ) AS past WHERE stream.id = past.id
"""
# Of each stream the next ones, whatever their order of arrival: a limit over all streams would
# cut an event that came late out of its stream, and the cursor would pass it over.
# The watermark is that of the look, which is older than the events: were it newer, an event that
# was committed in between would be passed over for ever. An event with a small id that was
# committed only after the look is read like any other: what bounds a stream is its cursor.
# Beyond the cursor only hands can have an entry: those that were taken ahead of a gap.
# The horizon leaves something out, and is no way to find anything (`+ 0`): nearly all that was
# ever recorded lies below it, and a planner that knows little of the tables once read all that.
_EVENTS = """
    SELECT e.system_id, e.id, e.table_id, e.boot, e.seq, e.type, e.round,
           extract(epoch FROM e.received_at)::float8, e.body, coalesce(c.through, 0)
    FROM unnest(%(systems)s::bigint[], %(tables)s::bigint[], %(boots)s::bigint[],
                %(shares)s::bigint[], %(horizons)s::bigint[])
         AS wanted (system_id, table_id, boot, share, horizon)
    LEFT JOIN jackpot_cursor c
      ON (c.system_id, c.table_id, c.boot) = (wanted.system_id, wanted.table_id, wanted.boot)
    CROSS JOIN LATERAL (
        SELECT * FROM tables_tableevent e
        WHERE e.system_id = wanted.system_id AND e.table_id = wanted.table_id
          AND e.boot = wanted.boot
          AND e.seq > coalesce(c.through, 0) AND e.id + 0 <= wanted.horizon
          AND (e.type <> ALL(%(hands)s)
               OR (SELECT n.seq FROM jackpot_entry n WHERE n.event_id = e.id LIMIT 1) IS NULL)
        ORDER BY e.seq LIMIT wanted.share
    ) e
"""
# What has its place already has no note any more; a writer of an older version left it there.
_LATE = """
    SELECT e.system_id, e.id, e.table_id, e.boot, e.seq, e.type, e.round,
           extract(epoch FROM e.received_at)::float8, e.body, late.through
    FROM (
        SELECT w.event_id, c.through FROM tables_straggler w
        JOIN jackpot_cursor c
          ON (c.system_id, c.table_id, c.boot) = (w.system_id, w.table_id, w.boot)
        WHERE w.system_id = %(system)s AND w.event_id <= %(horizon)s AND w.seq <= c.through
          AND (SELECT n.seq FROM jackpot_entry n WHERE n.event_id = w.event_id LIMIT 1) IS NULL
        ORDER BY w.event_id LIMIT %(limit)s
    ) late
    CROSS JOIN LATERAL (SELECT * FROM tables_tableevent e WHERE e.id = late.event_id LIMIT 1) e
    ORDER BY e.id
"""
_AHEAD = """
    SELECT n.system_id, n.table_id, n.boot, n.event_seq
    FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
         AS stream (system_id, table_id, boot, through)
    JOIN jackpot_entry n ON n.system_id = stream.system_id AND n.table_id = stream.table_id
      AND n.boot = stream.boot AND n.event_seq > stream.through
      AND n.type IN ('hand_called', 'hand_reported')
"""
_COMMANDS = """
    SELECT c.number, c.kind, c.body, c.first, c.second, c.issued_at, c.basis
    FROM jackpot_command c JOIN jackpot_commandqueue q ON q.system_id = c.system_id
    WHERE c.system_id = %(system)s AND c.number > q.taken AND c.number <= %(commands)s
    ORDER BY c.number LIMIT %(limit)s
"""
_COLUMNS = ("systems", "tables", "boots", "shares", "horizons")
_HANDS = {"hands": list(HANDS)}
_DARK = """
    SELECT dark.id, g.code, dark.since, dark.until
    FROM jackpot_darkcall dark JOIN tables_gamingtable g ON g.id = dark.table_id
    WHERE g.system_id = %(system)s AND dark.entry IS NULL AND dark.id <= %(dark)s
    ORDER BY dark.until, dark.id
"""


class Unread(NamedTuple):
    """What waits of a stream: how many at most, and how far intake holds it without a gap."""

    most: int
    committed: int
    is_behind_gap: bool  # the next is missing


@dataclass(slots=True)
class PendingWork:
    """What waits on a system at one moment, before it is read."""

    streams: dict[StreamKey, Unread] = field(default_factory=dict)
    commands: int = 0  # the newest of the queue
    late: int = 0  # whether something came that the order went past
    periods: int = 0  # high hands of which a period is over
    dark: int = 0  # the newest call that a display is dark
    repeated: bool = False  # whether a unit sent something once more
    horizon: int = field(default=0, compare=False)  # the newest event of the inbox

    @property
    def waits(self) -> bool:
        """Whether something waits for a place."""
        return bool(self.streams or self.commands or self.late or self.periods or self.dark)

    @property
    def has_events_alone(self) -> bool:
        """Whether nothing waits but the next events of streams."""
        return not (self.commands or self.late or self.periods or self.dark)

    def size(self, limit: int) -> int:
        """How many events wait at most, no stream counted for more than `limit`."""
        return sum(min(unread.most, limit) for unread in self.streams.values())

    def shares(self, limit: int) -> dict[StreamKey, int]:
        """How much of each stream is read, so that together they make up about `limit`.

        A stream's share is its part of what waits, and some more: the order across streams can
        be taken only as far as every stream was read. Behind a gap any number of rounds may lie
        before a hand, which is not held (19.14(b)).
        """
        # A counter that jumped says little of how much there is: no stream counts for more.
        counts = {key: min(unread.most, limit) for key, unread in self.streams.items()}
        all_ = max(sum(counts.values()), limit)
        shares = {}
        for key, count in counts.items():
            part = limit * count / all_
            is_behind_gap = self.streams[key].is_behind_gap
            shares[key] = limit if is_behind_gap else min(limit, ceil(part + 2 * sqrt(part)) + 4)
        return shares


class Arrived(msgspec.Struct, frozen=True):
    """An event of the inbox as it was recorded."""

    id: int
    table_id: int
    table: str
    boot: int
    seq: int
    type: str
    round: int | None
    received_at: float  # seconds since 1970: times take long to read
    body: bytes


@dataclass(frozen=True, slots=True)
class Queued:
    """A command that no entry carries yet."""

    number: int
    kind: str
    body: dict[str, Any]
    first: str
    second: str | None
    issued_at: dt.datetime
    basis: bytes | None = None


@dataclass(frozen=True, slots=True)
class Dark:
    """A call that a table's display was dark that long; no entry carries it yet."""

    id: int
    table: str
    since: dt.datetime
    until: dt.datetime


@dataclass(slots=True)
class PendingInput:
    """Everything that waits, with the cursors of the streams it came on."""

    events: dict[int, Arrived] = field(default_factory=dict)  # by id
    cursors: dict[StreamKey, Cursor] = field(default_factory=dict)
    commands: list[Queued] = field(default_factory=list)
    cut: set[StreamKey] = field(default_factory=set)  # streams of which more waits than was read
    dark: list[Dark] = field(default_factory=list)

    def cut_at(self, shares: Mapping[StreamKey, int], limit: int) -> set[StreamKey]:
        """The streams of which as much was read as was asked for: there may be more."""
        read = Counter((event.table_id, event.boot) for event in self.events.values())
        return {key for key, count in read.items() if count >= shares.get(key, limit)}

    def streams_with_holes(self) -> list[StreamKey]:
        """The streams of which other seqs were read than the next ones behind their cursors."""
        count, last = Counter[StreamKey](), {key: at.through for key, at in self.cursors.items()}
        for event in self.events.values():
            key = event.table_id, event.boot
            if event.seq > self.cursors[key].through:  # what came late lies before
                count[key] += 1
                last[key] = max(event.seq, last[key])
        return [key for key, at in self.cursors.items() if last[key] - at.through != count[key]]

    def candidates(self) -> list[Candidate]:
        # By the clock itself, not by the order's time, which stands still while a clock that was
        # set back catches up: as long from now on says as much.
        instant = timezone.now().timestamp()
        return [
            Candidate(
                *(event.id, (event.table_id, event.boot), event.seq, event.type),
                abs(instant - event.received_at),
            )
            for event in self.events.values()
        ]


def pending_work(system_ids: Collection[int]) -> dict[int, PendingWork]:
    """What waits on these systems, by system; those where nothing waits are left out."""
    horizon = 0
    work_by_system: dict[int, PendingWork] = defaultdict(lambda: PendingWork(horizon=horizon))
    with prepared_cursor() as cursor:
        cursor.execute(_PENDING_WORK, {"systems": list(system_ids), "hands": list(HANDS)})
        for system_id, what, table_id, boot, count, committed, is_behind_gap in cursor.fetchall():
            if what == "horizon":  # before all systems
                horizon = count
            elif what == "stream":
                unread = Unread(count, committed, is_behind_gap)
                work_by_system[system_id].streams[table_id, boot] = unread
            elif what == "commands":
                work_by_system[system_id].commands = count
            elif what == "late":
                work_by_system[system_id].late = count
            elif what == "periods":
                work_by_system[system_id].periods = count
            elif what == "dark":
                work_by_system[system_id].dark = count
            else:
                work_by_system[system_id].repeated = True
    return dict(work_by_system)


def settle(system_ids: Collection[int]) -> int:
    """Leave boots of the past, of which all has its place, out of later looks; how many.

    Units begin a boot with every start, so there are more of them every day.
    """
    with prepared_cursor() as cursor:
        cursor.execute(_SETTLE, {"systems": list(system_ids)})
        return cursor.rowcount


Work = Mapping[
    int, tuple[PendingWork, Mapping[int, str]]
]  # what was said, and codes of tables by id


def waiting(work_by_system: Work, limit: int) -> dict[int, PendingInput]:
    """What waits for a place, by system: about `limit` events of each, and commands.

    Nothing is read that was not there at the moment of what was said, so that the order of
    arrival is one across tables (with one intake). It does not age: nobody but the writer takes
    what waits, and another writer has another epoch.
    """
    inputs = {system_id: PendingInput() for system_id in work_by_system}
    shares = {system_id: work.shares(limit) for system_id, (work, _) in work_by_system.items()}
    rows = [
        (system_id, *stream, share, work_by_system[system_id][0].horizon)
        for system_id, of_streams in shares.items()
        for stream, share in of_streams.items()
    ]
    with prepared_cursor() as cursor:
        if rows:
            cursor.execute(_EVENTS, dict(zip(_COLUMNS, columns(rows), strict=True)) | _HANDS)
            _take(work_by_system, inputs, cursor.fetchall())
        for system_id, (work, _) in work_by_system.items():
            into = inputs[system_id]
            names = {"system": system_id, "limit": limit, "horizon": work.horizon}
            if work.late:
                cursor.execute(_LATE, names)
                _take(work_by_system, inputs, cursor.fetchall())
            into.cut = into.cut_at(shares[system_id], limit)
            if work.commands:
                cursor.execute(_COMMANDS, names | {"commands": work.commands})
                # Django's cursor leaves jsonb as text for its own fields to read.
                into.commands = [
                    Queued(n, kind, json.loads(body), *rest) for n, kind, body, *rest in cursor
                ]
            if work.dark:
                cursor.execute(_DARK, names | {"dark": work.dark})
                into.dark = [Dark(*row) for row in cursor]
        _mark_taken_ahead(cursor, inputs)
    return inputs


def _take(
    work_by_system: Work, inputs: Mapping[int, PendingInput], rows: Iterable[tuple[Any, ...]]
) -> None:
    """Put events where they belong, with the cursors of their streams."""
    for system_id, id_, table_id, boot, seq, type_, round_, received_at, body, through in rows:
        (work, codes), into = work_by_system[system_id], inputs[system_id]
        into.events[id_] = Arrived(
            id_, table_id, codes[table_id], boot, seq, type_, round_, received_at, body
        )
        if (key := (table_id, boot)) not in into.cursors:
            unread = work.streams.get(key)
            into.cursors[key] = Cursor(through, unread.committed if unread else through)


def _mark_taken_ahead(
    cursor: psycopg.Cursor[tuple[Any, ...]], inputs: Mapping[int, PendingInput]
) -> None:
    """Hands beyond the cursors of their streams that have their place already: where something
    between the cursor and what was read was not read."""
    streams = [
        (system_id, *stream, into.cursors[stream].through)
        for system_id, into in inputs.items()
        for stream in into.streams_with_holes()
    ]
    if streams:
        cursor.execute(_AHEAD, columns(streams))
        for system_id, table_id, boot, seq in cursor.fetchall():
            inputs[system_id].cursors[table_id, boot].ahead.add(seq)
