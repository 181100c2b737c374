"""MQTT 3.1.1 at QoS 1, as little of it as a load generator needs.

Units of a casino run on machines of their own; here they share two cores with what is measured.
The usual library takes 40 microseconds of processor for each message it publishes, this file
takes one. It is no client for anything else: no TLS, no will, no QoS 2.
"""

import select
import socket
import struct
from collections.abc import Iterable, Iterator

KEEPALIVE_S = 60
_CONNECT, _CONNACK, _PUBLISH, _SUBSCRIBE, _SUBACK = 0x10, 0x20, 0x30, 0x82, 0x90
_PING, _DISCONNECT = b"\xc0\x00", b"\xe0\x00"
_READ_AT_ONCE = 1 << 18


class LineError(OSError):
    """The connection is gone or was refused; make a new one."""


class Line:
    """One connection with a clean session, open when made. Not for several threads."""

    def __init__(self, host: str, port: int, client_id: str) -> None:
        """Connect; LineError (or another OSError) when that fails."""
        self._read = bytearray()
        self._mid = 0
        self._socket = socket.create_connection((host, port), timeout=10)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        hello = _text("MQTT") + b"\x04\x02" + struct.pack("!H", KEEPALIVE_S) + _text(client_id)
        self._send(_packet(_CONNECT, hello))
        kind, answer = self._await_answer(_CONNACK)
        if answer[1]:
            raise LineError(f"The broker refuses the connection: {kind:#x} {answer!r}")

    def subscribe(self, topics: Iterable[str]) -> None:
        """Subscribe at QoS 1 and wait for the broker's word."""
        filters = b"".join(_text(topic) + b"\x01" for topic in topics)
        self._send(_packet(_SUBSCRIBE, struct.pack("!H", self._next_mid()) + filters))
        _, answer = self._await_answer(_SUBACK)
        if 0x80 in answer[2:]:
            raise LineError("The broker refuses a subscription.")

    def publish(self, messages: Iterable[tuple[bytes, bytes]], *, retain: bool = False) -> None:
        """Publish at QoS 1 (topic as of `topic_bytes`, payload); returns when the kernel has it."""
        head = 0x33 if retain else 0x32
        out = []
        for topic, payload in messages:
            mid = self._next_mid()
            size = _length(len(topic) + 2 + len(payload))
            out.append(b"%c%b%b%c%c%b" % (head, size, topic, mid >> 8, mid & 255, payload))
        self._send(b"".join(out))

    def receive(self, timeout_s: float) -> list[tuple[str, bytes]]:
        """What was delivered (topic, payload), waiting at most `timeout_s` for the first bytes."""
        if not self._poll.poll(max(0.0, timeout_s) * 1000):
            return []
        self._fill()
        messages: list[tuple[str, bytes]] = []
        acks = []
        for kind, body in self._packets():
            if kind & 0xF0 == _PUBLISH:
                end = 2 + (body[0] << 8 | body[1])
                topic = body[2:end].decode()
                if kind & 0x06:
                    acks.append(b"\x40\x02" + body[end : end + 2])
                    end += 2
                messages.append((topic, body[end:]))
        if acks:
            self._send(b"".join(acks))
        return messages

    def ping(self) -> None:
        self._send(_PING)

    def close(self) -> None:
        """Say goodbye."""
        try:
            self._send(_DISCONNECT)
        except LineError:
            pass
        finally:
            self._socket.close()

    def _next_mid(self) -> int:
        self._mid = self._mid % 65535 + 1
        return self._mid

    def _send(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise LineError(str(error)) from error

    def _fill(self) -> None:
        try:
            data = self._socket.recv(_READ_AT_ONCE)
        except OSError as error:
            raise LineError(str(error)) from error
        if not data:
            raise LineError("The broker closed the connection.")
        self._read += data

    def _await_answer(self, expected_kind: int) -> tuple[int, bytes]:
        while True:
            for kind, body in self._packets():
                if kind == expected_kind:
                    return kind, body
            self._fill()

    def _packets(self) -> Iterator[tuple[int, bytes]]:
        """Take the whole packets out of what was read."""
        data = bytes(self._read)
        at, end = 0, len(data)
        while end - at >= 2:
            size = shift = 0
            body = at + 1
            while body < end:
                byte = data[body]
                size |= (byte & 0x7F) << shift
                shift += 7
                body += 1
                if not byte & 0x80:
                    break
            else:
                break  # the length itself is not complete
            if body + size > end:
                break
            yield data[at], data[body : body + size]
            at = body + size
        del self._read[:at]


def topic_bytes(topic: str) -> bytes:
    """A topic as `Line.publish` takes it: made once, used often."""
    return _text(topic)


def _text(text: str) -> bytes:
    coded = text.encode()
    return struct.pack("!H", len(coded)) + coded


def _length(size: int) -> bytes:
    out = bytearray()
    while True:
        size, byte = size >> 7, size & 0x7F
        if not size:
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


def _packet(kind: int, body: bytes) -> bytes:
    return bytes([kind]) + _length(len(body)) + body
