"""SIGTERM and Ctrl-C as an event that the main thread waits for."""

import signal
import threading
from queue import SimpleQueue


def stop_on_signals(stop: threading.Event) -> None:
    """Set `stop` when SIGTERM or SIGINT arrives. Call it from the main thread.

    A handler that sets the event itself never returns when the signal arrives in the moment
    in which the main thread, within `stop.wait`, has the event's lock. `SimpleQueue.put` may be
    called from a handler at any moment.
    """
    requests: SimpleQueue[None] = SimpleQueue()

    def pass_on() -> None:
        requests.get()
        stop.set()

    threading.Thread(target=pass_on, name="stop-on-signals", daemon=True).start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: requests.put(None))
