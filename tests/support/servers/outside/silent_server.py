"""A line to a server that can swallow everything: a server that hangs, as it is seen from here."""

import selectors
import socket
import threading
from types import TracebackType
from typing import Self

from demo.servers.ports import LOOPBACK


class SwallowingLine:
    """Accepts connections at `port` and hands on what is said, both ways, while it is not asked to
    swallow. What was swallowed comes through when it is asked to go on.
    """

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._listener = socket.create_server((LOOPBACK, 0))
        self.port: int = self._listener.getsockname()[1]
        self._goes_on = threading.Event()
        self._goes_on.set()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def swallow(self) -> None:
        self._goes_on.clear()

    def go_on(self) -> None:
        self._goes_on.set()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._goes_on.set()
        self._thread.join()

    def _run(self) -> None:
        others: dict[socket.socket, socket.socket] = {}
        with selectors.DefaultSelector() as ready:
            ready.register(self._listener, selectors.EVENT_READ)
            while not self._stop.is_set():
                for key, _ in ready.select(0.05):
                    # The kernel goes on accepting, as for a server whose processes stand still.
                    self._goes_on.wait()
                    if key.fileobj is self._listener:
                        here, _ = self._listener.accept()
                        there = socket.create_connection(self._server)
                        others |= {here: there, there: here}
                        for each in (here, there):
                            ready.register(each, selectors.EVENT_READ)
                    elif isinstance(key.fileobj, socket.socket) and key.fileobj in others:
                        self._hand_on(key.fileobj, others, ready)
        for each in (*others, self._listener):
            each.close()

    @staticmethod
    def _hand_on(
        source: socket.socket,
        others: dict[socket.socket, socket.socket],
        ready: selectors.BaseSelector,
    ) -> None:
        try:
            if heard := source.recv(65536):
                others[source].sendall(heard)
                return
        except OSError:
            pass
        for each in (source, others.pop(source)):
            others.pop(each, None)
            ready.unregister(each)
            each.close()
