"""A process whose main loop no longer comes round ends itself, so that its supervisor restarts it.

A process that hangs looks alive to whoever watches processes: a lock that is never released, a
server that neither answers nor hangs up, a callback that waits for itself.
"""

import faulthandler
import logging
import os
import sys
import threading
import time
from types import TracebackType
from typing import Self

log = logging.getLogger(__name__)

EXIT_CODE = 70  # EX_SOFTWARE: a fault inside, as opposed to one in the settings
_LOOKS = 4  # how often the dog looks within its patience


class Watchdog:
    """Ends this process when `beat` was not called for about `patience_s` seconds.

    A context manager around a main loop, which calls `beat` every time it comes round. Waiting
    long on purpose, as for a lost database, must beat too. The dog counts its own looks instead of
    reading a clock: a process that was stopped as a whole for a while is not at fault.
    """

    def __init__(self, what: str, patience_s: float) -> None:
        self._what = what
        self._patience_s = patience_s
        self._beaten = threading.Event()
        self._beaten_at = time.monotonic()
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def beat(self) -> None:
        """The main loop came round."""
        self._beaten_at = time.monotonic()
        self._beaten.set()

    @property
    def is_content(self) -> bool:
        """Whether the loop came round within half the patience: who asks hears before the end."""
        return time.monotonic() - self._beaten_at < self._patience_s / 2

    def __enter__(self) -> Self:
        self._arm()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._leaving.set()
        self._thread.join()

    def _watch(self) -> None:
        missed = 0
        try:
            while True:
                self._arm()
                if self._leaving.wait(self._patience_s / _LOOKS):
                    break
                missed = 0 if self._beaten.is_set() else missed + 1
                self._beaten.clear()
                if missed >= _LOOKS:
                    self._end()
        finally:
            faulthandler.cancel_dump_traceback_later()

    def _arm(self) -> None:
        """Should even the dog not come round, as under a lock of the interpreter that is never
        released, then a thread that needs no interpreter ends the process."""
        faulthandler.dump_traceback_later(2 * self._patience_s, exit=True)

    def _end(self) -> None:
        log.critical(
            "%s hangs: its main loop did not come round for %g s. The process ends itself, to be"
            " started again; what each thread was doing follows.",
            self._what,
            self._patience_s,
        )
        faulthandler.dump_traceback(all_threads=True)
        sys.stderr.flush()
        os._exit(EXIT_CODE)
