"""A socket for a library that asks for single bytes: the system is asked for a piece at once."""

import ssl
from collections import deque
from typing import Any

PIECE = 64 * 1024
FULL = 1024 * 1024  # more does not wait here to be sent

_NOT_NOW = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class BufferedSocket:
    """A connected socket that does not block; what is sent waits here until `flush`.

    Whoever waits for it to be readable must ask `pending` first: what it has read already the
    system knows nothing of.
    """

    def __init__(self, line: Any) -> None:
        self._line = line
        self._buffer, self._offset = b"", 0
        self._leaving: deque[bytes] = deque()
        self._unsent = b""  # what the system did not take at the last flush

    def recv(self, size: int) -> bytes:
        """At most `size` bytes; empty at the end, else the errors of the socket itself."""
        if self._offset == len(self._buffer):
            self._buffer, self._offset = self._line.recv(PIECE), 0
        first, self._offset = self._offset, min(self._offset + size, len(self._buffer))
        return self._buffer[first : self._offset]

    def pending(self) -> int:
        """How many bytes were read and not taken yet; over TLS too."""
        return len(self._buffer) - self._offset + getattr(self._line, "pending", int)()

    def send(self, data: bytes | bytearray) -> int:
        """Keep it for `flush`; BlockingIOError while too much waits."""
        if len(self._unsent) >= FULL:
            raise BlockingIOError
        self._leaving.append(bytes(data))
        return len(data)

    @property
    def has_more(self) -> bool:
        """Whether something waits to be sent."""
        return bool(self._leaving or self._unsent)

    def flush(self) -> None:
        """Send what the system takes now. Of a line that is broken the next `recv` tells."""
        leaving = [self._leaving.popleft() for _ in range(len(self._leaving))]
        self._unsent = b"".join([self._unsent, *leaving])
        while self._unsent:
            try:
                count = self._line.send(self._unsent)
            except _NOT_NOW:
                return
            except OSError:
                count = len(self._unsent)
            self._unsent = self._unsent[count:]

    def shutdown(self, how: int) -> None:
        """The end, and nothing that was not taken or sent before."""
        self._buffer, self._offset = b"", 0
        self._leaving.clear()
        self._unsent = b""
        self._line.shutdown(how)

    def close(self) -> None:
        """Send what the system still takes, and close."""
        self.flush()
        self._buffer, self._offset = b"", 0
        self._line.close()

    def fileno(self) -> int:
        number: int = self._line.fileno()
        return number

    def setblocking(self, flag: bool) -> None:
        self._line.setblocking(flag)

    def setsockopt(self, level: int, name: int, value: int) -> None:
        self._line.setsockopt(level, name, value)
