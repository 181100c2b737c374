"""A witness over HTTP: what it takes, and how much of it at once."""

from __future__ import annotations

import argparse
import fcntl
import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from verifier.notes import PublicKey
from verifier.witness import witness as described
from verifier.witness.witness import Answer, Witness

LONGEST = 64 * 1024  # bytes of a request
LONGEST_S = 20.0  # that its body may take
MOST_CONNECTIONS = 64  # whoever comes beyond is turned away
_CHECKPOINT = re.compile(r"/([0-9a-f]{64})/checkpoint\Z")


class Server(ThreadingHTTPServer):
    """Answers for a witness once it is started (`serve_forever`)."""

    daemon_threads = True
    request_queue_size = MOST_CONNECTIONS

    def __init__(self, witness: Witness, address: tuple[str, int]) -> None:
        self.witness = witness
        self._free = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__(address, _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # a log asks often: the connection stays
    timeout = 10
    server: Server

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if self.path != "/add-checkpoint":
            self._refuse(Answer(404, "there is only /add-checkpoint\n"))
        elif not re.fullmatch("[0-9]{1,9}", length):
            self._refuse(Answer(411, "say how long the request is\n"))
        elif int(length) > LONGEST:
            self._refuse(Answer(413, "the request is too long\n"))
        else:
            self._send(self.server.witness.add(self._body(int(length))))

    def do_GET(self) -> None:
        witness = self.server.witness
        if match := _CHECKPOINT.match(self.path):
            self._send(witness.checkpoint(match[1]))
        elif self.path == "/health":
            self._send(witness.health())
        elif self.path == "/":
            self._send(Answer(200, witness.page()))
        else:
            self._send(Answer(404, "not here\n"))

    def _body(self, length: int) -> bytes:
        until, body = time.monotonic() + LONGEST_S, b""
        while len(body) < length:
            piece = self.rfile.read1(length - len(body))
            if not piece or time.monotonic() > until:
                raise TimeoutError("the request did not come to its end")
            body += piece
        return body

    def _refuse(self, answer: Answer) -> None:
        """Without the body: what is left of it must not be taken for the next request."""
        self.close_connection = True
        self._send(answer)

    def _send(self, answer: Answer) -> None:
        body = answer.text.encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *values: object) -> None:
        """Nothing: the folder says what happened."""


@contextmanager
def _alone(state: Path) -> Iterator[None]:
    """Two on one folder would each cosign a history of its own."""
    state.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(state / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as held:
        os.close(descriptor)
        raise ValueError(f"another one uses {state}") from held
    try:
        yield
    finally:
        os.close(descriptor)


def main(arguments: list[str]) -> int:
    """Answer until it is stopped."""
    parser = argparse.ArgumentParser(
        prog="python -m verifier witness",
        description=described.__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--listen", default="127.0.0.1:8770", metavar="ADDRESS:PORT")
    parser.add_argument("--state", type=Path, required=True, metavar="DIR")
    parser.add_argument("--name", required=True, help="under which it cosigns: a host and a path")
    parser.add_argument(
        "--log",
        action="append",
        required=True,
        help="public key of a log, NAME+ID+KEY; several for several logs or keys",
    )
    parser.add_argument(
        "--ml-dsa",
        action="store_true",
        help="make a key of ML-DSA-44, too, by which it cosigns from then on",
    )
    options = parser.parse_args(arguments)
    host, _, port = options.listen.rpartition(":")
    try:
        with _alone(options.state):
            keys = list(map(PublicKey.parse, options.log))
            for key in keys:
                if not key.is_checked_here:
                    sys.stderr.write(f"Key {key.id.hex()} is not of Ed25519: passed over.\n")
            witness = Witness(options.state, options.name, keys, with_ml_dsa=options.ml_dsa)
            with Server(witness, (host, int(port))) as listening:
                sys.stdout.write("\n".join([*witness.public_keys(), ""]))
                sys.stdout.flush()
                listening.serve_forever()
    except KeyboardInterrupt:
        return 0
    except (OSError, ValueError) as why:
        sys.stderr.write(f"The witness cannot answer: {why}\n")
        return 2
    return 0
