"""A deliberately wrong table unit: one switch for each thing that a vendor may get wrong."""

import datetime as dt
import json
import re
import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from tables.mqtt.client import Delivery, Link, Will
from tables.protocol import messages, topics
from tables.protocol.messages import Result
from tables.protocol.signature import signed
from tables.unit.display_panel import DisplayPanel
from tables.unit.resend import LEAST_PAUSE_S
from tables.unit.unit import TableUnit, UnitSettings

MQTT_3_1 = 3  # the protocol level in CONNECT
_FIELDS = {"v", "era", "boot", "committed_seq", "next_boot", "resend_from", "results"}
Change = Callable[[bytes], bytes]


def _replaced(before: bytes, after: bytes) -> Change:
    return lambda body: body.replace(before, after)


def _in_type(type_: str, change: Change) -> Change:
    mark = f'"type":"{type_}"'.encode()
    return lambda body: change(body) if mark in body else body


def _local_time(body: bytes) -> bytes:
    fields = json.loads(body)
    return body.replace(fields["recorded_at"].encode(), fields["recorded_at"][:19].encode())


def _early(system: str, table: str) -> bytes:
    """A round of a unit that has no boot yet."""
    fields = {"v": 1, "type": "round_started", "system": system, "table": table, "boot": 0,
              "seq": 1, "recorded_at": dt.datetime.now(dt.UTC).isoformat(), "round": 1}  # fmt: skip
    return json.dumps(fields).encode()


def _pretty(body: bytes) -> bytes:
    """Over many lines, as RFC 8259 allows."""
    return json.dumps(json.loads(body), indent=2).encode()


# Faults in the bytes of events: the switch, what it does, and the clauses that it breaks.
BYTES: dict[str, tuple[Change, str]] = {
    "float money": (_replaced(b'"pot":12000', b'"pot":12000.0'), "U-26"),
    "negative money": (_replaced(b'"pot":12000', b'"pot":-1'), "U-22"),
    "unknown field": (_replaced(b'"count":1', b'"count":1,"mood":"good"'), "U-20"),
    "field left out": (_replaced(b',"dealer":"Mere"', b""), "U-37"),
    "name twice": (_replaced(b'"count":1', b'"count":2,"count":1'), "U-27"),
    "long text": (_replaced(b'"dealer":"Mere"', b'"dealer":"%s"' % (b"x" * 201)), "U-23"),
    "own cards": (_replaced(b'"As"', b'"AS"'), "U-24"),
    "local time": (_in_type("session_opened", _local_time), "U-25"),
    "space in time": (lambda body: body.replace(b"T", b" ", 1), "U-28"),
    "other table": (_in_type("rounds_missed", _replaced(b'"table":"', b'"table":"x')), "U-31"),
    "latin-1": (_replaced(b"Sione", "Sioné".encode("latin-1")), "U-16 U-18 U-33 U-37"),
    "too large": (lambda body: body[:-1] + b" " * 8192 + b"}", "U-19"),
    "array": (_in_type("session_changed", lambda body: b"[" + body + b"]"), "U-16 U-18 U-33 U-37"),
    "boards null": (_replaced(b'"boards":[["As","Ks","Qs","2d","3c"]]', b'"boards":null'), "U-44"),
    "pretty JSON": (_pretty, ""),  # which is none
    "lost too much": (_replaced(b'"to_seq":1', b'"to_seq":9999'), "U-46"),
}

# Events that a unit never sends.
SILENT: dict[str, tuple[type[messages.Event], str]] = {
    "closes without a word": (messages.SessionClosed, "U-38"),
    "round without an end": (messages.RoundCompleted, "U-40"),
    "missed rounds unsaid": (messages.RoundsMissed, "U-41"),
    "misdeal unsaid": (messages.VoidRequested, "U-42"),
    "call unsaid": (messages.HandCalled, "U-43"),
    "error unsaid": (messages.HandWithdrawn, "U-45"),
}

# Faults in what a unit does, and the clauses that each breaks.
CONDUCT = {
    "another key": "U-29",
    "text of the key": "U-30",
    "no MAC": "U-29",
    "clock an hour off": "U-34",
    "reused seq": "U-16 U-33 U-62",
    "left-out seq": "U-16 U-33",
    "round twice": "U-36",
    "second press counts": "U-39 U-66",
    "QoS 0": "U-05",
    "retained events": "U-15",
    "presence once": "U-17 U-51",
    "never sends again": "U-01 U-02 U-54 U-65",
    "other bytes again": "U-01 U-02",
    "sends again once": "U-65",
    "sends again at one pace": "U-65",
    "sends again for ever": "U-61",
    "comes back at one pace": "U-10",
    "obeys every receipt": "U-53 U-55",
    "deaf to a new era": "U-54",
    "strict with receipts": "U-21",
    "takes refusals back": "U-56",
    "hopeful handset": "U-57 U-58 U-59",
    "handset without numbers": "U-58",
    "boot of its own": "U-50",
    "last_seq without memory": "U-49",
    "last_seq ahead": "U-48",
    "records without a boot": "U-52",
    "boot 0 events": "U-14 U-22",
    "connection stands": "U-47 U-50",
    "old will": "U-11",
    "leaves without a word": "U-12",
    "journal in memory": "U-01 U-62 U-67",
    "counter begins again": "U-01 U-32 U-67",
    "follows every display message": "D-04",
    "kept session": "U-08",
    "a new name each time": "U-07",
    "log-in of another": "U-06",
    "presence before receipts": "U-13",
    "MQTT 3.1": "U-03",
    "long keep-alive": "U-09",
    "sends all again at once": "U-63",
    "one part alone": "U-64",
    "display that says nothing": "D-02 D-04",
    **{fault: clause for fault, (_, clause) in SILENT.items()},
}
OF_MANY = ("sends all again at once", "one part alone")  # seen where events are many
FAULTS = {**{name: clauses for name, (_, clauses) in BYTES.items()}, **CONDUCT}


class WrongUnit(TableUnit):
    """The project's unit with one fault."""

    def __init__(
        self, system: str, table: str, settings: UnitSettings, *, fault: str, **options: Any
    ) -> None:
        self.fault = fault
        self._is_first = not options["journal"].exists()
        self._sent_before: set[bytes] = set()
        self._late: tuple[float, bytes] | None = None  # when to send what is covered
        self._pressed_too_early = False
        match fault:
            case "journal in memory":
                options["journal"] = ":memory:"
            case "clock an hour off":
                options["clock"] = lambda: dt.datetime.now(dt.UTC) - dt.timedelta(hours=1)
            case "log-in of another":
                netloc = options["url"].netloc.replace("%2F", "%2Fx")
                options["url"] = options["url"]._replace(netloc=netloc)
            case "second press counts":
                settings = replace(settings, guard_s=0)
        super().__init__(system, table, settings, **options)
        self._spoil()
        self._spoil_parts()

    def _spoil(self) -> None:
        """What else is wrong from the start."""
        match self.fault:
            case "presence once":
                self._presence_at = float("inf")
            case "never sends again":
                self._resend._send = lambda _: True
            case "other bytes again":
                self._resend._send = lambda payload: self._send(self._rewritten(payload))
            case "comes back at one pace":
                self.link._client.reconnect_delay_set(1, 1)
            case "sends again once":
                self._resend._send = self._once
            case "counter begins again" if not self._is_first:
                self.journal.remember(boot=self.boot + 2, seq=0)
                self.receipts.begin(self.boot)
            case "follows every display message":
                assert self.panel
                self.panel = _Screen(self.panel.code)
            case "kept session":
                self._connect_otherwise(f"unit-{self.table}", keeps_session=True)
            case "a new name each time":
                self._connect_otherwise(f"unit-{uuid.uuid4()}")
            case "presence before receipts":
                on_connect: Any = self.link._client.on_connect

                def arrive_first(*details: Any) -> None:
                    self.link._connected.set()
                    self._arrive()
                    on_connect(*details)

                self.link._client.on_connect = arrive_first

    def _spoil_parts(self) -> None:
        """What is wrong in one of its parts."""
        resend: Any = self._resend
        panel: Any = self.panel
        client: Any = self.link._client
        match self.fault:
            case "MQTT 3.1":
                client._protocol = MQTT_3_1
            case "long keep-alive":
                connect = client.connect_async
                client.connect_async = lambda host, port, _seconds, **session: connect(
                    host, port, 60, **session
                )
            case "sends all again at once" | "one part alone":
                resend._journal = _Parts(self.journal, self.fault)
            case "display that says nothing":
                panel.reading = lambda _now: None

    def _connect_otherwise(self, name: str, **options: Any) -> None:
        self.link = Link(
            name,
            self.link._filters,
            will=self._make_will,
            on_connected=self._arrive,
            url=self.link._url,
            **options,
        )

    # --- sending --------------------------------------------------------------------------

    def _signed(self, body: bytes) -> bytes:
        key = self._settings.mac_key
        match self.fault:
            case "another key":
                return signed(body, "00" * 32)
            case "text of the key":
                return signed(body, key.encode().hex())
            case "no MAC":
                return body
        return signed(body, key)

    def _checked(self, event: Any) -> bytes:
        body = super()._checked(event).rpartition(b"\n")[0]
        change, _ = BYTES.get(self.fault, (None, ""))
        if self.fault == "reused seq":
            change = _replaced(b'"seq":6,', b'"seq":5,')
        if self.fault == "round twice":
            change = partial(re.compile(rb'"round":\d+').sub, b'"round":7000001')
        return self._signed(change(body) if change else body)

    def _rewritten(self, payload: bytes) -> bytes:
        return self._signed(payload.rpartition(b"\n")[0][:-1] + b" }")

    def _once(self, payload: bytes) -> bool:
        is_new = payload not in self._sent_before
        self._sent_before.add(payload)
        return is_new and self._send(payload)

    def _record(self, *event: Any, **fields: Any) -> int:
        if event[0] is SILENT.get(self.fault, (None, ""))[0]:
            return self.journal.recall("seq")
        seq = super()._record(*event, **fields)
        if self.fault == "left-out seq" and seq == 5:
            self.journal.remember(seq=6)
        return seq

    def _send(self, payload: bytes) -> bool:
        topic = topics.events(self.system, self.table)
        if self.fault == "QoS 0":
            self.link._client.publish(topic, payload, qos=0)
            return True
        if self.fault == "retained events":
            return bool(self.link.publish(topic, payload, retain=True))
        return super()._send(payload)

    def _presence(self, state: Any, connection: int | None = None) -> bytes:
        fields = json.loads(super()._presence(state).rpartition(b"\n")[0])
        if self.fault == "last_seq without memory":
            fields.setdefault("last_seq", 0)
        if self.fault == "last_seq ahead" and fields.get("last_seq") == 2:
            fields["last_seq"] = 7
        if connection is not None:
            fields["connection"] = connection
        indent = 2 if self.fault == "pretty JSON" else None
        return signed(json.dumps(fields, indent=indent).encode(), self._settings.mac_key)

    def _make_will(self) -> Will:
        if self.fault == "connection stands":
            self._present.clear()
            return Will(topics.presence(self.system, self.table), self._presence("offline"))
        will = super()._make_will()
        if self.fault == "old will":
            before = self.journal.recall("connection") - 1
            return Will(will.topic, self._presence("offline", before))
        return will

    # --- listening and showing --------------------------------------------------------------

    def tend(self, timeout_s: float) -> None:
        super().tend(timeout_s)
        if self.fault == "sends again at one pace":
            self._resend._pause_s = LEAST_PAUSE_S
        if self._late and time.monotonic() > self._late[0]:
            self._send(self._late[1])
            self._late = None

    def _hear(self, delivery: Delivery) -> None:
        fields = json.loads(delivery.message.body)
        era, _, committed = self._resend._heard
        asks = fields.get("resend_from")
        is_old = (fields.get("era", 0), fields.get("committed_seq", 0)) < (era, committed)
        results = fields.get("results", ())
        match self.fault:
            case "obeys every receipt" if asks and is_old:
                ((_, payload),) = self.journal.events_from(self.boot, asks, 1)
                self._send(payload)
            case "deaf to a new era" if era and fields.get("era", 0) > era:
                return
            case "strict with receipts" if fields.keys() - _FIELDS and "tiers" not in fields:
                return
            case "sends again for ever" if self._resend._from and asks is None:
                ((_, payload),) = self.journal.events_from(self.boot, self._resend._from, 1)
                self._late = time.monotonic() + 0.5, payload
        super()._hear(delivery)
        for result in results:
            if self.fault == "takes refusals back" and result["outcome"] == "quarantined":
                refusal = Result(seq=result["seq"], outcome="quarantined", reason="bad_schema")
                self.receipts._results[refusal.seq] = refusal

    def _begin(self, boot: int) -> None:
        super()._begin(boot + 1 if self.fault == "boot of its own" else boot)
        if self._pressed_too_early:
            super().press()

    def press(self, seats_dealt: Any = None) -> int | None:
        if self.fault == "records without a boot" and not self.boot:
            self._pressed_too_early = True
            return None
        if self.fault == "boot 0 events" and not self.boot:
            self._send(self._signed(_early(self.system, self.table)))
            return None
        return super().press(seats_dealt)

    def stop(self) -> None:
        if self.fault == "leaves without a word" and not self._stopping.is_set():
            self._end(self.link.stop)
        super().stop()

    def handset_text(self, seq: int) -> str:
        text = super().handset_text(seq)
        if self.fault == "handset without numbers":
            return text.partition(" no.")[0]
        return "RECORDED" if self.fault == "hopeful handset" else text


class _Screen(DisplayPanel):
    """Shows whatever came last."""

    def hear(self, payload: bytes) -> None:
        self._message = None
        super().hear(payload)


class _Parts:
    """The journal of a unit that divides wrongly what is sent again."""

    def __init__(self, journal: Any, fault: str) -> None:
        self._journal, self._sends_all = journal, fault == "sends all again at once"
        self._next = 0  # the first event of the part behind the last one

    def recall(self, name: str) -> int:
        return int(self._journal.recall(name))

    def events_from(self, boot: int, first: int, most: int) -> list[tuple[int, bytes]]:
        if self._sends_all:
            return list(self._journal.events_from(boot, first, 10**6))
        if first == self._next:
            return []
        events = list(self._journal.events_from(boot, first, most))
        self._next = first + most
        return events
