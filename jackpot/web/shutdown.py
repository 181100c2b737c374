"""A web process that is told to stop: not ready any more, it serves on for a while, then ends.

Whoever balances between several looks at `/health/ready` now and then, and sends requests here
until then; one that came to a closed door would fail. Lines that are kept open are ended with the
next answer, so that what comes on them goes elsewhere.
"""

from __future__ import annotations

import signal
import threading
from queue import SimpleQueue
from types import FrameType


class Leaving:
    """Of one process; `begin_to_watch` belongs to its main thread."""

    def __init__(self, serves_on_s: float) -> None:
        """`serves_on_s`: from SIGTERM to the server's own way to stop; 0: at once."""
        self._serves_on_s = serves_on_s
        self._watches = False
        self.has_begun = False

    def begin_to_watch(self) -> None:
        """Once the server has set its own handler of SIGTERM; a second time does nothing."""
        if self._watches:
            return
        self._watches = True
        server = signal.getsignal(signal.SIGTERM)
        is_main = threading.current_thread() is threading.main_thread()
        if self._serves_on_s <= 0 or not callable(server) or not is_main:
            return
        # As in `tables.process.stopping`: a handler may take no lock.
        requests: SimpleQueue[tuple[int, FrameType | None]] = SimpleQueue()

        def pass_on() -> None:
            request = requests.get()
            threading.Event().wait(self._serves_on_s)
            server(*request)

        def begin(number: int, frame: FrameType | None) -> None:
            if self.has_begun:  # asked twice: now
                server(number, frame)
            self.has_begun = True
            requests.put((number, frame))

        threading.Thread(target=pass_on, name="leaving", daemon=True).start()
        signal.signal(signal.SIGTERM, begin)
