"""What private servers have in common: one child process, and a block for which it runs."""

import os
from abc import ABC, abstractmethod
from typing import Self

from demo.servers.child import Child


class PrivateServer(ABC):
    """A server of our own; a context manager, or start() and stop()."""

    def __init__(self) -> None:
        self._child: Child | None = None
        self._owner = os.getpid()

    @abstractmethod
    def start(self) -> None:
        """Start it and wait until it answers."""

    @abstractmethod
    def stop(self) -> None:
        """Stop it in order."""

    @property
    def pid(self) -> int | None:
        """The server's process, None when it has not been started."""
        return self._child.pid if self._child else None

    @property
    def is_running(self) -> bool:
        return self._child is not None and self._child.is_running

    @property
    def _is_ours(self) -> bool:
        """A forked copy of the owner has this object too, and must leave the server alone."""
        return self._child is not None and self._owner == os.getpid()

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_fault: object) -> None:
        self.stop()
