"""Signed notes and checkpoints (C2SP signed-note, tlog-checkpoint), and the keys of the log.

The keys stand in CHECKPOINT_SIGNING_KEY or CHECKPOINT_SIGNING_KEY_FILE, one a line: 64 hexadecimal
digits, an Ed25519 key, or `ml-dsa-44:` and the 64 digits of a seed. Every key signs, so that a new
one is known for a while before the old one goes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey
from django.conf import settings

_LINE = re.compile(r"(ml-dsa-44:)?([0-9a-fA-F]{64})\Z")
ED25519 = b"\x01"
ED25519_LENGTH = 64  # bytes of a signature
ML_DSA_44 = b"\xffML-DSA-44"  # no number of its own for the signature of a log: the name says it


class KeyUnreadable(Exception):
    """A key of the log cannot be used; the message says what to do."""


@dataclass(frozen=True)
class LogKey:
    """A private key of the house; under the name of each system it has an id of its own."""

    kind: bytes
    private: Ed25519PrivateKey | MLDSA44PrivateKey

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes_raw()

    def key_id(self, name: str) -> bytes:
        return key_id(name, self.kind, self.public)

    def verifier_key(self, name: str) -> str:
        """What is published: name, id and public key in the form of C2SP signed-note."""
        return verifier_key(name, self.kind, self.public)

    def sign(self, name: str, text: str) -> str:
        """The line of a signature."""
        return signature_line(name, self.key_id(name), self.private.sign(text.encode()))


def key_id(name: str, kind: bytes, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + kind + public).digest()[:4]


def verifier_key(name: str, kind: bytes, public: bytes) -> str:
    """A public key in the form of C2SP signed-note: NAME+ID+KEY."""
    encoded = base64.b64encode(kind + public).decode()
    return f"{name}+{key_id(name, kind, public).hex()}+{encoded}"


def signature_line(name: str, id_: bytes, signature: bytes) -> str:
    return f"— {name} {base64.b64encode(id_ + signature).decode()}\n"


def signature_of(line: str) -> bytes:
    """The id of the key and the signature in a line."""
    return base64.b64decode(line.rpartition(" ")[2])


def origin_of(system: str) -> str:
    """The name of a system's log."""
    return f"{settings.CHECKPOINT_ORIGIN}/{system}"


def body_of(origin: str, size: int, root: bytes) -> str:
    """What is signed: a checkpoint without extensions."""
    return f"{origin}\n{size}\n{base64.b64encode(root).decode()}\n"


def signed(origin: str, size: int, root: bytes, keys: list[LogKey]) -> str:
    """The whole note."""
    text = body_of(origin, size, root)
    return text + "\n" + "".join(key.sign(origin, text) for key in keys)


def signers(note: str) -> list[str]:
    """The ids of the keys that signed a note, as it is written."""
    lines = note.rpartition("\n\n")[2].splitlines()
    return [base64.b64decode(line.split(" ")[-1])[:4].hex() for line in lines]


def new_key() -> str:
    """A fresh private key as a line of the key file."""
    return Ed25519PrivateKey.generate().private_bytes_raw().hex()


def new_ml_dsa_key() -> str:
    return "ml-dsa-44:" + MLDSA44PrivateKey.generate().private_bytes_raw().hex()


def keys() -> list[LogKey]:
    """The keys that sign; none where none is set. KeyUnreadable where a line is no key."""
    return [key_of(line) for line in key_lines()]


def key_of(line: str) -> LogKey:
    match = _LINE.match(line)
    if match is None:
        raise KeyUnreadable(
            "A line of CHECKPOINT_SIGNING_KEY_FILE is no key: `manage.py checkpoint_key new`"
            " makes one."
        )
    seed = bytes.fromhex(match[2])
    if match[1]:
        return LogKey(ML_DSA_44, MLDSA44PrivateKey.from_seed_bytes(seed))
    return LogKey(ED25519, Ed25519PrivateKey.from_private_bytes(seed))


def key_lines() -> list[str]:
    """The private keys as they are written, the newest first."""
    text = settings.CHECKPOINT_SIGNING_KEY
    if not text and settings.CHECKPOINT_SIGNING_KEY_FILE:
        try:
            text = Path(settings.CHECKPOINT_SIGNING_KEY_FILE).read_text()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise KeyUnreadable(
                "The keys of the log cannot be read: look at CHECKPOINT_SIGNING_KEY_FILE."
            ) from error
    return str(text).split()
