"""The jackpot display at a table: what it was sent last, and the reading of what it shows."""

import datetime as dt
import threading
from typing import Any

import msgspec

from tables.protocol.messages import Reading, Shown, encoder


class DisplayPanel:
    """Shows the values of the last display message; a reading says what is shown."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._lock = threading.Lock()
        self._message: dict[str, Any] | None = None

    def hear(self, payload: bytes) -> None:
        """A display message from the console; one that cannot be read changes nothing."""
        try:
            message = msgspec.json.decode(payload, type=dict[str, Any])
        except ValueError:
            return
        with self._lock:
            if self._message is None or _replaces(message, self._message):
                self._message = message

    def reading(self, now: dt.datetime) -> bytes | None:
        """The reading to publish; None while nothing is shown."""
        with self._lock:
            message = self._message
        if message is None:
            return None
        tiers = message.get("tiers", [])
        return encoder.encode(
            Reading(
                v=1,
                display=self.code,
                at=now,
                terms=message.get("terms") or 0,
                shown=[Shown(tier=tier["tier"], value=tier["value"]) for tier in tiers],
                system_seq=message.get("system_seq", 0),
            )
        )


def _replaces(message: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether a message stands instead of the one before.

    Two intakes may publish in any order: an older value never replaces a newer. A console that
    was restored from a backup counts again from below, and later: then the time decides.
    """
    if message.get("system_seq", 0) >= before.get("system_seq", 0):
        return True
    try:
        at, before_at = (dt.datetime.fromisoformat(each["at"]) for each in (message, before))
        return at > before_at
    except (KeyError, TypeError, ValueError):
        return False
