"""Codes that one person hands to another in person: 80 random bits, kept as a SHA-256."""

from __future__ import annotations

import hashlib
import re
import secrets
from base64 import b32encode
from typing import Any

_BYTES = 10  # 16 letters and digits


def draw(person: Any) -> tuple[str, str]:
    """A new code for a person, in groups of four, and what is kept of it."""
    code = b32encode(secrets.token_bytes(_BYTES)).decode()
    spoken = "-".join(code[start : start + 4] for start in range(0, 16, 4))
    return spoken, digest_of(person.pk, code)


def digest_of(person: int, code: str) -> str:
    """What is kept of a plain code for the person of this key."""
    return hashlib.sha256(f"{person}:{code}".encode()).hexdigest()


def plain(typed: str) -> str:
    """What somebody typed, without groups, in capital letters."""
    return re.sub(r"[\s-]", "", typed).upper()
