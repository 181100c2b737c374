"""A broker that lets two connections of one client id stand: a port before a good one, which gives
each connection a client id of its own."""

import itertools
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.support.servers.services import Broker

_ID = b"-ear"  # the end of a client id, of as many bytes as what takes its place


@contextmanager
def lax_broker(behind: Broker) -> Iterator[Broker]:
    """Where it listens; it is gone at the end, with all its connections."""
    sockets: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            for number in itertools.count(1):
                client, _ = server.accept()
                broker = socket.create_connection((behind.host, behind.port))
                sockets.extend((client, broker))
                name = b"-%03d" % number
                for source, target in ((client, broker), (broker, client)):
                    arguments = source, target, name if source is client else _ID
                    threading.Thread(target=_hand_on, args=arguments, daemon=True).start()

        def serve() -> None:
            with suppress(OSError):  # it was closed
                accept()

        threading.Thread(target=serve, daemon=True).start()
        host, port = server.getsockname()
        try:
            yield Broker(host, port)
        finally:
            server.shutdown(socket.SHUT_RDWR)
            for each in sockets:
                each.close()


def _hand_on(source: socket.socket, target: socket.socket, name: bytes) -> None:
    """All that comes; in the first packet, which connects, the client id is another one."""
    with suppress(OSError):
        first = source.recv(65536)
        target.sendall(first.replace(_ID, name, 1))
        while piece := source.recv(65536):
            target.sendall(piece)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
