"""Spans of what an intake does: it records, answers, and sends what others wrote.

One thread of one process; called only while traces are on.
"""

from __future__ import annotations

import datetime as dt
import re
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from tables.protocol import topics
from tables.protocol.decode import Decoded
from tables.protocol.messages import Reading, Receipt
from tables.protocol.table_ref import TableRef
from tables.telemetry import traces
from tables.telemetry.spans import EventRef, Span

MOST = 1_000  # events that wait for a display; the oldest go

Numbered = deque[tuple[int, EventRef]]  # by their place in the order

_RECEIPTS = re.compile(rf"{topics.PREFIX}/([^/]+)/([^/]+)/receipts")
_DISPLAY = re.compile(rf"{topics.PREFIX}/([^/]+)/display")
_receipt_decoder = msgspec.json.Decoder(Receipt)


class _Value(msgspec.Struct):
    """Of a display message, how far it shows the order."""

    system_seq: int


_value_decoder = msgspec.json.Decoder(_Value)


class _SentMessage(NamedTuple):
    """A message that was handed to the broker, and when it was written (seconds since 1970)."""

    topic: str
    payload: bytes
    created_s: float


class IntakeTraces:
    """Spans of events that this intake recorded, or whose numbers it sent."""

    def __init__(self) -> None:
        self._unanswered: list[tuple[EventRef, float]] = []  # recorded, with the commit
        # With their numbers, until a display message was sent; until the table's display read back.
        self._unsent: dict[str, Numbered] = defaultdict(_none)  # by system
        self._unread: dict[tuple[str, str], Numbered] = defaultdict(_none)  # by its table

    @traces.harmless
    def recorded(self, new: Sequence[Decoded], arrived: dt.datetime) -> None:
        """These events are committed."""
        traces.look_for_requests()
        now_s, arrived_s, is_traced = time.time(), arrived.timestamp(), traces.choice()
        for item in new:
            table_ref, event = item.table_ref, item.event
            if is_traced(table_ref.system, table_ref.table, event.boot, event.seq):
                ref = EventRef(table_ref.system, table_ref.table, event.boot, event.seq)
                about = {"jackpot.type": event.type}
                traces.send(Span("press", ref, event.recorded_at.timestamp(), arrived_s, about))
                traces.send(Span("record", ref, arrived_s, now_s, {"jackpot.events": len(new)}))
                self._unanswered.append((ref, now_s))

    @traces.harmless
    def note_receipts(self) -> None:
        """The receipts of what was recorded are with the broker."""
        now_s = time.time()
        for ref, committed_s in self._unanswered:
            traces.send(Span("receipt", ref, committed_s, now_s))
        self._unanswered.clear()

    @traces.harmless
    def note_messages(self, messages: Iterable[tuple[str, bytes, float]]) -> None:
        """Messages of the outbox are with the broker: topic, bytes, when they were written."""
        now_s = time.time()
        for message in map(_SentMessage._make, messages):
            if match := _RECEIPTS.fullmatch(message.topic):
                self._number(match[1], match[2], message, now_s)
            elif match := _DISPLAY.fullmatch(message.topic):
                number = _value_decoder.decode(message.payload).system_seq
                for ref in _pop_until(self._unsent[match[1]], number):
                    about = {"jackpot.shown": number}
                    traces.send(Span("value", ref, message.created_s, now_s, about))

    @traces.harmless
    def read_back(self, readings: Iterable[tuple[TableRef, Reading]], now: dt.datetime) -> None:
        """Displays say how far they show the order."""
        for table_ref, reading in readings:
            waiting = self._unread[table_ref.system, table_ref.table]
            for ref in _pop_until(waiting, reading.system_seq):
                about: dict[str, str | int] = {"jackpot.shown": reading.system_seq}
                about["jackpot.display"] = reading.display
                traces.send(Span("reading", ref, reading.at.timestamp(), now.timestamp(), about))

    def _number(self, system: str, table: str, message: _SentMessage, now_s: float) -> None:
        receipt, is_traced = _receipt_decoder.decode(message.payload), traces.choice()
        for result in receipt.results:
            number = result.system_seq
            if number is None or not is_traced(system, table, receipt.boot, result.seq):
                continue
            ref = EventRef(system, table, receipt.boot, result.seq)
            traces.send(Span("number", ref, message.created_s, now_s, {"jackpot.entry": number}))
            for waiting in (self._unsent[system], self._unread[system, table]):
                waiting.append((number, ref))


def _none() -> Numbered:
    return deque(maxlen=MOST)


def _pop_until(waiting: Numbered, number: int) -> Iterator[EventRef]:
    """Those that are shown up to this number; they wait no more."""
    while waiting and waiting[0][0] <= number:
        yield waiting.popleft()[1]


intake_traces = IntakeTraces()
