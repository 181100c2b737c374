"""The keys of a witness: one of Ed25519, and one of ML-DSA-44 where its operator asks for it.

Each stands in its folder as 64 hexadecimal digits, and a witness cosigns with every key there is:
one that was made is never forgotten at a start.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from verifier import ed25519, ml_dsa
from verifier.notes import (
    COSIGNATURE,
    ML_DSA_COSIGNATURE,
    Checkpoint,
    NoteError,
    Signature,
    cosigned,
    key_id,
)
from verifier.witness import disk

_ED25519_FILE, _ML_DSA_FILE = "secret-key", "secret-key-ml-dsa-44"


@dataclass(frozen=True)
class WitnessKey:
    """A key that cosigns; `public` begins with its kind."""

    public: bytes
    secret: bytes
    sign: Callable[[bytes, bytes], bytes]

    def published(self, name: str) -> str:
        """What the witness of that name publishes."""
        encoded = base64.b64encode(self.public).decode()
        return f"{name}+{key_id(name, self.public).hex()}+{encoded}"

    def cosignature(self, name: str, at: int, checkpoint: Checkpoint) -> str:
        """The line under the checkpoint."""
        message = cosigned(self.public[0], name, at, checkpoint.note.text)
        value = at.to_bytes(8, "big") + self.sign(self.secret, message)
        return Signature(name, key_id(name, self.public), value).line()


def keys_in(state: Path, *, with_ml_dsa: bool) -> list[WitnessKey]:
    """Those of the folder; a first key is made, and with `with_ml_dsa` one of ML-DSA-44.

    NoteError where a file is no key, ml_dsa.NotHere where one needs a library that is not here.
    """
    state.mkdir(parents=True, exist_ok=True)
    secret = _secret(state / _ED25519_FILE)
    public = bytes([COSIGNATURE]) + ed25519.public_key(secret)
    keys = [WitnessKey(public, secret, ed25519.sign)]
    path = state / _ML_DSA_FILE
    if with_ml_dsa or path.exists():
        if not ml_dsa.is_here():
            raise ml_dsa.NotHere
        seed = _secret(path)
        public = bytes([ML_DSA_COSIGNATURE]) + ml_dsa.public_key(seed)
        keys.append(WitnessKey(public, seed, ml_dsa.sign))
    return keys


def _secret(path: Path) -> bytes:
    if not path.exists():
        disk.write(path, secrets.token_hex(32))
    secret = bytes.fromhex(path.read_text())
    if len(secret) != 32:
        raise NoteError(f"{path} is no key: it has 64 hexadecimal digits")
    return secret
