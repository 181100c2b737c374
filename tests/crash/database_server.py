"""What a house of crashes needs of its database: one private server, or several that stand in for
each other.
"""

import signal
from typing import Protocol


class DatabaseServer(Protocol):
    """Started and stopped by the house."""

    @property
    def url(self) -> str:
        """The owner's address of the database."""

    @property
    def pids(self) -> set[int]:
        """The first processes of all that runs of it; others are below them."""

    def url_as(self, role: str) -> str:
        """The address for a lesser role."""

    def password_of(self, role: str) -> str:
        """The password that the role is given."""

    def start(self) -> None:
        """Returns when it takes queries."""

    def stop(self) -> None:
        """In order; again is no matter."""

    def kill(self, number: signal.Signals = ...) -> None:
        """End the server that takes writes, as a crash would."""
