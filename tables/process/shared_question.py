"""A question that may hang: one thread asks, and all who want to know share the answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class SharedQuestion(Generic[Answer]):
    """`ask` is never called twice at a time, and its answer is given again for `fresh_s` seconds.

    Should it hang, it holds that one thread, which keeps no process from ending.
    """

    def __init__(self, ask: Callable[[], Answer], fresh_s: float, patience_s: float) -> None:
        self._ask, self._fresh_s, self._patience_s = ask, fresh_s, patience_s
        self._lock = threading.Lock()
        self._question: Future[Answer] | None = None
        self._asked_at = 0.0

    def answer(self) -> Answer:
        """As of now, or of a moment ago. TimeoutError when it does not come in time."""
        with self._lock:
            now, question = time.monotonic(), self._question
            if question is None or (question.done() and now - self._asked_at > self._fresh_s):
                self._question = question = Future()
                self._asked_at = now
                threading.Thread(
                    target=self._work, args=(question,), name="shared-question", daemon=True
                ).start()
        return question.result(self._patience_s)

    def _work(self, question: Future[Answer]) -> None:
        try:
            question.set_result(self._ask())
        except BaseException as fault:  # noqa: BLE001 - raised where the answer is waited for
            question.set_exception(fault)
