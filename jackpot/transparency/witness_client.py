"""One request to a server of others, of which time and size have a limit whatever that one does."""

from __future__ import annotations

import contextlib
import functools
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import Self
from urllib.parse import urlsplit, urlunsplit

TEXT = "text/plain; charset=utf-8"
WITHIN_S = 10.0  # of a whole request
LONGEST = 64 * 1024  # bytes of an answer


@dataclass(frozen=True)
class Reply:
    """What a witness answered."""

    status: int
    text: str


class Silent(Exception):
    """No answer that can be used; the message says why."""


def is_address(url: str) -> bool:
    """Whether a witness may have this address."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def connected(host: str, port: int, within_s: float) -> socket.socket:
    """A line to whatever the name stands for."""
    return socket.create_connection((host, port), timeout=within_s)


def ask(
    url: str,
    body: bytes | None = None,
    within_s: float = WITHIN_S,
    *,
    headers: Mapping[str, str] | None = None,
    connect: Callable[[str, int, float], socket.socket] = connected,
) -> Reply:
    """POST with a body, else GET. No redirect is followed. Silent where no answer comes in time."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    wire = HTTPConnection(parts.hostname or "", port)
    until = time.monotonic() + within_s
    try:
        wire.sock = connect(wire.host, port, within_s)
        with _Deadline(wire.sock, within_s, until) as deadline:
            if parts.scheme == "https":
                encrypted = _tls().wrap_socket(
                    wire.sock, server_hostname=wire.host, do_handshake_on_connect=False
                )
                wire.sock = deadline.wire = encrypted
                encrypted.do_handshake()
            all_headers = {"Host": parts.netloc.rpartition("@")[2], "Connection": "close"}
            if body is not None:
                all_headers["Content-Type"] = TEXT
            method = "GET" if body is None else "POST"
            address = urlunsplit(("", "", parts.path or "/", parts.query, ""))
            wire.request(method, address, body, all_headers | dict(headers or {}))
            answer = wire.getresponse()
            text = answer.read(LONGEST + 1)
    except (OSError, HTTPException) as fault:
        raise Silent(f"no answer from {parts.netloc}: {fault or type(fault).__name__}") from fault
    finally:
        wire.close()
    if len(text) > LONGEST:
        raise Silent(f"{parts.netloc} answers with more than {LONGEST} bytes")
    return Reply(
        answer.status, text.decode(errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    )


@functools.cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


class _Deadline:
    """TimeoutError then. Who sends a byte now and then keeps within every limit of a socket."""

    def __init__(self, wire: socket.socket, seconds: float, until: float) -> None:
        """`seconds` of the whole request, which ends at `until` by the monotonic clock."""
        self.wire, self._seconds, self._is_over = wire, seconds, False
        self._timer = threading.Timer(max(until - time.monotonic(), 0), self._end)
        self._timer.daemon = True

    def _end(self) -> None:
        self._is_over = True
        with contextlib.suppress(OSError):
            # Not the method of TLS, which takes the line from under whoever reads.
            socket.socket.shutdown(self.wire, socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_fault: object) -> None:
        self._timer.cancel()
        if self._is_over:
            raise TimeoutError(f"not within {self._seconds:g} s")
