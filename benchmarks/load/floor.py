"""All units of a load on one connection: sending as asked, reading receipts, measuring.

Closed loop (`window`): as fast as receipts allow. Open loop (`per_second`): every event has a
moment at which it is due, whatever became of those before it, and its time counts from then: a
console that stalls is measured with all who would have pressed meanwhile.
"""

import datetime as dt
import threading
import time
from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import msgspec

from benchmarks.load.unit import RECORDED, SEQUENCED, Unit
from benchmarks.load.wire import Line, LineError
from tables.protocol import topics
from tables.protocol.messages import Receipt

AT_ONCE = 500  # events between two looks at the receipts
LOOK_S = 0.05
PRESENCE_EVERY_S = 10.0
PRESENCE_PARTS = 50  # units that started at different moments do not say it all at once
_PING_EVERY_S = 20.0
_RECONNECT_S = 0.1
_BREATH_S = 0.001

# Where a peer without receipts says how many events it has stored.
PROGRESS = "bench/stored"
Receipted = Literal["recorded", "sequenced"]

_receipt_decoder = msgspec.json.Decoder(Receipt)


class _DisplayMessage(msgspec.Struct):
    system_seq: int


_shown_decoder = msgspec.json.Decoder(_DisplayMessage)


@dataclass(frozen=True)
class Load:
    """What to send: `events` in all, by `window` (closed loop) or `per_second` (open loop).

    A window counts the events that are not recorded yet. `wait_for`: the receipt that is waited
    for at the end, at most `patience_s` without any progress.
    """

    events: int
    window: int = 2_000
    per_second: float | None = None
    wait_for: Receipted = "sequenced"
    patience_s: float = 120.0


@dataclass
class Spread:
    """How long it took, in milliseconds."""

    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float


@dataclass
class Report:
    """What was measured; seconds count from the first event's due moment."""

    events: int
    resent: int
    sent_s: float
    recorded_s: float
    sequenced_s: float
    recorded: Spread | None = None
    sequenced: Spread | None = None
    displayed: Spread | None = None
    missing: int = 0  # events without their receipt when the patience was over
    per_second_recorded: float = 0.0
    per_second_sequenced: float = 0.0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class _Times:
    """Seconds from due to heard, and when the last was heard."""

    took: "array[float]" = field(default_factory=lambda: array("d"))
    last: float = 0.0

    def spread(self) -> Spread | None:
        if not self.took:
            return None
        ordered = sorted(self.took)

        def at(share: float) -> float:
            return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 2)

        return Spread(at(0.5), at(0.95), at(0.99), round(ordered[-1] * 1000, 2))


class Floor:
    """The units and their connection. One thread; `stop` may be set by another."""

    def __init__(
        self,
        broker: tuple[str, int],
        units: Sequence[Unit],
        *,
        name: str = "load",
        watch_displays: bool = False,
        presence_every_s: float = PRESENCE_EVERY_S,
        tell: Callable[[str], None] = lambda _mark: None,
    ) -> None:
        """Connect to the broker's host and port; OSError when it is not there."""
        self.units = list(units)
        self.stop = threading.Event()
        self.recorded, self.sequenced = _Times(), _Times()
        self.resent = 0
        # What was in the journal got its number, if any, before this process began.
        self._n_sent = self._n_sequenced = sum(unit.last_seq for unit in self.units)
        self._n_recorded = 0
        self._due = array("d")  # of every event in the order of sending; a peer counts in that
        self._address = *broker, f"jackpot-{name}"
        self._by_topic = {unit.receipts_topic: unit for unit in self.units}
        self._displays = watch_displays
        self._readings: dict[str, list[tuple[int, float]]] = {}
        self._presence_every_s = presence_every_s
        self._presence_at = self._ping_at = 0.0
        self._presence_part = 0
        self._turn = 0
        self._tell = tell
        self._line: Line | None = None
        self._connect()

    # --- what a caller does -------------------------------------------------------------

    def open_tables(self) -> None:
        """Open a session at every table that has said nothing yet, and wait for the receipts."""
        now = time.perf_counter()
        new = [unit for unit in self.units if not unit.events]
        opened = [(unit.topic, unit.open_session(now)) for unit in new]
        self._due.extend(now for _ in new)
        for unit in new:
            unit.keep(1)
        self._publish(opened)
        self._n_sent += len(opened)
        self.settle()

    def run(self, load: Load) -> Report:
        """Send the load and wait for its receipts; the report is of this load alone."""
        self.recorded, self.sequenced = _Times(), _Times()
        before, self.resent = self._n_sent, 0
        start = time.perf_counter()
        while self._n_sent - before < load.events and not self.stop.is_set():
            count, wait_s = self._may_send(load, self._n_sent - before, start)
            if count:
                self._send(count, load, start, self._n_sent - before)
            self._hear(0.0 if count else wait_s)
        sent_s = time.perf_counter() - start
        events = self._n_sent - before
        self._tell("sent")
        missing = self.settle(load.patience_s, load.wait_for)
        report = Report(
            events=events,
            resent=self.resent,
            sent_s=sent_s,
            recorded_s=max(0.0, self.recorded.last - start),
            sequenced_s=max(0.0, self.sequenced.last - start),
            recorded=self.recorded.spread(),
            sequenced=self.sequenced.spread(),
            displayed=self._displayed(start),
            missing=missing,
        )
        report.per_second_recorded = round(events / (report.recorded_s or 1), 1)
        report.per_second_sequenced = round(events / (report.sequenced_s or 1), 1)
        return report

    def settle(self, patience_s: float = 120.0, wait_for: Receipted = "sequenced") -> int:
        """Wait until every event has its receipts, or nothing has moved for `patience_s`.

        Returns how many receipts are missing.
        """
        moved, moved_at = -1, time.perf_counter()
        for mark in ("recorded", "sequenced"):
            start, is_reported = self._heard(mark), False
            while (missing := self._n_sent - self._heard(mark)) > 0:
                if self._n_recorded + self._n_sequenced != moved:
                    moved, moved_at = self._n_recorded + self._n_sequenced, time.perf_counter()
                elif time.perf_counter() - moved_at > patience_s:
                    return missing
                if not is_reported and self._heard(mark) > start:
                    is_reported = True
                    self._tell(f"{mark} begins")
                self._hear(LOOK_S)
            self._tell(mark)
            if mark == wait_for:
                break
        return 0

    def _heard(self, mark: str) -> int:
        return self._n_recorded if mark == "recorded" else self._n_sequenced

    def listen(self) -> None:
        """Hear for a moment what comes, and keep the connection."""
        self._hear(LOOK_S)

    def close(self) -> None:
        if self._line is not None:
            self._line.close()

    # --- sending ------------------------------------------------------------------------

    def _may_send(self, load: Load, sent_count: int, start: float) -> tuple[int, float]:
        """How many events may go now, and how long to wait when none may."""
        left = load.events - sent_count
        if load.per_second is not None:
            passed_s = time.perf_counter() - start
            due = int(passed_s * load.per_second) + 1 - sent_count
            return min(due, left, AT_ONCE), max(0.0, sent_count / load.per_second - passed_s)
        free = load.window - (self._n_sent - self._n_recorded)
        if free < min(AT_ONCE, left, load.window // 4):
            time.sleep(_BREATH_S)  # a look at every single acknowledgement costs the console
            return 0, LOOK_S
        return min(free, left, AT_ONCE), LOOK_S

    def _send(self, count: int, load: Load, start: float, sent_count: int) -> None:
        """The next units in turn press their buttons."""
        now = time.perf_counter()
        at = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds").encode()
        out = []
        touched: dict[int, int] = {}
        units, turn = self.units, self._turn
        for number in range(count):
            unit = units[turn]
            touched.setdefault(turn, unit.last_seq + 1)
            due = start + (sent_count + number) / load.per_second if load.per_second else now
            out.append((unit.topic, unit.press(due, at)))
            self._due.append(due)
            turn = turn + 1 if turn + 1 < len(units) else 0
        self._turn = turn
        for index, first in touched.items():
            units[index].keep(first)
        self._n_sent += count
        self._publish(out)

    def _publish(self, messages: list[tuple[bytes, bytes]], *, retain: bool = False) -> None:
        """A line that breaks is made again; what it lost is asked for and sent again."""
        if self._line is None:
            return
        try:
            self._line.publish(messages, retain=retain)
        except LineError:
            self._lose()

    # --- receiving ------------------------------------------------------------------------

    def _hear(self, wait_s: float) -> None:
        now = time.perf_counter()
        if self._line is None:
            self._reconnect()
        if self._line is None:
            return
        try:
            if now >= self._ping_at:
                self._ping_at = now + _PING_EVERY_S
                self._line.ping()
            if now >= self._presence_at:
                self._say_present(now, self._next_part())
            delivered = self._line.receive(min(wait_s, LOOK_S))
        except LineError:
            self._lose()
            return
        now = time.perf_counter()
        for topic, payload in delivered:
            unit = self._by_topic.get(topic)
            if unit is not None:
                self._enter(unit, _receipt_decoder.decode(payload), now)
            elif topic == PROGRESS:
                self._enter_progress(int(payload), now)
            else:
                seq = _shown_decoder.decode(payload).system_seq
                self._readings.setdefault(topic, []).append((seq, now))

    def _enter(self, unit: Unit, receipt: Receipt, now: float) -> None:
        """Every event counts once for each of its two receipts."""
        if receipt.boot != unit.boot:
            return
        for seq in range(unit.committed + 1, min(receipt.committed_seq, unit.last_seq) + 1):
            self._mark_recorded(unit, seq, now)
        unit.committed = max(unit.committed, receipt.committed_seq)
        for result in receipt.results:
            if result.seq > unit.last_seq:
                continue
            self._mark_recorded(unit, result.seq, now)
            if result.system_seq is not None and not unit.state[result.seq - 1] & SEQUENCED:
                unit.state[result.seq - 1] |= SEQUENCED
                unit.system_seqs[result.seq - 1] = result.system_seq
                self._n_sequenced += 1
                self.sequenced.took.append(now - unit.due[result.seq - 1])
                self.sequenced.last = now
        if again := unit.to_resend(receipt, now):
            self.resent += len(again)
            self._publish([(unit.topic, payload) for payload in again])

    def _enter_progress(self, stored: int, now: float) -> None:
        """A peer stores events in the order of sending: so many are stored now."""
        took = [now - due for due in self._due[self._n_recorded : stored]]
        self._n_recorded = self._n_sequenced = stored
        for times in (self.recorded, self.sequenced):
            times.took.extend(took)
            times.last = now

    def _mark_recorded(self, unit: Unit, seq: int, now: float) -> None:
        if not unit.state[seq - 1] & RECORDED:
            unit.state[seq - 1] |= RECORDED
            self._n_recorded += 1
            self.recorded.took.append(now - unit.due[seq - 1])
            self.recorded.last = now

    def _displayed(self, since: float) -> Spread | None:
        """From due to the first display message with that number or a later one."""
        if not self._displays:
            return None
        times = _Times()
        for unit in self.units:
            displays = self._readings.get(topics.display(unit.system), [])
            newest = [seq for seq, _ in displays]
            for due, seq in zip(unit.due, unit.system_seqs, strict=True):
                if due >= since and seq:
                    place = bisect_left(newest, seq)
                    if place < len(displays):
                        times.took.append(displays[place][1] - due)
        return times.spread()

    # --- the connection -----------------------------------------------------------------

    def _connect(self) -> None:
        line = Line(*self._address)
        topic_list = [*self._by_topic, PROGRESS]
        if self._displays:
            topic_list += sorted({topics.display(unit.system) for unit in self.units})
        line.subscribe(topic_list)
        self._line = line
        for unit in self.units:
            unit.connected()
        self._say_present(time.perf_counter(), self.units)

    def _next_part(self) -> Sequence[Unit]:
        """The units whose turn it is."""
        self._presence_part = (self._presence_part + 1) % PRESENCE_PARTS
        return self.units[self._presence_part :: PRESENCE_PARTS]

    def _say_present(self, now: float, units: Sequence[Unit]) -> None:
        self._presence_at = now + self._presence_every_s / PRESENCE_PARTS
        self._publish([(unit.presence_topic, unit.presence()) for unit in units], retain=True)

    def _lose(self) -> None:
        if self._line is not None:
            self._line.close()
        self._line = None

    def _reconnect(self) -> None:
        try:
            self._connect()
        except OSError:
            self._lose()
            time.sleep(_RECONNECT_S)
