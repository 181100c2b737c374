"""Between the unit and its broker: what a unit says there, packet by packet, and a switch.

A unit connects to the tap as to its broker. Bytes pass through unchanged; of the packets only what
the protocol speaks of is read.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from conformance.line import Broker

_Answer = TypeVar("_Answer")

CONNECT, PUBLISH, SUBSCRIBE, SUBACK, DISCONNECT = 1, 3, 8, 9, 14
_READ_BYTES = 65536
_NUMBER = re.compile(rb'"connection"\s*:\s*(\d+)')
_MOST_BYTES_OF_A_LENGTH = 4
_SESSION_EXPIRY = 0x11  # the property of MQTT 5
_PROPERTY_SIZES = {0x01: 1, 0x02: 4, 0x17: 1, 0x19: 1, 0x21: 2, 0x22: 2, 0x27: 4, 0x11: 4}


@dataclass(slots=True)
class Connect:
    """What a CONNECT packet says."""

    version: int  # 4: MQTT 3.1.1, 5: MQTT 5
    client_id: str
    username: str | None
    is_clean: bool
    keepalive_s: int
    expiry_s: int
    will: tuple[str, bytes, int, bool] | None  # topic, payload, QoS, retained


@dataclass(slots=True)
class Connection:
    """One connection of the unit: its CONNECT, and the order of what followed."""

    connect: Connect
    begun_at: float
    steps: list[str] = field(default_factory=list)  # subscribe, suback, disconnect, or what is said


class Tap:
    """Listens on a port of its own, hands on to the broker; `cut` breaks the line."""

    def __init__(self, broker: Broker, port: int = 0, context: ssl.SSLContext | None = None):
        """`context`: units connect to it over TLS. OSError where the port is taken."""
        self.connections: list[Connection] = []
        self.attempts: list[float] = []  # when each began, by the monotonic clock
        self._refusals = 0  # how many attempts are refused from now on
        self._broker = broker
        self._changed = threading.Condition()
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tap", daemon=True)
        self._thread.start()
        listener = socket.create_server(("", port))
        self.port: int = listener.getsockname()[1]
        self._server = self._run(asyncio.start_server(self._serve, sock=listener, ssl=context))

    def wait(self, number: int, timeout_s: float) -> Connection | None:
        """The connection with this number from 0; None when it is not there in time."""
        with self._changed:
            is_there = self._changed.wait_for(lambda: len(self.connections) > number, timeout_s)
            return self.connections[number] if is_there else None

    def wait_step(self, step: str, timeout_s: float) -> list[str]:
        """The steps of the newest connection, as soon as this is the last or the time is up."""
        with self._changed:
            self._changed.wait_for(lambda: self.connections[-1].steps[-1:] == [step], timeout_s)
            return self.connections[-1].steps

    def wait_attempt(self, number: int, timeout_s: float) -> float | None:
        """When the attempt with this number from 0 began; None when it did not in time."""
        with self._changed:
            is_there = self._changed.wait_for(lambda: len(self.attempts) > number, timeout_s)
            return self.attempts[number] if is_there else None

    def cut(self, refuse: int = 0) -> None:
        """Break every connection on both sides, as a pulled cable does; so many new ones, too."""
        self._refusals = refuse
        self._run(self._abort())

    def close(self) -> None:
        """Listen no more."""
        self._loop.call_soon_threadsafe(self._server.close)
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, _Answer]) -> _Answer:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _abort(self) -> None:
        broken = set(self._open)
        for writer in broken:
            writer.transport.abort()
        while broken & self._open:
            await asyncio.sleep(0.001)

    async def _serve(self, unit: asyncio.StreamReader, to_unit: asyncio.StreamWriter) -> None:
        self.attempts.append(time.monotonic())
        self._notify()
        if self._refusals:
            self._refusals -= 1
            to_unit.transport.abort()
            return
        packets = _Reader(self._begin, self._notify)
        ends = [to_unit]
        self._open.add(to_unit)
        try:
            broker, to_broker = await asyncio.open_connection(
                self._broker.host,
                self._broker.port,
                ssl=self._broker.context() if self._broker.tls else None,
            )
            ends.append(to_broker)
            self._open.add(to_broker)
            await asyncio.gather(
                _pass_on(unit, to_broker, packets.from_unit),
                _pass_on(broker, to_unit, packets.from_broker),
            )
        except OSError:
            pass  # the broker is away: the unit finds its connection broken, and tries again
        finally:
            for writer in ends:
                writer.close()
                self._open.discard(writer)

    def _begin(self, connect: Connect) -> Connection:
        connection = Connection(connect, time.monotonic())
        self.connections.append(connection)
        self._notify()
        return connection

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()


async def _pass_on(
    source: asyncio.StreamReader, target: asyncio.StreamWriter, read: Callable[[bytes], None]
) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(_READ_BYTES):
            read(data)
            target.write(data)
            await target.drain()
    target.close()


class _Reader:
    """The packets of both directions of one connection, as far as they are whole."""

    def __init__(self, begin: Callable[[Connect], Connection], notify: Callable[[], None]) -> None:
        self._begin, self._notify = begin, notify
        self._connection: Connection | None = None
        self._unread = {"unit": b"", "broker": b""}

    def from_unit(self, data: bytes) -> None:
        for kind, flags, body in self._packets("unit", data):
            if kind == CONNECT:
                self._connection = self._begin(read_connect(body))
            elif kind == SUBSCRIBE:
                self._step("subscribe")
            elif kind == DISCONNECT:
                self._step("disconnect")
            elif kind == PUBLISH and not flags & 0b1000:  # what is sent again tells no order
                self._step(self._publication(body))

    def from_broker(self, data: bytes) -> None:
        for kind, _, _ in self._packets("broker", data):
            if kind == SUBACK:
                self._step("suback")

    def _publication(self, body: bytes) -> str:
        """What is said, by the end of the topic; of presences `offline`, and `earlier` where a
        library says one of the connection before once more."""
        topic, at = _text(body, 0)
        kind = topic.rpartition("/")[2]
        if kind != "presence":
            return kind
        if b'"offline"' in body[at:]:
            return "offline"
        will = self._connection.connect.will if self._connection else None
        is_own = will is None or _NUMBER.findall(will[1]) == _NUMBER.findall(body[at:])
        return kind if is_own else "earlier"

    def _step(self, name: str) -> None:
        if self._connection:
            self._connection.steps.append(name)
            self._notify()

    def _packets(self, side: str, data: bytes) -> list[tuple[int, int, bytes]]:
        unread, packets = self._unread[side] + data, []
        while (length := _length(unread)) and len(unread) >= sum(length):
            start, size = length
            packets.append((unread[0] >> 4, unread[0] & 15, unread[start : start + size]))
            unread = unread[start + size :]
        self._unread[side] = unread
        return packets


def _length(packet: bytes) -> tuple[int, int] | None:
    """Where the body of a packet begins, and its size; None while that cannot be read."""
    size = 0
    for place, byte in enumerate(packet[1 : 1 + _MOST_BYTES_OF_A_LENGTH]):
        size |= (byte & 127) << (7 * place)
        if not byte & 128:
            return place + 2, size
    return None


def read_connect(body: bytes) -> Connect:
    """The fields of a CONNECT packet of MQTT 3.1.1 or 5."""
    _, at = _text(body, 0)
    version, flags = body[at], body[at + 1]
    keepalive_s, at = int.from_bytes(body[at + 2 : at + 4]), at + 4
    expiry_s = 0
    if version == 5:
        expiry_s, at = _expiry(body, at)
    client_id, at = _text(body, at)
    will = None
    if flags & 0b100:
        if version == 5:
            size, at = _varint(body, at)
            at += size
        topic, at = _text(body, at)
        payload, at = _data(body, at)
        will = topic, payload, flags >> 3 & 3, bool(flags & 0b100000)
    username = _text(body, at)[0] if flags & 0b10000000 else None
    return Connect(version, client_id, username, bool(flags & 0b10), keepalive_s, expiry_s, will)


def _expiry(body: bytes, at: int) -> tuple[int, int]:
    """The session's expiry of MQTT 5 in seconds, and where its properties end."""
    size, at = _varint(body, at)
    end, expiry_s = at + size, 0
    while at < end and (width := _PROPERTY_SIZES.get(body[at])):
        if body[at] == _SESSION_EXPIRY:
            expiry_s = int.from_bytes(body[at + 1 : at + 1 + width])
        at += 1 + width
    return expiry_s, end


def _varint(body: bytes, at: int) -> tuple[int, int]:
    start, size = _length(b"\0" + body[at:]) or (1, 0)
    return size, at + start - 1


def _data(body: bytes, at: int) -> tuple[bytes, int]:
    size = int.from_bytes(body[at : at + 2])
    return body[at + 2 : at + 2 + size], at + 2 + size


def _text(body: bytes, at: int) -> tuple[str, int]:
    data, end = _data(body, at)
    return data.decode(errors="replace"), end
