"""Python's search for objects that hold each other, where many are made and few of those."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MADE = 50_000  # objects that are there more than at the last search; Python's own is 700


def search_rarely() -> None:
    """To be called once the process has what it begins with, which is looked at no more.

    A batch leaves some thousand objects that go with their last reference; Python's own habit
    of searching among them took a fifth of the poster's time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(MADE)


@contextmanager
def searching_rarely() -> Iterator[None]:
    """The same for one long piece of work in a process that goes on to other things."""
    thresholds = gc.get_threshold()
    gc.set_threshold(max(MADE, thresholds[0]), *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
