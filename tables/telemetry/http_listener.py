"""A small HTTP server beside a main loop, which it can never hold up.

It has few threads, reads a request for a short time only, and ends each connection: whoever asks
slowly, or a hundred times at once, takes nothing from the process but these.
"""

from __future__ import annotations

import io
import logging
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

log = logging.getLogger(__name__)

AT_ONCE = 8  # requests; who comes beyond is sent away
REQUEST_S = 2.0  # for a request to be there as a whole
ANSWER_S = 5.0  # for its answer to be taken
MOST_BYTES = 8 * 1024  # of a request
BIND_AGAIN_S = 5.0  # where somebody else has the address


class Reply(NamedTuple):
    """An answer as it is sent."""

    status: int
    media: str
    body: bytes


Pages = Mapping[str, Callable[[], Reply]]


class HttpListener:
    """Answers GET and HEAD of some paths at HOST:PORT, from threads of its own."""

    def __init__(self, where: str, pages: Pages) -> None:
        self._host, self._port = address_of(where)
        self._pages = pages
        self._server: _Server | None = None
        self._closing = threading.Event()

    def start(self) -> None:
        """Listen as soon as the address is free: the main loop does not wait for that."""
        threading.Thread(target=self._serve, name="http-listener", daemon=True).start()

    def close(self) -> None:
        """Listen no more; what was begun is answered."""
        self._closing.set()
        if self._server is not None:
            self._server.shutdown()

    def forget(self) -> None:
        """In a forked child: the address is its parent's."""
        if self._server is not None:
            self._server.socket.close()

    def _serve(self) -> None:
        is_said = False
        while not self._closing.is_set():
            try:
                with _Server(self._host, self._port, self._pages) as self._server:
                    self._server.serve_forever(poll_interval=0.5)
                return
            except OSError as fault:
                if not is_said:  # of several web processes one listens, and another when it ends
                    log.warning("cannot listen at %s port %d: %s", self._host, self._port, fault)
                is_said = True
                self._closing.wait(BIND_AGAIN_S)


def address_of(where: str) -> tuple[str, int]:
    """Host and port; ImproperlyConfigured for anything else.

    >>> address_of("127.0.0.1:9100")
    ('127.0.0.1', 9100)
    >>> address_of("[::1]:9100")
    ('::1', 9100)
    """
    try:
        parts = urlsplit(f"//{where}")
        if parts.hostname and parts.port and parts.username is None and parts.netloc == where:
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise ImproperlyConfigured(
        f"HEALTH_LISTEN is an address and a port, such as 127.0.0.1:9100, not {where!r}."
    )


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, host: str, port: int, pages: Pages) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.pages = pages
        self._places = threading.BoundedSemaphore(AT_ONCE)
        super().__init__((host, port), _Handler)

    def server_bind(self) -> None:
        socketserver.TCPServer.server_bind(self)  # HTTPServer's asks the network for a name

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._places.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002
        log.debug("a request to the listener was not answered", exc_info=True)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version, sys_version = "console", ""

    def setup(self) -> None:
        super().setup()
        self.rfile = io.BytesIO(_request(self.request))
        self.request.settimeout(ANSWER_S)

    def do_GET(self) -> None:
        page = self.server.pages.get(self.path.partition("?")[0])
        reply = page() if page else Reply(404, "text/plain", b"There is nothing here.\n")
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.media)
        self.send_header("Content-Length", str(len(reply.body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    do_HEAD = do_GET  # noqa: N815 - the library's name

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nobody reads who asked how a process is."""


def _request(line: socket.socket) -> bytes:
    """The head of a request; nothing when it was not whole in time."""
    deadline, head = time.monotonic() + REQUEST_S, b""
    while b"\r\n\r\n" not in head:
        left_s = deadline - time.monotonic()
        if left_s <= 0 or len(head) > MOST_BYTES:
            return b""
        line.settimeout(left_s)
        try:
            piece = line.recv(4096)
        except TimeoutError:
            return b""
        if not piece:
            return b""
        head += piece
    return head
