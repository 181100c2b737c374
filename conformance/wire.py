"""Messages as bytes: JSON read strictly, the MAC line, instants."""

from __future__ import annotations

import datetime as dt
import hmac
import json
import re
from dataclasses import dataclass, field
from typing import Any

MOST_BYTES = 8 * 1024
_MAC_LINE = re.compile(rb"[0-9a-fA-F]{64}")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d{1,})?(Z|[+-]\d\d:\d\d)")
_CARD = re.compile("[2-9TJQKA][shdc]")


@dataclass(slots=True)
class Message:
    """A message of a unit or display, and each clause that its bytes break."""

    body: bytes = b""
    fields: dict[str, Any] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)  # clause -> what is wrong


def encode(fields: dict[str, Any]) -> bytes:
    """The JSON bytes of a message."""
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()


def mac_of(body: bytes, key: bytes) -> bytes:
    """The HMAC-SHA-256 of the JSON bytes, in hexadecimal."""
    return hmac.digest(key, body, "sha256").hex().encode()


def sign(body: bytes, key: bytes) -> bytes:
    """The bytes to send; without a key the body alone."""
    return body + b"\n" + mac_of(body, key) if key else body


def read(payload: bytes, key: bytes) -> Message:
    """What a unit sent: its fields as far as they can be read, and what is wrong with the bytes."""
    message = Message()
    message.body = _without_mac(payload, key, message)
    try:
        text = message.body.decode()
        document = json.loads(
            text,
            object_pairs_hook=lambda pairs: _once(pairs, message),
            parse_float=lambda number: _whole(number, message),
            parse_constant=lambda name: _whole(name, message),
        )
    except (ValueError, RecursionError) as error:
        message.faults["U-18"] = f"not JSON in UTF-8: {error}"
        return message
    if isinstance(document, dict):
        message.fields = document
    else:
        message.faults["U-18"] = "not one JSON object"
    return message


def _without_mac(payload: bytes, key: bytes, message: Message) -> bytes:
    body, newline, mac = payload.rpartition(b"\n")
    if not newline or not _MAC_LINE.fullmatch(mac):
        if key:
            message.faults["U-29"] = "no MAC line of 64 hexadecimal digits at the end"
        return payload
    if key and not hmac.compare_digest(mac_of(body, key), mac.lower()):
        as_text = hmac.compare_digest(mac_of(body, key.hex().encode()), mac.lower())
        why = "made with the text of the key" if as_text else "does not fit bytes and key"
        message.faults["U-30" if as_text else "U-29"] = (
            f"the MAC is {why}" if as_text else (f"the MAC {why}")
        )
    return body


def _once(pairs: list[tuple[str, Any]], message: Message) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if repeated := {name for name in names if names.count(name) > 1}:
        message.faults["U-27"] = f"repeated: {', '.join(sorted(repeated))}"
    return dict(pairs)


def _whole(number: str, message: Message) -> float:
    message.faults["U-26"] = f"{number} is no integer"
    return float(number)


def instant(text: object) -> dt.datetime | None:
    """The moment; None where it is no RFC 3339 with an offset in the years of the protocol."""
    try:
        moment = dt.datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return moment if moment.tzinfo and 1900 <= moment.year <= 3000 else None


def has_form_of_instant(text: object) -> bool:
    """Whether date and time are parted by `T`, and the seconds are 0 to 59."""
    return _INSTANT.fullmatch(str(text)) is not None


def is_card(text: object) -> bool:
    """
    >>> is_card("As"), is_card("10s"), is_card("aS")
    (True, False, False)
    """
    return _CARD.fullmatch(str(text)) is not None
