"""Waiting for a condition: tests never sleep for a time and hope."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")

_POLL_SECONDS = 0.005


def wait_until(condition: Callable[[], Answer], timeout: float = 60, what: str = "") -> Answer:
    """Ask again and again until the condition answers with something true; that answer.

    Fails the test after `timeout` seconds, saying `what` was awaited and the last answer.
    """
    pause = threading.Event()
    deadline = time.monotonic() + timeout
    while not (answer := condition()):
        if time.monotonic() > deadline:
            awaited = what or getattr(condition, "__name__", "a condition")
            raise AssertionError(
                f"Waited {timeout:g} s in vain for: {awaited} (last answer: {answer!r})"
            )
        pause.wait(_POLL_SECONDS)
    return answer
