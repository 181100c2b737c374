"""A connection to the broker without a thread of its own."""

import logging
import select
import socket
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from tables.mqtt.client import (
    LEAST_PAUSE_S,
    LONGEST_PAUSE_S,
    QUEUED_AT_MOST,
    Delivery,
    GatheringClient,
    Link,
    Publication,
)

log = logging.getLogger(__name__)


class PolledClient(Link):
    """A connection that goes on only while its owner asks it to: no thread, no handing over.

    For one that takes in much: with a thread of its own the library spends more than twice the
    processor time on a message. Used by one thread only. An exception in a callback reaches the
    owner.
    """

    _kind_of_client = GatheringClient

    def __init__(self, client_id: str, filters: Sequence[str] = (), **options: Any) -> None:
        super().__init__(client_id, filters, **options)
        self._client_id = client_id
        self._ready: deque[Delivery] = deque()
        self._connect_at: float | None = None  # when to try to connect; None: not started
        self._pause_s = LEAST_PAUSE_S

    def _make_client(self, client_id: str) -> Any:
        client = super()._make_client(client_id)
        client.suppress_exceptions = False
        client.disable_logger()
        return client

    # --- life ---------------------------------------------------------------------------

    def start(self) -> None:
        """From now on the connection is made, whenever the link is driven."""
        self._connect_at = 0.0

    def stop(self) -> None:
        """Say goodbye (no last will); unacknowledged messages stay unread."""
        self._stopping.set()
        self._connect_at = None
        self._client.disconnect()

    def reconnect(self) -> None:
        """Leave politely and reconnect."""
        self._client.disconnect()
        self._connect_at = 0.0

    def cut(self) -> None:
        """Break the connection as a power cut would."""
        self._stopping.set()
        self._connect_at = None
        if line := self._client.socket():
            line.shutdown(socket.SHUT_RDWR)  # type: ignore[attr-defined]
            self._client.loop_read()

    def alive(self) -> bool:
        """Whether it was started and every filter was granted; connected or not."""
        return self._connect_at is not None and not self._refused_filter

    @property
    def is_full(self) -> bool:
        """Whether as much waits here as this connection takes."""
        return len(self._ready) >= QUEUED_AT_MOST

    def wait_connected(self, timeout_s: float) -> bool:
        """Drive the link until it is connected and subscribed; whether it is, within the time."""
        deadline = time.monotonic() + timeout_s
        while not self._is_subscribed and (left := deadline - time.monotonic()) > 0:
            self.turn(left)
        return self._is_subscribed

    # --- messages -----------------------------------------------------------------------

    def take(self, timeout_s: float, at_most: int, wake: int | None = None) -> list[Delivery]:
        """What was delivered, at most so many; waits for the first one at most `timeout_s`.

        Returns early when the file descriptor `wake` can be read.
        """
        self.turn(0.0 if self._ready else timeout_s, wake)
        ready = self._ready
        return [ready.popleft() for _ in range(min(at_most, len(ready)))]

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> Publication | None:
        """Publish at QoS 1; None, and nothing is kept for later, while there is no connection."""
        if not self.is_connected:
            return None
        return Publication(self._client.publish(topic, payload, 1, retain), self._turn_for_answers)

    def turn(self, timeout_s: float, wake: int | None = None) -> None:
        """Read what has come, write what waits, keep the connection alive; connect if need be.

        Waits at most `timeout_s` for something to read. Once QUEUED_AT_MOST messages lie here
        nothing more is read, but for the answer to a connection that is being made; should that
        last, the broker ends the connection and delivers all that is unacknowledged again.
        """
        line: Any = self._client.socket()
        if line is None:
            self._try_to_connect(timeout_s, wake)
            return
        line.flush()  # all that was said since the last turn, in as few packets as it fits into
        reads: list[Any] = [line] if self._has_room() else []
        writes: list[Any] = [line] if line.has_more or self._client.want_write() else []
        if reads and line.pending():
            timeout_s = 0.0
        others = [] if wake is None else [wake]
        readable: list[Any]
        readable, writable, _ = select.select([*reads, *others], writes, [], timeout_s)
        if line in readable or (reads and line.pending()):
            self._read(line)
        if line in writable:
            self._client.loop_write()
        self._client.loop_misc()
        if self.is_connected:
            self._pause_s = LEAST_PAUSE_S

    def _turn_for_answers(self, timeout_s: float) -> None:
        """As `turn`; there is nothing to wait for without a connection."""
        if self._client.socket() is None:
            raise RuntimeError("The connection is gone.")
        self.turn(timeout_s)

    def _read(self, line: Any) -> None:
        """One message a call is what the library reads: as long as it finds another one."""
        ready = self._ready
        while self._has_room():
            before = len(ready)
            self._client.loop_read()
            if len(ready) == before and not line.pending():
                break

    def _has_room(self) -> bool:
        return len(self._ready) < QUEUED_AT_MOST or not self.is_connected

    def _try_to_connect(self, timeout_s: float, wake: int | None) -> None:
        """Try to connect when that is due, else wait."""
        if self._connect_at is None:
            return
        ahead = self._connect_at - time.monotonic()
        if ahead > 0:
            select.select([] if wake is None else [wake], [], [], min(ahead, timeout_s))
            return
        self._connect_at = time.monotonic() + self._pause_s
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
        # A new client for each connection: the library's would say again what the one before did
        # not get through, and an answer that comes minutes late misleads another unit that asked
        # the same. A unit asks again by itself, and the outbox keeps what is its own.
        self._client = self._make_client(self._client_id)
        self._name_broker()
        try:
            self._client.reconnect()
        except OSError as error:
            log.warning("The broker cannot be reached: %s", error)

    def _deliver(self, client: Any, _userdata: object, message: Any) -> None:
        if delivery := self._delivery(client, message):
            self._ready.append(delivery)
