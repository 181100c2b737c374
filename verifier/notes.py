"""Signed notes and checkpoints, as they are published: C2SP signed-note and tlog-checkpoint.

Signatures of Ed25519 are checked by Python alone; those of ML-DSA-44, which logs and witnesses may
have beside them, by `cryptography` where it is installed and knows them. Else they are said to be
unchecked.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from verifier import ml_dsa
from verifier.ed25519 import is_signed

ED25519 = 1  # the kind of a log's key
COSIGNATURE, ML_DSA_COSIGNATURE = 4, 6  # the kinds of witnesses' keys: Ed25519 and ML-DSA-44
# A log's key of ML-DSA-44 has no number for its kind: it is of the kind 255, and begins with this.
OTHER, ML_DSA_44 = 255, b"ML-DSA-44"
SUBTREE = b"subtree/v1\n\0"  # before what a witness signs by ML-DSA-44
LARGEST = 2**63 - 1  # size of a log, and time of a cosignature
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
    def is_of_witness(self) -> bool:
        return self.kind in (COSIGNATURE, ML_DSA_COSIGNATURE)

    @property
    def ml_dsa(self) -> bytes:
        """Its 1312 bytes where it is a key of ML-DSA-44; else nothing."""
        is_of_log = self.kind == OTHER and self.key.startswith(ML_DSA_44)
        public = self.key[len(ML_DSA_44) :] if is_of_log else self.key
        is_one = is_of_log or self.kind == ML_DSA_COSIGNATURE
        return public if is_one and len(public) == ml_dsa.PUBLIC_LENGTH else b""

    @property
    def signature(self) -> str:
        """What it signs, in words."""
        if self.is_of_witness:
            algorithm = " of ML-DSA-44" if self.ml_dsa else ""
            return f"cosignature{algorithm} of {self.name}"
        return "signature of ML-DSA-44" if self.ml_dsa else "signature"

    @property
    def is_unchecked(self) -> bool:
        """Whether its signatures need a library that is not here."""
        return bool(self.ml_dsa) and not ml_dsa.is_here()

    def has_signed(self, note: Note) -> bool:
        """Whether the note has signatures by this key, and all of them are good."""
        signatures = self.signatures(note)
        return bool(signatures) and not self.is_misused(note)

    def is_misused(self, note: Note) -> bool:
        """Whether a line names this key and is no signature by it: such a note is malformed."""
        return not all(self._is_good(note.text, line.value) for line in self.signatures(note))

    def signatures(self, note: Note) -> list[Signature]:
        """The lines that name this key."""
        return [line for line in note.signatures if (line.name, line.id) == (self.name, self.id)]

    def _is_good(self, text: str, value: bytes) -> bool:
        message, signature = text.encode(), value
        if self.is_of_witness:
            at, signature = int.from_bytes(value[:8], "big"), value[8:]
            if not 0 < at <= LARGEST:
                return False
            try:
                message = cosigned(self.kind, self.name, at, text)
            except NoteError:
                return False
        if self.ml_dsa:
            return ml_dsa.is_signed(self.ml_dsa, message, signature)
        return self.is_checked_here and is_signed(self.key, message, signature)


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
        return cls(*_stated(note.text), note)

    def unsigned(self, keys: list[PublicKey], quorum: int = 0) -> list[str]:
        """What it lacks: the signature of its log, or so many cosignatures of these witnesses."""
        faults = []
        witnesses = [key for key in keys if key.is_of_witness]
        logs = [key for key in keys if key.name == self.origin and not key.is_of_witness]
        if not any(key.has_signed(self.note) for key in logs):
            faults.append("no key given signed the checkpoint as that log")
        faults += self.forgeries([*logs, *witnesses])
        count = number_of_witnesses(key for key in witnesses if key.has_signed(self.note))
        if count < quorum:
            faults.append(f"{count} of the witnesses cosigned it, and not {quorum}")
        return faults

    def forgeries(self, keys: list[PublicKey]) -> list[str]:
        """The lines that name one of these keys of ML-DSA-44 or of a witness, and are not by it."""
        return [
            f"the {key.signature} by key {key.id.hex()} is not good"
            for key in keys
            if (key.ml_dsa or key.is_of_witness) and not key.is_unchecked
            if key.is_misused(self.note)
        ]

    def unchecked(self, keys: list[PublicKey]) -> list[str]:
        """Signatures that nothing here can check, in words."""
        return [
            f"the {key.signature} by key {key.id.hex()} was not checked: install cryptography"
            for key in keys
            if key.name == self.origin or key.is_of_witness
            if key.is_unchecked and key.signatures(self.note)
        ]


def number_of_witnesses(keys: Iterable[PublicKey]) -> int:
    """How many these keys are of: of one name they are one's, and so are equal keys of two names.

    So neither a witness that cosigns by two algorithms counts twice, nor one under two names.
    """
    witnesses: list[set[str | bytes]] = []
    for key in keys:
        marks: set[str | bytes] = {key.name, key.key}
        same = [each for each in witnesses if each & marks]
        witnesses = [each for each in witnesses if each not in same]
        witnesses.append(marks.union(*same))
    return len(witnesses)


def size_of(digits: str) -> int:
    """A size as C2SP writes it: decimal digits of ASCII, no zero in front. NoteError else."""
    is_plain = digits.isascii() and digits.isdecimal() and len(digits) < 20
    if not is_plain or str(int(digits)) != digits or int(digits) > LARGEST:
        raise NoteError(f"{digits[:20]} is no size")
    return int(digits)


def key_id(name: str, public: bytes) -> bytes:
    """The first bytes of the hash over the name and the key with its kind."""
    return hashlib.sha256(name.encode() + b"\n" + public).digest()[:4]


def cosigned(kind: int, name: str, at: int, text: str) -> bytes:
    """What a witness of that name signs of a checkpoint's text, at that second since 1970.

    By Ed25519 (cosignature/v1) the text; by ML-DSA-44 (subtree/v1) what its first three lines say.
    NoteError where the text is no checkpoint.
    """
    if kind == COSIGNATURE:
        return f"cosignature/v1\ntime {at}\n{text}".encode()
    origin, size, root = _stated(text)
    ends = (0).to_bytes(8, "big") + size.to_bytes(8, "big")
    return SUBTREE + _short(name) + at.to_bytes(8, "big") + _short(origin) + ends + root


def _short(text: str) -> bytes:
    """Behind its length, a byte. NoteError where that does not hold it."""
    encoded = text.encode()
    if not 0 < len(encoded) < 256:
        raise NoteError(f"{text[:20]} has no length of 1 to 255 bytes")
    return bytes([len(encoded)]) + encoded


def _stated(text: str) -> tuple[str, int, bytes]:
    """Name, size and root of a log, in the first three lines of a checkpoint. NoteError else."""
    lines = text[:-1].split("\n")
    if len(lines) < 3 or not all(lines):
        raise NoteError("a checkpoint has a name, a size and a root")
    size, root = size_of(lines[1]), decoded(lines[2])
    if len(root) != 32:
        raise NoteError("a checkpoint has a root of 32 bytes")
    return lines[0], size, root


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
