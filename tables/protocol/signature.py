"""The MAC line of an event: a newline and the hex HMAC-SHA-256 of the JSON bytes."""

import hmac
import re

_HEX = re.compile(rb"[0-9a-fA-F]{64}")


def mac_of(body: bytes, key: str) -> bytes:
    """Hex HMAC-SHA-256 under a key in hex; ValueError when the key is not hex."""
    return hmac.digest(bytes.fromhex(key), body, "sha256").hex().encode()


def signed(body: bytes, key: str) -> bytes:
    """What a unit sends: the body, and its MAC line when the unit has a key."""
    return body + b"\n" + mac_of(body, key) if key else body


def split(payload: bytes) -> tuple[bytes, bytes | None]:
    """The JSON bytes and the MAC, None where the payload carries none."""
    # JSON cannot end in a newline and 64 hex digits: two values would follow each other.
    body, newline, mac = payload.rpartition(b"\n")
    if newline and body.strip() and _HEX.fullmatch(mac):
        return body, mac
    return payload, None


def is_genuine(body: bytes, mac: bytes | None, key: str) -> bool:
    """Whether the MAC is right; compared in constant time."""
    return mac is not None and hmac.compare_digest(mac_of(body, key), mac.lower())
