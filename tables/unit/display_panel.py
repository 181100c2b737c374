"""The jackpot display at a table: what it was told last, and the reading of what it shows."""

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
        self._told: dict[str, Any] | None = None

    def hear(self, payload: bytes) -> None:
        """A display message from the console; one that cannot be read changes nothing."""
        try:
            told = msgspec.json.decode(payload, type=dict[str, Any])
        except ValueError:
            return
        with self._lock:
            if self._told is None or _replaces(told, self._told):
                self._told = told

    def reading(self, now: dt.datetime) -> bytes | None:
        """The reading to publish; None while nothing is shown."""
        with self._lock:
            told = self._told
        if told is None:
            return None
        tiers = told.get("tiers", [])
        return encoder.encode(
            Reading(
                v=1,
                display=self.code,
                at=now,
                terms=told.get("terms") or 0,
                shown=[Shown(tier=tier["tier"], value=tier["value"]) for tier in tiers],
                system_seq=told.get("system_seq", 0),
            )
        )


def _replaces(told: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether a message stands instead of the one before.

    Two intakes may publish in any order: an older value never replaces a newer. A console that
    was restored from a backup counts again from below, and later: then the time decides.
    """
    if told.get("system_seq", 0) >= before.get("system_seq", 0):
        return True
    try:
        at, before_at = (dt.datetime.fromisoformat(said["at"]) for said in (told, before))
        return at > before_at
    except (KeyError, TypeError, ValueError):
        return False
