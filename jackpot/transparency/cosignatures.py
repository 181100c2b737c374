"""Cosignatures of witnesses (C2SP tlog-cosignature): their keys, and whether a line is theirs."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PublicKey

from jackpot.transparency.notes import KeyUnreadable, key_id

ED25519, ML_DSA_44 = b"\x04", b"\x06"
KINDS = (ED25519, ML_DSA_44)
_LENGTHS = {ED25519: 64, ML_DSA_44: 2420}  # of a signature
_ALGORITHMS = {64: "Ed25519", 2420: "ML-DSA-44"}
LONGEST_NAME = 200
_TIME = 8  # bytes of the time before it
_LATEST = 2**63 - 1


@dataclass(frozen=True)
class WitnessKey:
    """The public key of a witness."""

    name: str
    kind: bytes
    public: bytes

    @classmethod
    def parse(cls, text: str) -> WitnessKey:
        """KeyUnreadable where it is no key of a witness."""
        name, _, rest = text.partition("+")
        digits, _, encoded = rest.partition("+")
        fault = KeyUnreadable(f"{text} is no public key of a witness: NAME+ID+KEY.")
        try:
            decoded = base64.b64decode(encoded, validate=True)
            key = cls(name, decoded[:1], decoded[1:])
            key.verifier()
        except ValueError as wrong:
            raise fault from wrong
        if not name or len(name) > LONGEST_NAME or key.id.hex() != digits:
            raise fault
        return key

    @property
    def id(self) -> bytes:
        return key_id(self.name, self.kind, self.public)

    def verifier(self) -> Ed25519PublicKey | MLDSA44PublicKey:
        if self.kind == ED25519:
            return Ed25519PublicKey.from_public_bytes(self.public)
        if self.kind == ML_DSA_44:
            return MLDSA44PublicKey.from_public_bytes(self.public)
        raise ValueError("no kind of key that witnesses have")

    def has_cosigned(self, note: str, value: bytes) -> bool:
        """Whether this is the witness's signature under the checkpoint, with its time."""
        at, signature = int.from_bytes(value[:_TIME], "big"), value[_TIME:]
        if len(signature) != _LENGTHS[self.kind] or not 0 < at <= _LATEST:
            return False
        try:
            self.verifier().verify(signature, self._message(note, at))
        except InvalidSignature:
            return False
        return True

    def _message(self, note: str, at: int) -> bytes:
        text = note.rpartition("\n\n")[0] + "\n"
        if self.kind == ED25519:
            return f"cosignature/v1\ntime {at}\n{text}".encode()
        origin, size, root, *_ = text.split("\n")
        return b"".join(
            (
                b"subtree/v1\n\0",
                _short(self.name.encode()),
                at.to_bytes(8, "big"),
                _short(origin.encode()),
                bytes(8),  # from the first leaf on
                int(size).to_bytes(8, "big"),
                base64.b64decode(root),
            )
        )


def _short(text: bytes) -> bytes:
    """With its length before it."""
    return bytes([len(text)]) + text


def good_lines(note: str, answer: str, keys: Iterable[WitnessKey]) -> str:
    """The cosignatures by these keys; others are passed over. Nothing where one is not good."""
    by_id = {(key.name, key.id): key for key in keys}
    lines = []
    for line in answer.splitlines():
        dash, _, rest = line.partition(" ")
        name, _, encoded = rest.partition(" ")
        try:
            value = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            return ""
        key = by_id.get((name, value[:4]))
        if dash != "—" or (key is not None and not key.has_cosigned(note, value[4:])):
            return ""
        if key is not None:
            lines.append(line + "\n")
    return "".join(lines)


def algorithms_of(text: str) -> list[str]:
    """By which algorithms the lines of a stored answer are signed, each once."""
    algorithms = dict[str, None]()
    for line in text.splitlines():
        try:
            length = len(base64.b64decode(line.rpartition(" ")[2])) - 4 - _TIME
        except ValueError:  # somebody wrote into the row: the verifier says so
            continue
        if length in _ALGORITHMS:
            algorithms[_ALGORITHMS[length]] = None
    return list(algorithms)


def time_of(line: str) -> int:
    """When the witness says that it cosigned: seconds since 1970."""
    return int.from_bytes(base64.b64decode(line.split()[2])[4 : 4 + _TIME], "big")
