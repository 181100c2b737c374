"""The console as the kit plays it: it hears a unit, reads every message strictly, and answers.

What is wrong with a message goes into the report when it is heard, whichever scene plays.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from conformance import schemas, wire
from conformance.line import Delivery, Line, Place
from conformance.report import Report

FIRST_ERA = 1000  # with room for eras before it
FIRST_BOOT = 7  # which a unit without memory is given
FIRST_NUMBER = 90211  # of the system's order
CLOCK_S = 60.0  # so far the unit's clock may be from this machine's

_FORM = ("U-18", "U-20", "U-22", "U-23", "U-26", "U-27")
_SIGNED = ("U-29", "U-30")
_OF_KEYWORD = {
    "additionalProperties": "U-20",
    "minimum": "U-22",
    "maximum": "U-22",
    "pattern": "U-23",
    "maxLength": "U-23",
}
OF_TYPE = {
    "session_opened": "U-37",
    "session_changed": "U-37",
    "session_closed": "U-38",
    "round_started": "U-39",
    "round_completed": "U-40",
    "rounds_missed": "U-41",
    "void_requested": "U-42",
    "hand_called": "U-43",
    "hand_reported": "U-44",
    "hand_withdrawn": "U-45",
    "events_lost": "U-46",
}


@dataclass(frozen=True, slots=True)
class Event:
    """An event as it was heard; `is_copy`: it was heard before, or was asked for again."""

    boot: int
    seq: int
    type: str
    payload: bytes
    at: float
    is_copy: bool


@dataclass(frozen=True, slots=True)
class Presence:
    """A presence as it was heard."""

    fields: dict[str, Any]
    at: float

    @property
    def boot(self) -> int:
        return _number(self.fields.get("boot"))

    @property
    def connection(self) -> int:
        return _number(self.fields.get("connection"))

    @property
    def is_online(self) -> bool:
        return self.fields.get("state") == "online"


@dataclass(slots=True)
class Stream:
    """What was heard of one boot. `committed_seq`: what the kit says that it holds."""

    committed_seq: int = 0
    last_seq: int = 0
    payloads: dict[int, list[bytes]] = field(default_factory=dict)  # the first stands


class PlayedConsole:
    """Hears one unit. `is_answering`: events and presences are answered at once."""

    def __init__(self, place: Place, report: Report, say: Callable[[str, bytes], object]) -> None:
        self.place, self.report = place, report
        self.era = FIRST_ERA
        self.is_answering = True
        self.names_boot = True
        self.events: list[Event] = []
        self.on_events = 0  # messages on the topic of events, whatever they are
        self.presences: list[Presence] = []
        self.readings: list[dict[str, Any]] = []
        self.streams: dict[int, Stream] = {}
        self._say = say
        self._changed = threading.Condition(threading.RLock())
        self._rounds: set[int] = set()
        self._number = FIRST_NUMBER
        self._stated_boots: set[int] = set()  # boots that were named to a unit without memory
        self._is_asking = False  # whether a resend was asked for that is not covered yet
        self._lowest_asked: dict[int, int] = {}  # by boot: the lowest event that was ever asked for

    def join(self, line: Line) -> None:
        """Subscribe to what the unit says."""
        for kind in ("events", "presence", "readings"):
            line.subscribe(self.place.topic(kind))

    # --- waiting --------------------------------------------------------------------------

    def wait(self, condition: Callable[[], object], timeout_s: float) -> bool:
        """Whether the condition holds within the time; it is asked whenever something is heard."""
        with self._changed:
            return bool(self._changed.wait_for(condition, max(timeout_s, 0)))

    def pause(self, seconds: float) -> None:
        """Go on hearing, and answering, for so long."""
        self.wait(lambda: False, seconds)

    def quiet(self, mark: int, timeout_s: float) -> bool:
        """Whether no event, not even a copy, is heard behind `mark` for so long."""
        return not self.wait(lambda: len(self.events) > mark, timeout_s)

    def next_event(self, mark: int, timeout_s: float) -> Event | None:
        """The first new event behind `mark`; None when none comes in time."""
        self.wait(lambda: self.new_events(mark), timeout_s)
        return next(iter(self.new_events(mark)), None)

    def new_events(self, mark: int) -> list[Event]:
        """The events behind `mark` that are no copies."""
        return [event for event in self.events[mark:] if not event.is_copy]

    def copies(self, mark: int, seq: int) -> list[Event]:
        """The copies of an event behind `mark`."""
        return [event for event in self.events[mark:] if event.is_copy and event.seq == seq]

    def next_presence(
        self, mark: int, timeout_s: float, is_wanted: Callable[[Presence], bool]
    ) -> Presence | None:
        """The first such presence behind `mark`; None when none comes in time."""

        def find() -> Presence | None:
            return next(filter(is_wanted, self.presences[mark:]), None)

        self.wait(find, timeout_s)
        return find()

    @property
    def last_online(self) -> Presence | None:
        """The last presence `online`."""
        return next((each for each in reversed(self.presences) if each.is_online), None)

    # --- answering ------------------------------------------------------------------------

    def answer(self, boot: int, *results: dict[str, Any], **fields: Any) -> None:
        """A receipt for this boot; `fields` replace or add to what it usually says."""
        stream = self.streams.get(boot) or Stream()
        next_boot = max(self.streams, default=FIRST_BOOT - 1) + 1
        if boot == 0:
            self._stated_boots.add(next_boot)
        receipt = {
            "v": 1,
            "era": self.era,
            "boot": boot,
            "committed_seq": stream.committed_seq,
            "next_boot": next_boot,
            "resend_from": None,
            "results": list(results),
        }
        self._say(self.place.topic("receipts"), wire.encode(receipt | fields))

    def cover(self, boot: int, seq: int) -> None:
        """From now on this event is held, and all before it; nothing is said yet."""
        with self._changed:
            stream = self.streams[boot]
            stream.committed_seq = max(stream.committed_seq, seq)
            self._is_asking = False

    def record(self, event: Event, **fields: Any) -> None:
        """Say that this event is held, and all before it."""
        self.cover(event.boot, event.seq)
        self.answer(event.boot, {"seq": event.seq, "outcome": "recorded"}, **fields)

    def resume(self) -> None:
        """Answer again, and hold whatever was heard."""
        with self._changed:
            self.is_answering = self.names_boot = True
            boot = max(self.streams, default=0)
            stream = self.streams.get(boot, Stream())
            is_open = self._is_asking or stream.committed_seq < stream.last_seq
        if boot and is_open:  # said without the lock: the network's thread needs it meanwhile
            self.cover(boot, stream.last_seq)
            self.answer(boot)

    def sequence(self, event: Event) -> int:
        """Say the number of this event in the system's order."""
        self._number += 1
        result = {"seq": event.seq, "outcome": "sequenced", "system_seq": self._number}
        self.answer(event.boot, result)
        return self._number

    def ask_again(self, boot: int, seq: int, **fields: Any) -> None:
        """Say that everything from this event on is missing."""
        with self._changed:
            self._is_asking = True
            self._lowest_asked[boot] = min(seq, self._lowest_asked.get(boot, seq))
        self.answer(boot, **{"committed_seq": seq - 1, "resend_from": seq, **fields})

    def answer_presence(self, presence: Presence) -> None:
        """The watermark, or the next boot."""
        stream = self.streams.get(presence.boot)
        last_seq = _number(presence.fields.get("last_seq"))
        if stream and max(stream.last_seq, last_seq) > stream.committed_seq:
            self.ask_again(presence.boot, stream.committed_seq + 1)
        else:
            self.answer(presence.boot)

    # --- hearing --------------------------------------------------------------------------

    def hear(self, delivery: Delivery) -> None:
        """A message came, in the network's thread."""
        if delivery.retained and delivery.kind != "display":
            return  # of a trial before this one
        with self._changed:
            {
                self.place.topic("events"): self._hear_event,
                self.place.topic("presence"): self._hear_presence,
                self.place.topic("readings"): self._hear_reading,
            }.get(delivery.topic, lambda _: None)(delivery)
            self._changed.notify_all()

    def _judge(self, delivery: Delivery, message: wire.Message, name: str, own: str) -> bool:
        """Whether a message has its form; what breaks it goes into the report. `own`: the clause of
        whatever is wrong with it beside the forms of numbers and texts."""
        broken = dict(message.faults)
        is_object = "U-18" not in broken
        faults = schemas.faults(name, message.fields) if is_object else []
        for fault in faults:
            clause = _OF_KEYWORD.get(fault.keyword, own)
            broken.setdefault(clause, f"{fault.where or name}: {fault.text}")
        for clause, value in self._instants(message.fields):
            broken.setdefault(clause, value)
        checked = [*_FORM, *(_SIGNED if self.place.key else ()), "U-25", "U-28", own]
        for clause in dict.fromkeys(checked if is_object else broken):
            self.report.check(clause, clause not in broken, broken.get(clause, ""))
        self.report.check("U-05", delivery.qos == 1, f"{name} at QoS {delivery.qos}")
        return is_object and not faults

    def _instants(self, fields: dict[str, Any]) -> list[tuple[str, str]]:
        values = [fields[name] for name in ("recorded_at", "at") if fields.get(name) is not None]
        return [
            *(("U-25", f"{value!r}") for value in values if wire.instant(value) is None),
            *(
                ("U-28", f"{value!r}")
                for value in values
                if wire.instant(value) and not wire.has_form_of_instant(value)
            ),
        ]

    def _hear_presence(self, delivery: Delivery) -> None:
        message = wire.read(delivery.payload, self.place.key)
        self._judge(delivery, message, "presence", "U-17")
        presence = Presence(message.fields, delivery.at)
        self.presences.append(presence)
        if not presence.is_online:
            return
        last_seq = _number(presence.fields.get("last_seq"))
        if presence.boot:
            self._check_boot(presence.boot)
            before = 0 if presence.boot in self._stated_boots else last_seq  # of before the trial
            stream = self.streams.setdefault(presence.boot, Stream(before, before))
            self.report.check(
                "U-48", last_seq >= stream.last_seq, f"{last_seq} after event {stream.last_seq}"
            )
        if self.is_answering and (presence.boot or self.names_boot):
            self.answer_presence(presence)

    def _hear_reading(self, delivery: Delivery) -> None:
        message = wire.read(delivery.payload, self.place.key)
        self._judge(delivery, message, "reading", "D-02")
        self.readings.append(message.fields)

    def _hear_event(self, delivery: Delivery) -> None:
        self.on_events += 1
        message = wire.read(delivery.payload, self.place.key)
        fields = message.fields
        type_ = str(fields.get("type"))
        has_form = self._judge(delivery, message, "event", OF_TYPE.get(type_, "U-31"))
        if not fields:
            return
        size = len(message.body)
        self.report.check("U-19", size <= wire.MOST_BYTES, f"{size} bytes")
        boot, seq = _number(fields.get("boot")), _number(fields.get("seq"))
        address = fields.get("v"), fields.get("system"), fields.get("table")
        self.report.check("U-31", address == (1, self.place.system, self.place.table), f"{fields}")
        if not boot or not seq:
            return
        payloads = self.streams.get(boot, Stream()).payloads.get(seq, [])
        is_wanted = seq >= self._lowest_asked.get(boot, seq + 1)
        is_copy = delivery.payload in payloads or bool(payloads and is_wanted)
        event = Event(boot, seq, type_, delivery.payload, delivery.at, is_copy)
        if not payloads:
            self._check_order(event)
            if has_form:
                self._check_content(fields)
        elif delivery.payload != payloads[0]:
            clause = "U-02" if is_wanted else "U-33"
            self.report.check(clause, False, f"boot {boot}, seq {seq} came with other bytes")
        stream = self.streams.setdefault(boot, Stream())
        stream.payloads.setdefault(seq, []).append(delivery.payload)
        stream.last_seq = max(stream.last_seq, seq)
        self.events.append(event)
        if self.is_answering:
            self.record(event)
            self.sequence(event)

    def _check_boot(self, boot: int) -> None:
        """The newest one, or the one after it."""
        newest = max(self.streams, default=boot)
        self.report.check("U-32", boot in (newest, newest + 1), f"boot {boot} after {newest}")

    def _check_order(self, event: Event) -> None:
        stream = self.streams.get(event.boot)
        self._check_boot(event.boot)
        expected = (stream.last_seq if stream else 0) + 1
        evidence = f"boot {event.boot}: seq {event.seq} where {expected} is next"
        self.report.check("U-33", event.seq == expected, evidence)
        self.report.check("U-16", event.seq == expected, evidence)

    def _check_content(self, fields: dict[str, Any]) -> None:
        if recorded_at := wire.instant(fields.get("recorded_at")):
            apart_s = abs((recorded_at - dt.datetime.now(dt.UTC)).total_seconds())
            self.report.check("U-34", apart_s <= CLOCK_S, f"{apart_s:.0f} s from this machine's")
        if fields.get("type") == "round_started":
            number = _number(fields.get("round"))
            is_new = number > max(self._rounds, default=0)
            self.report.check(
                "U-36", is_new, f"round {number} after {max(self._rounds, default=0)}"
            )
            self._rounds.add(number)
        if fields.get("type") == "hand_reported":
            hands = [hand.get("hole", ()) for hand in fields.get("hands", ())]
            cards = [card for group in (*fields.get("boards", ()), *hands) for card in group]
            self.report.check("U-24", all(map(wire.is_card, cards)), f"{cards}")


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
