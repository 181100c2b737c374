"""The keys with which a house signs files, as it publishes them: by which of them is one signed?

A key is 64 hexadecimal digits, or NAME+ID+KEY as `file_key publish` prints it, with the time in
which it signed behind it: `since 2026-11-28T11:00:00+00:00 until 2027-01-31T09:00:00+00:00`.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.ed25519 import is_signed
from verifier.notes import ED25519, NoteError, PublicKey, key_id

UNSIGNED = "the manifest is not signed by this key"  # nothing else is looked at
_DIGITS = 64


@dataclass(frozen=True)
class FileKey:
    """A public key of 32 bytes; with its name and id, and the time in which it signed, where the
    house said them."""

    key: bytes
    name: str = ""
    id: str = ""
    since: dt.datetime | None = None
    until: dt.datetime | None = None

    @classmethod
    def parse(cls, text: str) -> FileKey:
        """NoteError where it is no such key."""
        first, *words = text.split() or [""]
        if len(first) == _DIGITS and not words:
            return cls(_bytes(first))
        public = PublicKey.parse(first)
        times = dict(zip(words[::2], words[1::2], strict=False))
        is_whole = len(words) == 2 * len(times) and times.keys() <= {"since", "until"}
        if not is_whole or public.kind != ED25519 or len(public.key) != 32:
            raise NoteError(f"{text} is no key of files: NAME+ID+KEY since TIME until TIME")
        since, until = (
            _time(times[word]) if word in times else None for word in ("since", "until")
        )
        return cls(public.key, public.name, public.id.hex(), since, until)

    def faults(self, body: dict[str, Any]) -> list[str]:
        """What a manifest that this key signed says of its key and time, and is not so."""
        name, _, digits = str(body.get("key", "")).rpartition("+")
        if not name or not digits:
            return ["the manifest does not name the key that signed it"]
        if key_id(name, bytes([ED25519]) + self.key).hex() != digits or self.name not in ("", name):
            return [f"the manifest names key {digits}, and another one signed it"]
        try:
            at = _time(str(body.get("signed_at", "")))
        except NoteError:
            return ["the manifest does not say when it was signed"]
        if self.since and at < self.since:
            return [f"it was signed at {at}, and key {digits} signed from {self.since} on"]
        if self.until and at >= self.until:
            return [f"it was signed at {at}, and key {digits} was replaced at {self.until}"]
        return []


def keys_of(texts: Sequence[str], files: Sequence[Path] = ()) -> list[FileKey]:
    """Those given one by one, and those in files with one a line. NoteError, OSError."""
    lines = [line for path in files for line in path.read_text().splitlines() if line.strip()]
    keys = [FileKey.parse(text) for text in [*texts, *lines]]
    if not keys:
        raise NoteError("no key is given: name one by --key, or a file of them by --keys")
    return keys


def unsigned(manifest: bytes, signature: bytes, keys: Sequence[FileKey]) -> list[str]:
    """Why none of these keys signed the manifest; nothing where one did."""
    if signer_of(manifest, signature, keys) is not None:
        return []
    name, _, digits = _key_name(manifest).rpartition("+")
    ids = {key.id for key in keys if key.id}
    if digits and ids and digits not in ids:
        return [f"the manifest is signed by key {digits} of {name}, which is none of those given"]
    return [UNSIGNED]


def signer_of(manifest: bytes, signature: bytes, keys: Sequence[FileKey]) -> FileKey | None:
    """The first of these keys that signed it."""
    return next((key for key in keys if is_signed(key.key, manifest, signature)), None)


def _key_name(manifest: bytes) -> str:
    """The key that an unsigned manifest says; empty where it says none."""
    try:
        body = json.loads(manifest)
    except ValueError:
        return ""
    return str(body.get("key", "")) if isinstance(body, dict) else ""


def _bytes(digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError as fault:
        raise NoteError("a key is 64 hexadecimal digits, or NAME+ID+KEY") from fault


def _time(text: str) -> dt.datetime:
    try:
        at = dt.datetime.fromisoformat(text)
    except ValueError as fault:
        raise NoteError(f"{text[:40]} is no time") from fault
    if at.tzinfo is None:
        raise NoteError(f"{text} has no time zone")
    return at
