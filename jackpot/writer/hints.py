"""Hints to the worker after a commit: to refresh displays, and to open claims for new hits; each at
most once every DISPLAY_INTERVAL_S a system.

They are sent from a thread of their own: a Celery broker that is away or does not answer holds up
no posting. The beat's own round picks up what a lost hint missed.
"""

from __future__ import annotations

import logging
import threading
import time
from math import inf
from types import TracebackType

from celery import current_app
from django.conf import settings

from jackpot.display.tasks import refresh_display

log = logging.getLogger(__name__)

REST_S = 5.0  # after a hint that could not be sent
EXPIRES_S = 10  # by then the beat has looked

Due = tuple[str, int]  # the name of a task, and the system that it is to look at


class Hints:
    """Remembers what changed on which systems; sends while it is entered."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due: dict[Due, float] = {}
        self._times: dict[Due, float] = {}
        self._ends = False

    def __enter__(self) -> Hints:
        self._ends = False
        threading.Thread(target=self._send, name="hints", daemon=True).start()
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

    def changed(self, system_id: int, *, hits: bool) -> None:
        """Something was written, of `hits` too: hints are due; returns at once."""
        tasks = [refresh_display.name, *([settings.CLAIMS_TASK] if hits else [])]
        with self._changed:
            for due in ((task, system_id) for task in tasks):
                if due not in self._due:
                    self._due[due] = self._times.get(due, 0.0) + settings.DISPLAY_INTERVAL_S
            self._changed.notify()

    def _send(self) -> None:
        while (due := self._next()) is not None:
            task, system_id = due
            try:
                current_app.send_task(task, (system_id,), expires=EXPIRES_S)
            except Exception:
                log.warning("no hint could be sent", exc_info=True)
                with self._changed:
                    self._changed.wait_for(lambda: self._ends, REST_S)

    def _next(self) -> Due | None:
        """The next hint that is due, waited for; None at the end."""
        with self._changed:
            while not self._ends:
                at, due = min(((at, due) for due, at in self._due.items()), default=(inf, None))
                now = time.monotonic()
                if due is None or at > now:
                    self._changed.wait(None if due is None else at - now)
                    continue
                del self._due[due]
                self._times[due] = now
                return due
        return None
