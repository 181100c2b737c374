"""A mail server that takes mails, refuses those to some address, and drops a connection."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class MailServer(socketserver.ThreadingTCPServer):
    """`takes_of_one`: mails of one connection, which is dropped at the next one. `is_rude`: it
    drops a connection that says QUIT. `refused`: an address that it does not know."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, takes_of_one: int, *, is_rude: bool, refused: str) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.takes_of_one, self.is_rude, self.refused = takes_of_one, is_rude, refused
        self.mails: list[str] = []
        self.recipients: list[str] = []
        self.port = self.server_address[1]


class _Connection(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        count, to = 0, ""
        self._says("220 here")
        while line := self.rfile.readline().decode().strip():
            verb = line[:4].upper()
            if verb == "QUIT" and self.server.is_rude:
                self._says("421 " + "x" * 9000)  # longer than a line may be
                return
            if verb == "RCPT":
                to = line.partition("<")[2].partition(">")[0]
                self.server.recipients.append(to)
            if verb == "MAIL" and count == self.server.takes_of_one:
                return
            if verb == "DATA":
                self._says("354 go on")
                while self.rfile.readline() not in {b".\r\n", b""}:
                    pass
                count += 1
                self.server.mails.append(to)
            is_refused = verb == "RCPT" and to == self.server.refused
            self._says("550 unknown" if is_refused else "250 good")

    def _says(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def mail_server(
    takes_of_one: int = 100, *, is_rude: bool = False, refused: str = ""
) -> Iterator[MailServer]:
    """One that runs meanwhile."""
    with MailServer(takes_of_one, is_rude=is_rude, refused=refused) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
