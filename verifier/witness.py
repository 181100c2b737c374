"""python -m verifier witness: cosign the checkpoints of logs that only grow (C2SP tlog-witness).

Needs Python alone. State is a folder: the secret key, of each log the last checkpoint that was
cosigned, and every refused one beside the one that it contradicts. The first page of the address
shows both.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import hashlib
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from verifier import ed25519
from verifier.merkle import grew
from verifier.notes import (
    COSIGNATURE,
    Checkpoint,
    NoteError,
    PublicKey,
    Signature,
    cosigned,
    key_id,
)

LONGEST = 64 * 1024  # bytes of a request
MOST_PROOF = 63  # hashes of a proof
MOST_REFUSALS = 1000  # of a log that are kept; the first ones matter
TEXT, SIZE = "text/plain; charset=utf-8", "text/x.tlog.size"


@dataclass(frozen=True)
class Answer:
    """A status of HTTP with its text."""

    status: int
    text: str
    kind: str = TEXT


class Witness:
    """Cosigns what follows from what it cosigned before, one request after the other."""

    def __init__(
        self,
        state: Path,
        name: str,
        logs: list[PublicKey],
        now: Callable[[], float] = time.time,
    ) -> None:
        self._state, self._name, self._now = state, name, now
        self._logs: dict[str, list[PublicKey]] = {}
        for log in logs:
            self._logs.setdefault(log.name, []).append(log)
        self._lock = threading.Lock()
        self._secret = _secret(state)
        self._public = bytes([COSIGNATURE]) + ed25519.public_key(self._secret)

    def public_key(self) -> str:
        """What the witness publishes."""
        encoded = base64.b64encode(self._public).decode()
        return f"{self._name}+{key_id(self._name, self._public).hex()}+{encoded}"

    def add(self, body: bytes) -> Answer:
        """A request to `add-checkpoint`: the answer, after what it rests on was stored."""
        try:
            head, _, note = body.decode().partition("\n\n")
            first, *lines = head.split("\n")
            old, path = _old(first), [_hash(line) for line in lines]
            checkpoint = Checkpoint.parse(note)
        except (NoteError, UnicodeDecodeError) as fault:
            return Answer(400, f"{fault}\n")
        if len(path) > MOST_PROOF:
            return Answer(400, f"a proof has at most {MOST_PROOF} hashes\n")
        keys = self._logs.get(checkpoint.origin)
        if keys is None:
            return Answer(404, f"{checkpoint.origin} is not a log of this witness\n")
        if not any(key.has_signed(checkpoint.note) for key in keys):
            return Answer(403, f"no key of {checkpoint.origin} signed the checkpoint\n")
        with self._lock:
            return self._judged(checkpoint, note, old, path)

    def _judged(self, checkpoint: Checkpoint, note: str, old: int, path: list[bytes]) -> Answer:
        if old > checkpoint.size:
            return Answer(400, f"the old size {old} is above the size {checkpoint.size}\n")
        folder = self._folder(checkpoint.origin)
        before = _last(folder)
        last = before.size if before else 0
        if before is not None and checkpoint.size == last and checkpoint.root != before.root:
            _keep_refused(folder, note, f"another root of the same size {last}")
            return Answer(409, f"{last}\n", SIZE)
        if old != last:
            return Answer(409, f"{last}\n", SIZE)
        old_root = before.root if before else b""
        if not grew(old, old_root, checkpoint.size, checkpoint.root, path):
            if before is not None:
                _keep_refused(folder, note, f"no growth from {last} to {checkpoint.size}")
            return Answer(422, f"the proof does not lead from {last} to {checkpoint.size}\n")
        _write(folder / "last", note)
        return Answer(200, self._cosignature(checkpoint))

    def _cosignature(self, checkpoint: Checkpoint) -> str:
        at = int(self._now())
        signed = ed25519.sign(self._secret, cosigned(at, checkpoint.note.text.encode()))
        value = at.to_bytes(8, "big") + signed
        return Signature(self._name, key_id(self._name, self._public), value).line()

    def page(self) -> str:
        """What is known of each log, and every checkpoint that was refused."""
        parts = [f"Witness {self._name}\n{self.public_key()}\n"]
        for origin in sorted(self._logs):
            folder = self._folder(origin)
            before = _last(folder)
            stand = f"{before.size} blocks, {before.root.hex()}" if before else "nothing yet"
            parts.append(f"Log {origin}: {stand}\n")
            parts += [path.read_text() for path in sorted(folder.glob("refused-*"))]
        return "\n".join(parts)

    def _folder(self, origin: str) -> Path:
        folder = self._state / hashlib.sha256(origin.encode()).hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def _old(line: str) -> int:
    word, _, number = line.partition(" ")
    if word != "old" or not number.isdecimal() or (number != "0" and number[0] == "0"):
        raise NoteError("the first line is `old` and a size")
    return int(number)


def _hash(line: str) -> bytes:
    try:
        step = base64.b64decode(line, validate=True)
    except (binascii.Error, ValueError) as fault:
        raise NoteError("a line of the proof is not base64") from fault
    if len(step) != 32:
        raise NoteError("a line of the proof is no hash")
    return step


def _last(folder: Path) -> Checkpoint | None:
    path = folder / "last"
    return Checkpoint.parse(path.read_text()) if path.exists() else None


def _keep_refused(folder: Path, note: str, why: str) -> None:
    """Both checkpoints in one file: signed by one key, they cannot both be true."""
    digest = hashlib.sha256(note.encode()).hexdigest()[:16]
    if next(folder.glob(f"refused-*-{digest}"), None) or (
        sum(1 for _ in folder.glob("refused-*")) >= MOST_REFUSALS
    ):
        return
    at = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    before = (folder / "last").read_text()
    text = f"REFUSED {at}: {why}\n\nCosigned before:\n{before}\nRefused:\n{note}"
    _write(folder / f"refused-{at}-{digest}", text)


def _write(path: Path, text: str) -> None:
    """Whole or not at all, and on the disk."""
    fresh = path.with_name(f".{path.name}.new")
    with fresh.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _secret(state: Path) -> bytes:
    state.mkdir(parents=True, exist_ok=True)
    path = state / "secret-key"
    if not path.exists():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(32))
    return bytes.fromhex(path.read_text())


def server(witness: Witness, address: tuple[str, int]) -> ThreadingHTTPServer:
    """Answers at that address once it is started."""

    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if self.path != "/add-checkpoint":
                self._send(Answer(404, "there is only /add-checkpoint\n"))
            elif not length.isdecimal() or int(length) > LONGEST:
                self._send(Answer(413, "the request is too long\n"))
            else:
                self._send(witness.add(self.rfile.read(int(length))))

        def do_GET(self) -> None:
            is_page = self.path == "/"
            self._send(Answer(200, witness.page()) if is_page else Answer(404, "not here\n"))

        def _send(self, answer: Answer) -> None:
            body = answer.text.encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *values: object) -> None:
            """Nothing: the folder says what happened."""

    return ThreadingHTTPServer(address, Handler)


def main(arguments: list[str]) -> int:
    """Answer until it is stopped."""
    parser = argparse.ArgumentParser(
        prog="python -m verifier witness",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--listen", default="127.0.0.1:8770", metavar="ADDRESS:PORT")
    parser.add_argument("--state", type=Path, required=True, metavar="DIR")
    parser.add_argument("--name", required=True, help="under which it cosigns: a host and a path")
    parser.add_argument(
        "--log", action="append", required=True, help="public key of a log, NAME+ID+KEY"
    )
    options = parser.parse_args(arguments)
    host, _, port = options.listen.rpartition(":")
    try:
        witness = Witness(options.state, options.name, list(map(PublicKey.parse, options.log)))
        with server(witness, (host, int(port))) as listening:
            sys.stdout.write(witness.public_key() + "\n")
            sys.stdout.flush()
            listening.serve_forever()
    except KeyboardInterrupt:
        return 0
    except (OSError, ValueError) as why:
        sys.stderr.write(f"The witness cannot answer: {why}\n")
        return 2
    return 0
