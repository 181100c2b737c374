"""Hints to the display worker after a commit: at most one every DISPLAY_INTERVAL_S a system.

They are sent from a thread of their own: a Celery broker that is away or does not answer holds up
no posting. The beat's own round picks up what a lost hint missed.
"""

from __future__ import annotations

import logging
import threading
import time
from math import inf
from types import TracebackType

from django.conf import settings

from jackpot.display.tasks import refresh_display

log = logging.getLogger(__name__)

REST_S = 5.0  # after a hint that could not be sent


class DisplayHints:
    """Remembers which systems changed; sends while it is entered."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due: dict[int, float] = {}
        self._sent: dict[int, float] = {}
        self._ends = False

    def __enter__(self) -> DisplayHints:
        self._ends = False
        threading.Thread(target=self._send, name="display hints", daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        with self._changed:  # the thread may hang in a hint: nobody waits for it
            self._ends = True
            self._changed.notify()

    def changed(self, system_id: int) -> None:
        """A hint is due; returns at once."""
        with self._changed:
            if system_id not in self._due:
                sent = self._sent.get(system_id, 0.0)
                self._due[system_id] = sent + settings.DISPLAY_INTERVAL_S
                self._changed.notify()

    def _send(self) -> None:
        while (system_id := self._next()) is not None:
            try:
                refresh_display.delay(system_id)
            except Exception:
                log.warning("no display hint could be sent", exc_info=True)
                with self._changed:
                    self._changed.wait_for(lambda: self._ends, REST_S)

    def _next(self) -> int | None:
        """The next system whose hint is due, waited for; None at the end."""
        with self._changed:
            while not self._ends:
                due, system_id = min(
                    ((due, system_id) for system_id, due in self._due.items()), default=(inf, 0)
                )
                now = time.monotonic()
                if due > now:
                    self._changed.wait(None if due == inf else due - now)
                    continue
                del self._due[system_id]
                self._sent[system_id] = now
                return system_id
        return None
