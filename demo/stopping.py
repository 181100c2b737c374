"""Ctrl-C and SIGTERM while the demo starts and stops.

A signal only leaves a note, which is read between two steps: an exception raised in the middle
of anything may be swallowed there, or leave half of it behind.
"""

import signal
from collections.abc import Callable
from types import FrameType


class StopAsked(Exception):
    """Somebody asked to stop before everything was up."""


class Stopping:
    """Whether somebody asked to stop. Made in the main thread, from where signals are heard."""

    def __init__(self) -> None:
        self._is_asked = False
        self._is_at_it = False
        self._tell: list[Callable[[], None]] = []
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._hear)

    def check(self) -> None:
        """StopAsked when somebody did."""
        if self._is_asked:
            self.begin()
            raise StopAsked

    def tell(self, request_stop: Callable[[], None]) -> None:
        """Also call this when somebody asks."""
        self._tell.append(request_stop)

    def begin(self) -> None:
        """Everything is being stopped now: from here on nothing disturbs that."""
        self._is_at_it = True

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        if self._is_asked and not self._is_at_it:
            raise KeyboardInterrupt  # whoever asks twice does not want to wait for a step
        self._is_asked = True
        for request_stop in self._tell:
            request_stop()
