"""Signed notes and checkpoints, as they are published: C2SP signed-note and tlog-checkpoint.

Signatures of Ed25519 are checked by Python alone; those of ML-DSA-44, which a log may have beside
them, by `cryptography` where it is installed and knows them. Else they are said to be unchecked.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import importlib
from dataclasses import dataclass
from typing import Any

from verifier.ed25519 import is_signed

ED25519, COSIGNATURE = 1, 4  # the kinds of keys whose signatures are checked here
# A log's key of ML-DSA-44 has no number for its kind: it is of the kind 255, and begins with this.
OTHER, ML_DSA_44, ML_DSA_LENGTH = 255, b"ML-DSA-44", 1312
LARGEST = 2**63 - 1  # size of a log
MOST_SIGNATURES = 64  # under a note


class NoteError(ValueError):
    """It is no key, no note or no checkpoint; the message says why."""


@dataclass(frozen=True)
class PublicKey:
    """A key as its owner publishes it: name, id, and the kind and bytes of the key in base64."""

    name: str
    id: bytes
    kind: int
    key: bytes

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """NoteError where the id is not that of the key."""
        name, _, rest = text.strip().partition("+")
        digits, _, encoded = rest.partition("+")
        public = decoded(encoded)
        if not is_name(name) or len(public) < 2 or key_id(name, public) != _hex(digits):
            raise NoteError(f"{text} is no public key: it has the form NAME+ID+KEY")
        return cls(name, _hex(digits), public[0], public[1:])

    @property
    def is_checked_here(self) -> bool:
        """Whether its signatures can be checked without a library: those of Ed25519 can."""
        return self.kind in (ED25519, COSIGNATURE) and len(self.key) == 32

    @property
    def is_ml_dsa(self) -> bool:
        length = len(ML_DSA_44) + ML_DSA_LENGTH
        is_named = self.kind == OTHER and self.key.startswith(ML_DSA_44)
        return is_named and len(self.key) == length

    @property
    def is_unchecked(self) -> bool:
        """Whether its signatures need a library that is not here."""
        return self.is_ml_dsa and ml_dsa_key(self.key[len(ML_DSA_44) :]) is None

    def has_signed(self, note: Note) -> bool:
        """Whether the note has signatures by this key, and all of them are good."""
        signatures = self.signatures(note)
        return bool(signatures) and not self.is_misused(note)

    def is_misused(self, note: Note) -> bool:
        """Whether a line names this key and is no signature by it: such a note is malformed."""
        text = note.text.encode()
        return not all(self._is_good(text, line.value) for line in self.signatures(note))

    def signatures(self, note: Note) -> list[Signature]:
        """The lines that name this key."""
        return [line for line in note.signatures if (line.name, line.id) == (self.name, self.id)]

    def _is_good(self, message: bytes, value: bytes) -> bool:
        if self.kind == ED25519:
            return is_signed(self.key, message, value)
        if self.kind == COSIGNATURE and len(value) == 72:
            at = int.from_bytes(value[:8], "big")
            return is_signed(self.key, cosigned(at, message), value[8:])
        return self.is_ml_dsa and is_signed_by_ml_dsa(self.key[len(ML_DSA_44) :], message, value)


@dataclass(frozen=True)
class Signature:
    """A line of signature."""

    name: str
    id: bytes
    value: bytes

    def line(self) -> str:
        return f"— {self.name} {base64.b64encode(self.id + self.value).decode()}\n"


@dataclass(frozen=True)
class Note:
    """A text with the signatures under it."""

    text: str
    signatures: tuple[Signature, ...]

    @classmethod
    def parse(cls, document: str) -> Note:
        text, middle, lines = document.rpartition("\n\n")
        if not middle or not lines.endswith("\n"):
            raise NoteError("a note ends with an empty line and its signatures")
        if any(character < " " and character != "\n" for character in document):
            raise NoteError("a note has no control characters")
        signatures = lines[:-1].split("\n")
        if len(signatures) > MOST_SIGNATURES:
            raise NoteError(f"a note has at most {MOST_SIGNATURES} signatures")
        return cls(text + "\n", tuple(map(_signature, dict.fromkeys(signatures))))


@dataclass(frozen=True)
class Checkpoint:
    """What a log states of itself."""

    origin: str
    size: int
    root: bytes
    note: Note

    @classmethod
    def parse(cls, document: str) -> Checkpoint:
        note = Note.parse(document)
        lines = note.text[:-1].split("\n")
        if len(lines) < 3 or not all(lines):
            raise NoteError("a checkpoint has a name, a size and a root")
        size, root = size_of(lines[1]), decoded(lines[2])
        if len(root) != 32:
            raise NoteError("a checkpoint has a root of 32 bytes")
        return cls(lines[0], size, root, note)

    def unsigned(self, keys: list[PublicKey], quorum: int = 0) -> list[str]:
        """What it lacks: the signature of its log, or so many cosignatures of these witnesses."""
        faults = []
        logs = [key for key in keys if key.name == self.origin and key.kind != COSIGNATURE]
        if not any(key.has_signed(self.note) for key in logs):
            faults.append("no key given signed the checkpoint as that log")
        faults += self.forgeries(logs)
        witnesses = {
            key.key for key in keys if key.kind == COSIGNATURE and key.has_signed(self.note)
        }
        if len(witnesses) < quorum:
            faults.append(f"{len(witnesses)} of the witnesses cosigned it, and not {quorum}")
        return faults

    def forgeries(self, keys: list[PublicKey]) -> list[str]:
        """The lines that name one of these keys of ML-DSA-44 and are no signature by it."""
        return [
            f"the signature of ML-DSA-44 by key {key.id.hex()} is not good"
            for key in keys
            if key.is_ml_dsa and not key.is_unchecked and key.is_misused(self.note)
        ]

    def unchecked(self, keys: list[PublicKey]) -> list[str]:
        """Signatures that nothing here can check, in words."""
        return [
            f"the signature of ML-DSA-44 by key {key.id.hex()} was not checked: install"
            " cryptography"
            for key in keys
            if key.name == self.origin and key.is_unchecked and key.signatures(self.note)
        ]


def ml_dsa_key(public: bytes) -> Any:
    """A key of ML-DSA-44 that checks signatures; None without a `cryptography` that knows it."""
    try:
        errors = importlib.import_module("cryptography.exceptions")
        module = importlib.import_module("cryptography.hazmat.primitives.asymmetric.mldsa")
    except ImportError:
        return None
    try:
        return module.MLDSA44PublicKey.from_public_bytes(public)
    except errors.UnsupportedAlgorithm:
        return None


def is_signed_by_ml_dsa(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is by that key; False where nothing here can check it."""
    key = ml_dsa_key(public)
    if key is None:
        return False
    errors = importlib.import_module("cryptography.exceptions")
    try:
        key.verify(signature, message)
    except (errors.InvalidSignature, ValueError):
        return False
    return True


def size_of(digits: str) -> int:
    """A size as C2SP writes it: decimal digits of ASCII, no zero in front. NoteError else."""
    is_plain = digits.isascii() and digits.isdecimal() and len(digits) < 20
    if not is_plain or str(int(digits)) != digits or int(digits) > LARGEST:
        raise NoteError(f"{digits[:20]} is no size")
    return int(digits)


def key_id(name: str, public: bytes) -> bytes:
    """The first bytes of the hash over the name and the key with its kind."""
    return hashlib.sha256(name.encode() + b"\n" + public).digest()[:4]


def cosigned(at: int, body: bytes) -> bytes:
    """What a witness signs (cosignature/v1)."""
    return f"cosignature/v1\ntime {at}\n".encode() + body


def is_name(name: str) -> bool:
    """Whether a key may have this name: neither spaces nor a plus sign."""
    return bool(name) and "+" not in name and not any(map(str.isspace, name))


def _signature(line: str) -> Signature:
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.partition(" ")
    value = decoded(encoded)
    if dash != "—" or not is_name(name) or len(value) < 5:
        raise NoteError("a line below the note is no signature")
    return Signature(name, value[:4], value[4:])


def decoded(text: str) -> bytes:
    """NoteError where it is not base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as fault:
        raise NoteError("something is not base64") from fault


def digest(line: str) -> bytes:
    """The hash in a line of a proof. NoteError where it is none."""
    value = decoded(line)
    if len(value) != 32:
        raise NoteError("a line of the proof is no hash")
    return value


def _hex(digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError as fault:
        raise NoteError("the id of a key is not hexadecimal") from fault
