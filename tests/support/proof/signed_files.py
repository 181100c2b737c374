"""A folder of files with a manifest that a key of the tests signs, made by hand."""

import hashlib
import json
from pathlib import Path
from typing import Any

from verifier import ed25519
from verifier.notes import ED25519, key_id

SECRET = bytes(range(32))
PUBLIC = ed25519.public_key(SECRET)
NAME = "harbour.example/files"
DIGITS = key_id(NAME, bytes([ED25519]) + PUBLIC).hex()
SIGNED_AT = "2026-11-21T10:00:00+00:00"


def sign(folder: Path, body: dict[str, Any]) -> None:
    """Put the manifest there, with its signature."""
    text = json.dumps({"key": f"{NAME}+{DIGITS}", "signed_at": SIGNED_AT} | body).encode()
    (folder / "manifest.json").write_bytes(text)
    (folder / "manifest.sig").write_text(ed25519.sign(SECRET, text).hex())


def entry(folder: Path, name: str, content: bytes, **more: Any) -> dict[str, Any]:
    """Put a file there; what the manifest says of it."""
    (folder / name).write_bytes(content)
    return {"name": name, "sha256": hashlib.sha256(content).hexdigest()} | more
