"""A connection to the broker, and the log of all that is said on it."""

from __future__ import annotations

import json
import queue
import ssl
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion

KEEPALIVE_S = 30


class NoBroker(Exception):
    """The broker is out of reach, or refuses; the message says which."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Where the broker is, and how one logs in."""

    host: str = "localhost"
    port: int = 1883
    username: str | None = None
    password: str | None = None
    ca: Path | None = None  # authorities to trust
    tls: bool = False

    def context(self) -> ssl.SSLContext:
        """What a TLS connection trusts: `ca`, else the system's authorities."""
        return ssl.create_default_context(cafile=str(self.ca) if self.ca else None)


@dataclass(frozen=True, slots=True)
class Place:
    """The table: its system, its code, the key of its unit, and the topics."""

    system: str
    table: str
    key: bytes = b""

    def topic(self, kind: str) -> str:
        """`events`, `presence`, `readings` or `receipts` of this table."""
        return f"jackpot/v1/{self.system}/{self.table}/{kind}"

    @property
    def display(self) -> str:
        """What all displays of the system are sent."""
        return f"jackpot/v1/{self.system}/display"

    def console(self, instance: str = "+") -> str:
        """Whether an intake listens."""
        return f"jackpot/v1/{self.system}/console/{instance}"


class Delivery(NamedTuple):
    """A message as it was delivered; `at` by the monotonic clock."""

    topic: str
    payload: bytes
    qos: int
    retained: bool
    at: float

    @property
    def kind(self) -> str:
        """The last part of the topic that says what it is: events, receipts, display ..."""
        parts = self.topic.split("/")
        return "console" if len(parts) > 4 and parts[3] == "console" else parts[-1]

    def json(self) -> Any:
        """The document of a message that bears no MAC; None where it is none."""
        try:
            return json.loads(self.payload)
        except (ValueError, RecursionError):
            return None


@dataclass(slots=True)
class Log:
    """Every message, one JSON object a line: when, in or out, topic, and the bytes as text."""

    file: TextIO | None = None
    fault: Exception | None = None  # of the kit's own, while it heard a message
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, direction: str, topic: str, payload: bytes, qos: int, retained: bool) -> None:
        if self.file is None:
            return
        line = {
            "at": time.time(),
            "direction": direction,
            "topic": topic,
            "qos": qos,
            "retained": retained,
            "payload": payload.decode(errors="backslashreplace"),
        }
        with self._lock:
            self.file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self.file.flush()

    def raise_fault(self) -> None:
        """End the trial where a message was not judged: its clauses are unknown."""
        if self.fault:
            raise self.fault


class Line:
    """One connection. `hear` is called in the network's thread; else messages wait in `heard`."""

    def __init__(
        self,
        broker: Broker,
        log: Log,
        *,
        client_id: str = "",
        hear: Callable[[Delivery], None] | None = None,
        will: tuple[str, bytes] | None = None,
    ) -> None:
        self.heard: queue.Queue[Delivery] = queue.Queue()
        self._hear = hear or self.heard.put
        self._broker, self._log = broker, log
        self._answer_event = threading.Event()
        self._granted: dict[int, bool] = {}
        self._changed = threading.Condition()
        self.refusal = ""
        self.is_open = False
        self._client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=client_id or f"conformance-{uuid.uuid4().hex[:12]}",
            protocol=paho.MQTTv311,
            clean_session=True,
            reconnect_on_failure=False,
        )
        if broker.username is not None:
            self._client.username_pw_set(broker.username, broker.password)
        if broker.tls:
            self._client.tls_set_context(broker.context())
        if will:
            self._client.will_set(*will, qos=1, retain=True)
        self._client.max_inflight_messages_set(0)
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._disconnected
        self._client.on_subscribe = self._subscribed
        self._client.on_message = self._delivered

    def open(self, *filters: str, timeout_s: float = 10.0) -> Line:
        """Connect and subscribe; NoBroker where that is refused."""
        try:
            self._client.connect(self._broker.host, self._broker.port, KEEPALIVE_S)
        except (OSError, ValueError) as error:
            raise NoBroker(f"{self._broker.host}:{self._broker.port}: {error}") from None
        self._client.loop_start()
        if not self._answer_event.wait(timeout_s) or self.refusal:
            self.close()
            raise NoBroker(self.refusal or "The broker does not answer.")
        for topic in filters:
            if not self.subscribe(topic, timeout_s):
                self.close()
                raise NoBroker(f"The broker does not let this log-in hear {topic}.")
        return self

    def subscribe(self, topic: str, timeout_s: float = 10.0) -> bool:
        """Whether the broker grants it."""
        _, number = self._client.subscribe(topic, qos=1)
        with self._changed:
            self._changed.wait_for(lambda: number in self._granted, timeout_s)
            return self._granted.get(number or 0, False)

    def say(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Publish; whether the broker acknowledged it."""
        self._log.write("out", topic, payload, qos, retain)
        publication = self._client.publish(topic, payload, qos=qos, retain=retain)
        if threading.current_thread() is self._client._thread:
            return True  # its own thread cannot wait for the answer
        try:
            publication.wait_for_publish(10)
            return publication.is_published()
        except (RuntimeError, ValueError):
            return False

    def wait_closed(self, timeout_s: float) -> bool:
        """Whether the broker ended the connection within the time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self.is_open, timeout_s)

    def close(self) -> None:
        """Leave in good order: no last will."""
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, _c: Any, _d: Any, _f: Any, reason: Any, _p: Any) -> None:
        if reason.is_failure:
            self.refusal = f"The broker refuses the log-in: {reason}."
        self.is_open = not reason.is_failure
        self._answer_event.set()

    def _disconnected(self, *_: Any) -> None:
        with self._changed:
            self.is_open = False
            self._changed.notify_all()

    def _subscribed(self, _c: Any, _d: Any, number: int, reasons: Any, _p: Any) -> None:
        with self._changed:
            self._granted[number] = not any(reason.is_failure for reason in reasons)
            self._changed.notify_all()

    def _delivered(self, _c: Any, _d: Any, message: paho.MQTTMessage) -> None:
        payload = bytes(message.payload)
        self._log.write("in", message.topic, payload, message.qos, message.retain)
        at = time.monotonic()
        try:
            self._hear(Delivery(message.topic, payload, message.qos, message.retain, at))
        except Exception as error:  # noqa: BLE001 - else the library's thread ends, and hears no more
            self._log.fault = self._log.fault or error


def remembered(broker: Broker, log: Log, topic: str, wait_s: float) -> bytes | None:
    """What the broker retains on a topic; None where nothing is within the time."""
    line = Line(broker, log).open(topic)
    try:
        deadline = time.monotonic() + wait_s
        while (left := deadline - time.monotonic()) > 0:
            delivery = line.heard.get(timeout=left)
            if delivery.retained:
                return delivery.payload
    except queue.Empty:
        pass
    finally:
        line.close()
    return None
