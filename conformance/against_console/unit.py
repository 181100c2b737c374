"""The unit as the kit plays it: it says events and presences, and hears the answers."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from conformance import schemas, wire
from conformance.line import Broker, Delivery, Line, Log, Place
from conformance.report import Report

_CLAUSES = {"receipts": "C-07", "display": "C-08", "console": "C-09"}
_SCHEMAS = {"receipts": "receipt", "display": "display", "console": "console"}


@dataclass(frozen=True, slots=True)
class SentEvent:
    """An event as it was sent: its identity and its bytes."""

    boot: int
    seq: int
    payload: bytes


@dataclass(slots=True)
class Heard:
    """What was heard on one connection after another: documents by kind, and when."""

    receipts: list[dict[str, Any]] = field(default_factory=list)
    display: list[dict[str, Any]] = field(default_factory=list)
    console: list[dict[str, Any]] = field(default_factory=list)
    display_at: list[float] = field(default_factory=list)
    retained: set[str] = field(default_factory=set)  # kinds that came from the broker's memory


class PlayedUnit:
    """A unit with counters of its own; every message that it hears is held against its schema."""

    def __init__(self, place: Place, broker: Broker, log: Log, report: Report) -> None:
        self.place, self.report = place, report
        self.boot, self.seq, self.round, self.connection = 0, 0, 0, 0
        self.heard = Heard()
        self._broker, self._log = broker, log
        self._changed = threading.Condition(threading.RLock())
        self.line: Line | None = None

    # --- the connection -------------------------------------------------------------------

    def connect(self) -> None:
        """As the protocol asks: will, subscription, then presence."""
        self.connection += 1
        will = self.place.topic("presence"), self._presence("offline")
        self.line = Line(
            self._broker,
            self._log,
            client_id=f"conformance-{self.place.system}-{self.place.table}",
            hear=self._hear,
            will=will,
        ).open(self.place.topic("receipts"), self.place.display, self.place.console())

    def disconnect(self) -> None:
        """In good order."""
        self.say("presence", self._presence("offline"), retain=True)
        if self.line:
            self.line.close()

    def say(self, kind: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """Publish on a topic of this table."""
        if self.line:
            self.line.say(self.place.topic(kind), payload, qos=qos, retain=retain)

    # --- what a unit says -----------------------------------------------------------------

    def present(self, **fields: Any) -> int:
        """Say presence; the number of receipts heard before."""
        mark = len(self.heard.receipts)
        self.say("presence", self._presence("online", **fields), retain=True)
        return mark

    def _presence(self, state: str, **fields: Any) -> bytes:
        body = {"v": 1, "state": state, "boot": self.boot, "connection": self.connection}
        if self.boot:
            body["last_seq"] = self.seq
        body = {name: value for name, value in {**body, **fields}.items() if value is not None}
        return wire.sign(wire.encode(body), self.place.key)

    def event(self, type_: str, **fields: Any) -> dict[str, Any]:
        """The fields of the next event; `fields` replace or add."""
        self.seq += 1
        return {
            "v": 1,
            "type": type_,
            "system": self.place.system,
            "table": self.place.table,
            "boot": self.boot,
            "seq": self.seq,
            "recorded_at": dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds"),
            **fields,
        }

    def play(self, type_: str, *, qos: int = 1, **fields: Any) -> SentEvent:
        """Say the next event."""
        return self.send(self.event(type_, **fields), qos=qos)

    def send(self, fields: dict[str, Any], *, qos: int = 1) -> SentEvent:
        """Say an event with these fields."""
        sent_event = SentEvent(
            fields["boot"], fields["seq"], wire.sign(wire.encode(fields), self.place.key)
        )
        self.say("events", sent_event.payload, qos=qos)
        return sent_event

    def press(self, **fields: Any) -> SentEvent:
        """The next round."""
        self.round += 1
        return self.play("round_started", round=self.round, **fields)

    def begin(self, boot: int) -> None:
        """The boot that the console names."""
        self.boot, self.seq = boot, 0
        self.round = boot * 1_000_000

    # --- what a unit hears ----------------------------------------------------------------

    def wait(self, condition: Callable[[], object], timeout_s: float) -> bool:
        """Whether the condition holds within the time."""
        with self._changed:
            return bool(self._changed.wait_for(condition, max(timeout_s, 0)))

    def receipt(
        self, mark: int, timeout_s: float, is_wanted: Callable[[dict[str, Any]], object]
    ) -> dict[str, Any] | None:
        """The first such receipt behind `mark`."""

        def find() -> dict[str, Any] | None:
            return next(filter(is_wanted, self.heard.receipts[mark:]), None)

        self.wait(find, timeout_s)
        return find()

    def result(
        self, sent_event: SentEvent, timeout_s: float, *outcomes: str, mark: int = 0
    ) -> dict[str, Any] | None:
        """The first result of an event behind `mark`, of one of these outcomes or any."""

        def find() -> dict[str, Any] | None:
            for receipt in self.heard.receipts[mark:]:
                for each in receipt.get("results", ()):
                    is_its = (receipt.get("boot"), each.get("seq")) == (
                        sent_event.boot,
                        sent_event.seq,
                    )
                    if is_its and (not outcomes or each.get("outcome") in outcomes):
                        return dict(each)
            return None

        self.wait(find, timeout_s)
        return find()

    def committed(self, timeout_s: float, seq: int) -> int:
        """How far the console holds this boot; asked for by a presence, `seq` is expected."""
        mark = self.present()
        own = self.receipt(
            mark,
            timeout_s,
            lambda each: each.get("boot") == self.boot and each.get("committed_seq", 0) >= seq,
        )
        receipts = [each for each in self.heard.receipts if each.get("boot") == self.boot]
        return int((own or (receipts or [{}])[-1]).get("committed_seq", 0))

    def _hear(self, delivery: Delivery) -> None:
        kind = delivery.kind
        if kind not in _SCHEMAS:
            return
        document = delivery.json()
        faults = schemas.faults(_SCHEMAS[kind], document)
        evidence = "; ".join(f"{fault.where or kind}: {fault.text}" for fault in faults)
        self.report.check(_CLAUSES[kind], not faults, evidence)
        if faults:
            return  # nothing that could be read without care
        with self._changed:
            if delivery.retained:
                self.heard.retained.add(kind)
            getattr(self.heard, kind).append(document)
            if kind == "display" and not delivery.retained:
                self.heard.display_at.append(delivery.at)
            self._changed.notify_all()
