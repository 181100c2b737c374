"""A message as it arrived, cut to what the console is ready to hold of it."""

import hashlib
from dataclasses import dataclass

KEPT_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class InboundMessage:
    """Topic and bytes of one message; `size` and `sha256` are of the whole."""

    topic: str
    body: bytes  # the first 64 KiB
    size: int
    sha256: bytes
    retained: bool = False  # the broker's memory, not said just now
    redelivered: bool = False  # for want of an acknowledgement, or of the database's answer

    @classmethod
    def of(
        cls,
        topic: str,
        payload: bytes | bytearray,
        *,
        retained: bool = False,
        redelivered: bool = False,
    ) -> "InboundMessage":
        """Cut at once, so that no queue ever holds a giant."""
        digest = hashlib.sha256(payload).digest()
        body = bytes(payload[:KEPT_BYTES])
        return cls(topic, body, len(payload), digest, retained, redelivered)
