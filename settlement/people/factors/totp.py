"""Codes of authenticator apps: TOTP (RFC 6238) with SHA-1, six digits, 30 seconds, as apps do."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from urllib.parse import quote, urlencode

STEP_S = 30
DIGITS = 6
_EITHER_WAY = 1  # steps that a phone's clock may be off
_SECRET_BYTES = 20


def new_secret() -> bytes:
    """160 random bits, as RFC 4226 recommends."""
    return secrets.token_bytes(_SECRET_BYTES)


def as_text(secret: bytes) -> str:
    """The secret as a person types it into an app: base32, in groups of four.

    >>> as_text(b"12345678901234567890")
    'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'
    """
    text = base64.b32encode(secret).decode()
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def address(secret: bytes, issuer: str, account: str) -> str:
    """What the QR code holds (the key URI format)."""
    parts = {"secret": base64.b32encode(secret).decode(), "issuer": issuer}
    return f"otpauth://totp/{quote(f'{issuer}:{account}')}?{urlencode(parts, quote_via=quote)}"


def code_at(secret: bytes, step: int) -> str:
    """The code of a time step (RFC 4226, section 5.3).

    >>> code_at(b"12345678901234567890", 1)
    '287082'
    """
    digest = hmac.digest(secret, step.to_bytes(8, "big"), hashlib.sha1)
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def step_of(secret: bytes, code: str, now: float, *, after: int) -> int | None:
    """The step that a code is of, at `now` in seconds of Unix time; None where it fits none.

    Only steps later than `after` count: that one was used.
    """
    middle = int(now) // STEP_S
    fitting = None
    for step in range(middle - _EITHER_WAY, middle + _EITHER_WAY + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), code.encode()) and step > after:
            fitting = step
    return fitting
