"""python -m verifier witness: cosign the checkpoints of logs that only grow (C2SP tlog-witness).

Needs Python alone; to cosign by ML-DSA-44, too, cryptography. State is a folder: the secret keys,
of each log the last checkpoint that was cosigned, and every refused one beside it. The first page
of its address shows both, `/health` whether it works, `/HASH/checkpoint` what was last cosigned
(HASH: the SHA-256 of the log's name).
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from verifier.merkle import grew
from verifier.notes import Checkpoint, NoteError, PublicKey, digest, is_name, size_of
from verifier.witness import disk
from verifier.witness.keys import keys_in

MOST_PROOF = 63  # hashes of a proof
LONGEST_NAME = 255  # bytes of its own name or a log's: a cosignature of ML-DSA-44 has no more
MOST_REFUSALS = 1000  # of a log that are kept; the first ones matter
TEXT, SIZE = "text/plain; charset=utf-8", "text/x.tlog.size"


@dataclass(frozen=True)
class Answer:
    """A status of HTTP with its text."""

    status: int
    text: str
    kind: str = TEXT


@dataclass(frozen=True)
class _Request:
    """What was sent: the checkpoint, of which size it is to be growth, and what shows it."""

    checkpoint: Checkpoint
    old: int
    path: list[bytes]
    note: str  # the checkpoint with the signatures of known keys alone


class Witness:
    """Cosigns what follows from what it cosigned before, one request after the other."""

    def __init__(
        self,
        state: Path,
        name: str,
        logs: list[PublicKey],
        now: Callable[[], float] = time.time,
        *,
        with_ml_dsa: bool = False,
    ) -> None:
        """`with_ml_dsa`: it gets a key of ML-DSA-44 if it has none yet."""
        if not is_name(name):
            raise NoteError(f"{name} is no name of a witness: it has neither spaces nor a plus")
        names = [name, *(log.name for log in logs)]
        if long := [each for each in names if len(each.encode()) > LONGEST_NAME]:
            raise NoteError(f"{long[0]} is longer than {LONGEST_NAME} bytes")
        self._state, self._name, self._now = state, name, now
        self._logs: dict[str, list[PublicKey]] = {}
        for log in logs:
            logs_of_name = self._logs.setdefault(log.name, [])
            if log.is_checked_here:
                logs_of_name.append(log)
        if without := [origin for origin, keys in self._logs.items() if not keys]:
            raise NoteError(f"{without[0]} has no key of Ed25519: a witness checks no other kind")
        self._lock = threading.Lock()
        self._fault = ""
        self._keys = keys_in(state, with_ml_dsa=with_ml_dsa)

    def public_keys(self) -> list[str]:
        """What the witness publishes: its key of Ed25519, then that of ML-DSA-44 if it has one."""
        return [key.published(self._name) for key in self._keys]

    def public_key(self) -> str:
        """The first of them."""
        return self.public_keys()[0]

    def add(self, body: bytes) -> Answer:
        """A request to `add-checkpoint`: the answer, after what it rests on was stored."""
        try:
            head, middle, note = body.decode().partition("\n\n")
            if not middle:
                raise NoteError("an empty line stands before the checkpoint")
            first, *lines = head.split("\n")
            old, path = _old(first), [digest(line) for line in lines]
            checkpoint = Checkpoint.parse(note)
        except (NoteError, UnicodeDecodeError) as fault:
            return Answer(400, f"{fault}\n")
        if len(path) > MOST_PROOF:
            return Answer(400, f"a proof has at most {MOST_PROOF} hashes\n")
        keys = self._logs.get(checkpoint.origin)
        if keys is None:
            return Answer(404, f"{checkpoint.origin} is not a log of this witness\n")
        if any(key.is_misused(checkpoint.note) for key in keys):
            return Answer(403, f"a signature of {checkpoint.origin} is not good\n")
        signatures = [line for key in keys for line in key.signatures(checkpoint.note)]
        if not signatures:
            return Answer(403, f"no key of {checkpoint.origin} signed the checkpoint\n")
        trusted = checkpoint.note.text + "\n" + "".join(line.line() for line in signatures)
        with self._lock:
            try:
                answer = self._judged(_Request(checkpoint, old, path, trusted))
            except (OSError, NoteError) as fault:  # of its own folder
                self._fault = f"{fault}"
                return Answer(500, "the witness cannot use its folder\n")
            self._fault = ""
            return answer

    def _judged(self, request: _Request) -> Answer:
        checkpoint = request.checkpoint
        if request.old > checkpoint.size:
            return Answer(400, f"the old size {request.old} is above that of the checkpoint\n")
        folder = self._folder(checkpoint.origin)
        before = _last(folder)
        last, root = (before.size, before.root) if before else (0, b"")
        is_other = before is not None and checkpoint.size == last and checkpoint.root != root
        if request.old != last:
            if is_other:
                _keep_refused(folder, request, f"another root of the same size {last}")
            return Answer(409, f"{last}\n", SIZE)
        if not grew(last, root, checkpoint.size, checkpoint.root, request.path):
            if before is not None:
                no_growth = f"no proof that it grew from {last} to {checkpoint.size} blocks"
                why = f"another root of the same size {last}" if is_other else no_growth
                _keep_refused(folder, request, why)
            return Answer(422, f"the proof does not lead from {last} to {checkpoint.size}\n")
        line = self._cosignature(checkpoint)
        disk.write(folder / "last", request.note + line)
        _settle(folder, request)
        return Answer(200, line)

    def _cosignature(self, checkpoint: Checkpoint) -> str:
        """A line by each key."""
        at = int(self._now())
        return "".join(key.cosignature(self._name, at, checkpoint) for key in self._keys)

    def page(self) -> str:
        """What is known of each log, and every checkpoint that was refused."""
        parts = ["\n".join([f"Witness {self._name}", *self.public_keys(), ""])]
        for origin in sorted(self._logs):
            folder = self._folder(origin)
            before = _last(folder)
            stand = f"{before.size} blocks, {before.root.hex()}" if before else "nothing yet"
            parts.append(f"Log {origin}: {stand}\nFolder {folder.name}\n")
            parts += [path.read_text() for path in _refused(folder)]
        return "\n".join(parts)

    def health(self) -> Answer:
        """Whether it works, and what each log has come to."""
        if self._fault:
            return Answer(503, f"the witness cannot use its folder: {self._fault}\n")
        lines = ["works"]
        for origin in sorted(self._logs):
            folder = self._folder(origin)
            before, refused = _last(folder), sum(1 for _ in _refused(folder))
            lines.append(f"{origin} {before.size if before else 0} refused {refused}")
        return Answer(200, "\n".join([*lines, ""]))

    def checkpoint(self, digits: str) -> Answer:
        """What was last cosigned of the log whose name has this SHA-256, with the cosignature."""
        for origin in self._logs:
            if hashlib.sha256(origin.encode()).hexdigest() == digits:
                path = self._folder(origin) / "last"
                if path.exists():
                    return Answer(200, path.read_text())
        return Answer(404, "no checkpoint of this log was cosigned\n")

    def _folder(self, origin: str) -> Path:
        folder = self._state / hashlib.sha256(origin.encode()).hexdigest()[:16]
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            disk.sync(self._state)
        return folder


def _old(line: str) -> int:
    word, _, number = line.partition(" ")
    if word != "old":
        raise NoteError("the first line is `old` and a size")
    return size_of(number)


def _last(folder: Path) -> Checkpoint | None:
    path = folder / "last"
    return Checkpoint.parse(path.read_text()) if path.exists() else None


def _refused(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.glob("refused-*"))


def _keep_refused(folder: Path, request: _Request, why: str) -> None:
    """Both checkpoints in one file: signed by the keys of one log, and not one history."""
    if _of(request, folder) or sum(1 for _ in _refused(folder)) >= MOST_REFUSALS:
        return
    at = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    before = (folder / "last").read_text()
    text = f"REFUSED {at}: {why}\n\nCosigned before:\n{before}\nRefused:\n{request.note}"
    disk.write(folder / f"refused-{at}-{_digest(request)}", text)


def _settle(folder: Path, request: _Request) -> None:
    """Growth was shown after all, of a checkpoint that had been sent with a wrong proof."""
    for path in _of(request, folder):
        path.rename(path.with_name(path.name.replace("refused", "settled", 1)))


def _of(request: _Request, folder: Path) -> list[Path]:
    return list(folder.glob(f"refused-*-{_digest(request)}"))


def _digest(request: _Request) -> str:
    return hashlib.sha256(request.checkpoint.note.text.encode()).hexdigest()[:16]
