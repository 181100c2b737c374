"""Whether the machine kept time while something was tried that is judged by times."""

import threading
import time
from collections.abc import Callable
from typing import Self, TypeVar

Answer = TypeVar("Answer")
TICK_S, LATE_S, TRIES = 0.02, 0.1, 5


class Pace(threading.Thread):
    """Wakes again and again, `with` it; how late it did so at most."""

    def __init__(self) -> None:
        super().__init__(name="pace", daemon=True)
        self.latest_s = 0.0
        self._stop_it = threading.Event()

    def run(self) -> None:
        while True:
            due = time.monotonic() + TICK_S
            if self._stop_it.wait(TICK_S):
                return
            self.latest_s = max(self.latest_s, time.monotonic() - due)

    @property
    def was_late(self) -> bool:
        return self.latest_s >= LATE_S

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._stop_it.set()
        self.join()


def in_time(work: Callable[[], Answer]) -> tuple[Answer, bool]:
    """What this answers while the machine keeps time, after five tries whatever it answers; and
    whether the last one was late, too."""
    for _ in range(TRIES):
        with Pace() as pace:
            answer = work()
        if not pace.was_late:
            break
    return answer, pace.was_late
