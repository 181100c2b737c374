"""One unit of the load: its journal, its counters, what receipts say of its events.

The events are those of a real unit, made from the protocol's own message types once and
filled in afterwards; the journal has the form of `tables.unit.journal`, so that whoever reads a
unit's journal reads these too.
"""

import datetime as dt
import sqlite3
import time
from array import array
from pathlib import Path

from benchmarks.load.wire import topic_bytes
from tables.protocol import messages, topics
from tables.protocol.messages import Presence, Receipt, encoder
from tables.protocol.signature import signed
from tables.unit.journal import Journal

RECORDED, SEQUENCED = 1, 2
SEATS = [1, 2, 3, 4, 5, 6]
RESENT_AT_ONCE = 200
RESENT_EVERY_S = 1.0
# Rounds of a boot start here, as in tables.unit.unit, with room for longer runs.
ROUNDS_OF_A_BOOT = 10_000_000
_SEQ, _ROUND, _AT = 8_000_000_000_000_001, 8_000_000_000_000_002, "2001-02-03T04:05:06Z"


class Unit:
    """A table unit that plays rounds. `journal`: an SQLite file for one that may be killed."""

    def __init__(
        self,
        system: str,
        table: str,
        *,
        boot: int = 1,
        key: str = "",
        journal: Path | None = None,
    ) -> None:
        self.system, self.table, self.boot, self.key = system, table, boot, key
        self.topic = topic_bytes(topics.events(system, table))
        self.presence_topic = topic_bytes(topics.presence(system, table))
        self.receipts_topic = topics.receipts(system, table)
        self.events: list[bytes] = []  # event of seq n at n - 1, as sent
        self.due = array("d")  # when each should have been sent
        self.state = bytearray()  # RECORDED | SEQUENCED
        self.system_seqs = array("q")  # number in the order, 0: not yet known
        self.committed = 0
        self.round = boot * ROUNDS_OF_A_BOOT
        self._connection = 0
        self._resend_until = self._resent_to = 0
        self._resent_at = 0.0
        self._template = self._make_template()
        self._file = self._open(journal) if journal else None

    @property
    def last_seq(self) -> int:
        return len(self.events)

    def open_session(self, due: float) -> bytes:
        """The table opens: the first event of a boot."""
        event = messages.SessionOpened(
            v=1,
            system=self.system,
            table=self.table,
            boot=self.boot,
            seq=self.last_seq + 1,
            recorded_at=dt.datetime.now(dt.UTC),
            game="holdem",
            deck=52,
            dealer="load",
            seats_in_play=SEATS,
        )
        return self._add(encoder.encode(event), due)

    def press(self, due: float, at: bytes) -> bytes:
        """The next round starts; `at` is the unit's clock, RFC 3339."""
        self.round += 1
        return self._add(self.body(self.last_seq + 1, self.round, at), due)

    def body(self, seq: int, round_number: int, at: bytes) -> bytes:
        """The JSON bytes of a round's start."""
        before, middle, between, after = self._template
        return b"%b%d%b%b%b%d%b" % (before, seq, middle, at, between, round_number, after)

    def presence(self) -> bytes:
        """What the unit says of itself when it connects, and every now and then."""
        presence = Presence(
            v=1,
            state="online",
            boot=self.boot,
            connection=self._connection,
            last_seq=self.last_seq,
            at=dt.datetime.now(dt.UTC),
        )
        return signed(encoder.encode(presence), self.key)

    def connected(self) -> None:
        """A new connection: what was on its way is asked for again."""
        self._connection += 1
        self._resend_until = self._resent_to = 0

    def to_resend(self, receipt: Receipt, now: float) -> list[bytes]:
        """What must be sent again after this receipt: a part, the next when this is covered."""
        missing = receipt.resend_from
        if missing is not None:
            self._resend_until = max(self._resend_until, self.last_seq)
        elif receipt.committed_seq >= self._resend_until:
            self._resend_until = 0
            return []
        else:
            missing = receipt.committed_seq + 1
        if missing <= self._resent_to and now < self._resent_at + RESENT_EVERY_S:
            return []
        self._resent_at = now
        self._resent_to = min(missing + RESENT_AT_ONCE - 1, self.last_seq)
        return self.events[missing - 1 : self._resent_to]

    def keep(self, first: int) -> None:
        """Write the events from seq `first` on to the journal file, before they are sent."""
        if self._file is None:
            return
        now = time.time()
        with self._file:
            self._file.executemany(
                "INSERT INTO event VALUES (?, ?, ?, ?)",
                (
                    (self.boot, seq, self.events[seq - 1], now)
                    for seq in range(first, self.last_seq + 1)
                ),
            )
            self._file.executemany(
                "REPLACE INTO memory VALUES (?, ?)",
                [("boot", self.boot), ("seq", self.last_seq), ("round", self.round)],
            )

    def _add(self, body: bytes, due: float) -> bytes:
        payload = signed(body, self.key)
        self.events.append(payload)
        self.due.append(due)
        self.state.append(0)
        self.system_seqs.append(0)
        return payload

    def _make_template(self) -> tuple[bytes, bytes, bytes, bytes]:
        """A round's event, cut where seq, time and round stand."""
        event = messages.RoundStarted(
            v=1,
            system=self.system,
            table=self.table,
            boot=self.boot,
            seq=_SEQ,
            recorded_at=dt.datetime.fromisoformat(_AT),
            round=_ROUND,
            seats_dealt=SEATS,
        )
        before, rest = encoder.encode(event).split(b"%d" % _SEQ)
        middle, rest = rest.split(_AT.encode())
        between, after = rest.split(b"%d" % _ROUND)
        return before, middle, between, after

    def _open(self, path: Path) -> sqlite3.Connection:
        """The journal file, made or read: a unit that was killed goes on where it was."""
        Journal(path).close()  # makes the tables
        file = sqlite3.connect(path)
        # The process may be killed, the machine is not: no fsync for each of many units.
        file.execute("PRAGMA synchronous = OFF")
        memory = dict(file.execute("SELECT name, value FROM memory"))
        if memory.get("boot"):
            self.boot, self.round = memory["boot"], memory["round"]
            self._template = self._make_template()
            rows = file.execute(
                "SELECT payload FROM event WHERE boot = ? ORDER BY seq", [self.boot]
            )
            for (payload,) in rows:
                self.events.append(bytes(payload))
                self.due.append(time.perf_counter())
                self.state.append(SEQUENCED)
                self.system_seqs.append(0)
        return file
