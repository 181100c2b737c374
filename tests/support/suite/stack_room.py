"""pytest plugin: room for the frames of Python, in one piece.

Python 3.11 to 3.13 keep the frames of calls in pieces of 16 KiB, and give a piece back to the
system as soon as the last frame in it returns. A loop whose calls cross the end of a piece asks for
it and gives it back each time: a sixth of the time of tests that open pages went there. The piece
in which a large frame stands is made for that frame, rounded up: whatever is called from it finds
room behind it.
"""

from collections.abc import Callable

import pytest

_SLOTS = 300_000  # of 8 bytes: a piece of 4 MiB, of which two fifths stay for frames above


def _in_large_frame(work: Callable[[], object]) -> object:
    return work()


_in_large_frame.__code__ = _in_large_frame.__code__.replace(co_stacksize=_SLOTS)


class _Room:
    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> object:
        """In place of whoever runs the tests, and around it."""
        loop = session.config.pluginmanager.subset_hook_caller("pytest_runtestloop", [self])
        return _in_large_frame(lambda: loop(session=session))


def pytest_configure(config: pytest.Config) -> None:
    """Before the first test."""
    config.pluginmanager.register(_Room(), "stack room")
