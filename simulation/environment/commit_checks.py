"""What is watched while the world runs, on a connection of its own that sees commits only."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import psycopg

from tables.protocol import topics
from tables.protocol.inbound_message import InboundMessage

StreamKey = tuple[int, int]  # table id, boot

_HELD = """
    SELECT seq, seq FROM tables_tableevent
    WHERE system_id = (SELECT system_id FROM tables_gamingtable WHERE id = %(table)s)
      AND table_id = %(table)s AND boot = %(boot)s
      AND seq > %(after)s
    UNION ALL
    SELECT seq, seq FROM tables_quarantine WHERE table_id = %(table)s AND boot = %(boot)s
      AND seq > %(after)s AND reason NOT IN ('wrong_mac', 'implausible_boot')
    UNION ALL
    SELECT from_seq, to_seq FROM tables_closedgap WHERE table_id = %(table)s AND boot = %(boot)s
      AND to_seq > %(after)s
"""
_STREAMS = "SELECT table_id, boot, committed_seq FROM tables_stream"
_HEADS = "SELECT system_id, seq, block_number, epoch, writer FROM jackpot_head"
_OUTBOX = "SELECT id, topic, payload FROM tables_outboxmessage"
_NOTES = """
    SELECT n.id, s.code, t.code, n.boot, n.seq, e.body FROM tables_repeatedevent n
    JOIN tables_gamingtable t ON t.id = n.table_id JOIN tables_jackpotsystem s ON s.id = n.system_id
    JOIN tables_tableevent e ON (e.system_id, e.table_id, e.boot, e.seq)
                              = (n.system_id, n.table_id, n.boot, n.seq)
    WHERE n.id > %s ORDER BY n.id
"""
# An intake may commit events whose ids lie below those of another that was faster.
_RECORDED = "SELECT id FROM tables_tableevent WHERE id > %s - 2000"


class Finding(BaseException):
    """Something that must never happen, happened; no handler of the product may stop it."""


class Checks:
    """Receipts against the database, acknowledgements against it, and what may only rise."""

    def __init__(self, url: str, times_said: Callable[[str, bytes], int]) -> None:
        """`times_said`: how often the broker passed on a body under a topic."""
        self._url = url
        self._times_said = times_said
        self._moment = 0  # counts beginnings of steps and commits
        self._connection: psycopg.Connection | None = None
        self.findings: list[str] = []
        self.begin_era()

    def begin_era(self) -> None:
        """A restored database: what receipts said before counts no more."""
        self.committed_seqs: dict[tuple[str, str, int], int] = {}  # by system, table, boot
        self._reached: dict[StreamKey, int] = {}
        self._watermarks: dict[StreamKey, int] = {}
        self._heads: dict[int, tuple[int, ...]] = {}
        self._outbox: dict[int, tuple[str, bytes]] = {}
        self._arrived: set[tuple[str, bytes]] = set()
        self._tables: dict[tuple[str, str], int] = {}
        self._noted = 0
        self._step_starts: dict[str, int] = {}  # by process, the moment at which its step began
        # By the id of an event between which moments it was taken in.
        self.taken_in: dict[int, tuple[int, int]] = {}

    def look_at(self, url: str) -> None:
        """Another database from now on."""
        self.close()
        self._url = url
        self.begin_era()

    def close(self) -> None:
        """Let go of the database, so that it can be copied or dropped."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    # --- called at the points ---------------------------------------------------------------

    def begin_step(self, who: str) -> None:
        """A process begins a step: what it takes in is there by now."""
        self._moment += 1
        self._step_starts[who] = self._moment

    def published(self, who: str, topic: str, payload: bytes) -> None:
        """A receipt leaves: it must not be ahead of what is committed."""
        parts = topic.split("/")
        if parts[-1] != "receipts":
            return
        receipt = json.loads(payload)
        table = self._table(parts[2], parts[3])
        if table is None or receipt["boot"] == 0:
            return
        key = table, receipt["boot"]
        committed = receipt["committed_seq"]
        if committed > self._held(key, committed):
            self._report(
                f"{who} tells {parts[2]}/{parts[3]} that boot {key[1]} is held up to {committed};"
                f" the database holds it up to {self._reached[key]}"
            )
        stream = parts[2], parts[3], key[1]
        self.committed_seqs[stream] = max(committed, self.committed_seqs.get(stream, 0))
        for result in receipt["results"]:
            self._result(who, key, result)

    def acknowledged(self, who: str, message: InboundMessage) -> None:
        """The broker is asked to forget an event: it must be in the database."""
        parts = message.topic.split("/")
        if parts[-1] != "events":
            return
        table = self._table(parts[2], parts[3])
        identity = _identity(message.body)
        if table is None or identity is None:
            return
        key, seq = (table, identity[0]), identity[1]
        if seq > self._held(key, seq) and not self._is_there(key, seq):
            self._report(
                f"{who} acknowledges event {identity[0]}/{seq} of {parts[2]}/{parts[3]}, which is"
                " not in the database"
            )

    def arrived(self, topic: str, payload: bytes) -> None:
        """The console hears from the broker that it has a message."""
        self._arrived.add((topic, payload))

    def committed(self, who: str) -> None:
        """After a commit: watermarks, orders and epochs only rise, only the writer moves a head,
        and no message has left the outbox that the broker does not have.
        """
        for table, boot, committed in self._rows(_STREAMS):
            before = self._watermarks.get((table, boot), 0)
            if committed < before:
                self._report(
                    f"{who} let the watermark of table {table}, boot {boot} fall from {before}"
                    f" to {committed}"
                )
            self._watermarks[table, boot] = committed
        for system, *now, writer in self._rows(_HEADS):
            earlier = self._heads.get(system, (0, 0, 0))
            if any(value < was for value, was in zip(now, earlier, strict=True)):
                self._report(f"{who} let the head of system {system} fall: {earlier} to {now}")
            is_known = system in self._heads  # as it was before this commit
            if is_known and now[0] > earlier[0] and not writer.startswith(f"{who}-"):
                self._report(f"{who} moved the head of system {system}, which is {writer}'s")
            self._heads[system] = tuple(now)
        self._moment += 1
        newest = max(self.taken_in, default=0)
        for (id_,) in self._rows(_RECORDED, [newest]):
            self.taken_in.setdefault(id_, (self._step_starts.get(who, 0), self._moment))
        for id_, system, table, boot, seq, body in self._rows(_NOTES, [self._noted]):
            self._noted = id_
            if self._times_said(topics.events(system, table), bytes(body)) < 2:
                self._report(
                    f"{who} notes that {system}/{table} said {boot}/{seq} again: it did once"
                )
        waiting = {id_: (topic, bytes(payload)) for id_, topic, payload in self._rows(_OUTBOX)}
        for id_ in self._outbox.keys() - waiting.keys():
            if self._outbox[id_] not in self._arrived:
                topic, payload = self._outbox[id_]
                self._report(f"a message to {topic} left the outbox before it arrived: {payload!r}")
        self._outbox = waiting

    # --- what the database holds ------------------------------------------------------------

    def _result(self, who: str, key: StreamKey, result: dict[str, Any]) -> None:
        seq, outcome = result["seq"], result["outcome"]
        if outcome == "sequenced":
            rows = self._rows(
                "SELECT seq FROM jackpot_entry WHERE table_id = %s AND boot = %s"
                " AND event_seq = %s",
                [*key, seq],
            )
            if [row[0] for row in rows] != [result["system_seq"]]:
                self._report(f"{who} gives {key}/{seq} number {result['system_seq']}: {rows}")
        elif seq > self._held(key, seq) and not self._is_there(key, seq):
            self._report(f"{who} says {outcome} of {key}/{seq}, which is not in the database")

    def _held(self, key: StreamKey, seq: int) -> int:
        """How far a stream is held without a gap; asked only as far as anybody needs it."""
        reached = self._reached.get(key, 0)
        if reached < seq:
            names = {"table": key[0], "boot": key[1], "after": reached}
            for from_seq, to_seq in sorted(self._rows(_HELD, names)):
                if from_seq > reached + 1:
                    break
                reached = max(reached, to_seq)
            self._reached[key] = reached
        return reached

    def _is_there(self, key: StreamKey, seq: int) -> bool:
        names = {"table": key[0], "boot": key[1], "after": seq - 1}
        query = _HELD.replace(" AND reason NOT IN ('wrong_mac', 'implausible_boot')", "")
        return any(from_seq <= seq <= to_seq for from_seq, to_seq in self._rows(query, names))

    def _table(self, system: str, table: str) -> int | None:
        if (system, table) not in self._tables:  # also one that came from another system
            for code, name, id_ in self._rows(
                "SELECT s.code, t.code, t.id FROM tables_gamingtable t"
                " JOIN tables_jackpotsystem s ON s.id = t.system_id"
            ):
                self._tables[code, name] = id_
        return self._tables.get((system, table))

    def _rows(self, query: str, values: Any = None) -> list[tuple[Any, ...]]:
        if self._connection is None:
            self._connection = psycopg.connect(self._url, autocommit=True)
        return self._connection.execute(query, values).fetchall()

    def _report(self, what: str) -> None:
        self.findings.append(what)
        raise Finding(what)


def _identity(body: bytes) -> tuple[int, int] | None:
    """Boot and seq of an event as sent, where both can be read."""
    try:
        fields = json.loads(body.partition(b"\n")[0])
        boot, seq = fields["boot"], fields["seq"]
    except (ValueError, TypeError, KeyError):
        return None
    return (boot, seq) if type(boot) is int and type(seq) is int else None
