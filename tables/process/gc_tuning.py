"""Python's search for objects that hold each other, where many are made and few of those."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

NEW_OBJECTS = 50_000  # objects that are there more than at the last search; Python's own is 700
WHOLE = 2  # the generation of a search among everything
LEARNT_IN = 8  # whole searches, until a web process has most of the templates and addresses it will


def search_rarely() -> None:
    """To be called once the process has what it begins with, which is looked at no more.

    A batch leaves some thousand objects that go with their last reference; Python's own habit
    of searching among them took a fifth of the poster's time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)


def keep_what_is_learnt() -> None:
    """To be called by a process that learns while it works, as a web process does its pages: what
    the first whole searches leave is looked at no more, either.

    Without it each whole search went through every template met so far, and one page waited 120 ms.
    Only the first: what a later one leaves may be garbage of tomorrow.
    """
    left = LEARNT_IN

    def keep(phase: str, about: Mapping[str, int]) -> None:
        nonlocal left
        if phase == "stop" and about["generation"] == WHOLE:
            gc.freeze()
            left -= 1
            if not left:
                gc.callbacks.remove(keep)

    gc.callbacks.append(keep)


@contextmanager
def searching_rarely() -> Iterator[None]:
    """The same for one long piece of work in a process that goes on to other things."""
    thresholds = gc.get_threshold()
    gc.set_threshold(max(NEW_OBJECTS, thresholds[0]), *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
