"""An MQTT broker as far as the protocol leans on it, and as bad as a broker may be.

QoS 1, retained messages, last wills, sessions kept or not, two ordered channels a connection.
It moves only when the scheduler says so. It may lose what it acknowledged, deliver twice,
overflow, and come back without its state or with an old one.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tables.mqtt.client import Will

QUEUED_AT_MOST = 60  # of a session; what is beyond is acknowledged and dropped, as Mosquitto does


@dataclass(frozen=True, slots=True)
class Message:
    """An application message."""

    topic: str
    payload: bytes
    retain: bool = False
    redelivered: bool = False  # it was on its way before, and nobody acknowledged it


class Publication:
    """A message on its way to the broker."""

    def __init__(self, message: Message) -> None:
        self.message = message
        self.is_acknowledged = False


class Client(Protocol):
    """What the broker knows of a client; `process`: whose it is, if anybody's."""

    client_id: str
    filters: list[str]
    keeps_session: bool
    connection: Connection | None

    @property
    def process(self) -> object: ...

    @property
    def is_connected(self) -> bool: ...

    def before_connect(self) -> Will | None: ...

    def connected(self, connection: Connection) -> None: ...

    def disconnected(self) -> None: ...

    def deliver(self, mid: int, message: Message) -> None: ...

    def acknowledged(self, publication: Publication) -> None: ...


@dataclass(slots=True)
class Session:
    """What the broker remembers of a client: filters, and what it has still to deliver."""

    filters: tuple[str, ...]
    persistent: bool
    waiting: deque[Message] = field(default_factory=deque)  # not on a wire
    inflight: dict[int, Message] = field(default_factory=dict)  # sent, not acknowledged
    last_mid: int = 0

    def take_back(self) -> None:
        """What was sent and not acknowledged is sent again, marked, before all else."""
        again = [dataclasses.replace(one, redelivered=True) for one in self.inflight.values()]
        self.inflight = {}
        self.waiting.extendleft(reversed(again))


@dataclass(slots=True, eq=False)
class Connection:
    """Two ordered channels, and the will that the broker says should they break."""

    link: Client
    will: Will | None
    upward: deque[tuple[str, Publication | int]] = field(default_factory=deque)
    downward: deque[tuple[int, Message] | Publication] = field(default_factory=deque)
    number: int = 0  # the link's own number of this connection


@dataclass(slots=True)
class _State:
    """What survives a restart of the broker, if anything does."""

    sessions: dict[str, Session] = field(default_factory=dict)
    retained: dict[str, Message] = field(default_factory=dict)

    def copy(self) -> _State:
        sessions = {
            client_id: dataclasses.replace(
                session, waiting=deque(session.waiting), inflight=dict(session.inflight)
            )
            for client_id, session in self.sessions.items()
        }
        return _State(sessions, dict(self.retained))


class Broker:
    """All clients' connections and sessions; rates are chances in one message."""

    def __init__(self, dice: random.Random, drop: float, duplicate: float) -> None:
        self._dice = dice
        self.drop, self.duplicate = drop, duplicate
        self._state = _State()
        self._saved = _State()
        self.connections: dict[str, Connection] = {}  # by client id, half-open ones included
        self.links: list[Client] = []  # every client that is switched on
        self._counts: Counter[tuple[str, bytes]] = Counter()

    # --- connections ----------------------------------------------------------------------

    def connect(self, link: Client) -> None:
        """The client's network thread gets through to the broker."""
        if link.client_id in self.connections:
            self._drop_connection(link.client_id)  # half-open until now: taken over
        will = link.before_connect()
        connection = Connection(link, will)
        session = self._state.sessions.get(link.client_id)
        if session is None or not (session.persistent and link.keeps_session):
            session = Session(tuple(link.filters), link.keeps_session)
            self._state.sessions[link.client_id] = session
        session.filters = tuple(link.filters)
        self.connections[link.client_id] = connection
        session.take_back()
        for topic in sorted(self._state.retained):
            if any(matches(pattern, topic) for pattern in session.filters):
                session.waiting.append(self._state.retained[topic])
        self._push(link.client_id)
        link.connected(connection)

    def connect_again(self, link: Client | None) -> None:
        """The client's line is there again, if it was not."""
        if link is not None and link.connection is None:
            self.connect(link)

    def break_off(self, link: Client, *, noticed: bool = True) -> None:
        """The line is cut. `noticed` False: the broker holds the connection for alive."""
        if link.connection is None:
            return
        link.disconnected()
        if noticed:
            self._drop_connection(link.client_id)

    def leave(self, link: Client) -> None:
        """A client says goodbye after what it has sent: no last will."""
        connection = link.connection
        link.disconnected()
        if connection is not None and self.connections.get(link.client_id) is connection:
            while connection.upward:
                self.carry_up(connection)
            connection.will = None
            self._drop_connection(link.client_id)

    def _drop_connection(self, client_id: str) -> None:
        connection = self.connections[client_id]
        for _ in range(self._dice.randint(0, len(connection.upward))):
            self.carry_up(connection)  # it was on its way when the line broke
        del self.connections[client_id]
        session = self._state.sessions.get(client_id)
        if session is not None:
            session.take_back()
            if not session.persistent:
                del self._state.sessions[client_id]
        if connection.will is not None:
            self._route(Message(connection.will.topic, connection.will.payload, True))

    def sweep(self) -> None:
        """Keepalive: connections whose client is gone break."""
        for client_id, connection in list(self.connections.items()):
            if connection.link.connection is not connection:
                self._drop_connection(client_id)

    # --- what the scheduler moves -----------------------------------------------------------

    def carry_up(self, connection: Connection) -> None:
        """The broker takes the next packet of a client."""
        kind, what = connection.upward.popleft()
        if kind == "ack":
            session = self._state.sessions.get(connection.link.client_id)
            if session is not None and isinstance(what, int):
                session.inflight.pop(what, None)
            return
        assert not isinstance(what, int)
        self._route(what.message)
        if self._dice.random() < self.duplicate:
            self._route(what.message)
        connection.downward.append(what)  # PUBACK: it says nothing of what became of it

    def carry_down(self, connection: Connection) -> None:
        """A client gets its next packet."""
        packet = connection.downward.popleft()
        if connection.link.connection is not connection:
            return
        if isinstance(packet, tuple):
            connection.link.deliver(*packet)
        else:
            connection.link.acknowledged(packet)

    def busy(self) -> list[tuple[str, Connection]]:
        """What can be moved: direction and connection, in a settled order."""
        moves = []
        for client_id in sorted(self.connections):
            connection = self.connections[client_id]
            moves += [("up", connection)] if connection.upward else []
            moves += [("down", connection)] if connection.downward else []
        return moves

    # --- faults -----------------------------------------------------------------------------

    def save(self) -> None:
        """Write the state to the disk, as a broker does now and then."""
        self._saved = self._state.copy()

    def restart(self, *, memory: str) -> None:
        """Stop without a word and start again; `memory` is `all`, `old` or `none`."""
        for connection in list(self.connections.values()):
            connection.link.disconnected()
        self.connections.clear()
        if memory != "all":
            self._state = self._saved.copy() if memory == "old" else _State()
            for session in self._state.sessions.values():  # what it may have delivered since
                self._counts.update(map(_words, (*session.waiting, *session.inflight.values())))
        for session in self._state.sessions.values():
            session.take_back()

    def times_said(self, topic: str, body: bytes) -> int:
        """How often a client heard this, or would have: redeliveries do not count."""
        return self._counts[topic, body]

    # --- routing ----------------------------------------------------------------------------

    def _route(self, message: Message) -> None:
        if message.retain:
            self._state.retained[message.topic] = message
        fresh = Message(message.topic, message.payload)
        self._counts[_words(fresh)] += 1
        for client_id in sorted(self._state.sessions):
            session = self._state.sessions[client_id]
            if not any(matches(pattern, message.topic) for pattern in session.filters):
                continue
            if self._dice.random() < self.drop or len(session.waiting) >= QUEUED_AT_MOST:
                continue
            session.waiting.append(fresh)
            self._push(client_id)

    def _push(self, client_id: str) -> None:
        connection = self.connections.get(client_id)
        session = self._state.sessions[client_id]
        while connection is not None and session.waiting:
            session.last_mid += 1
            message = session.waiting.popleft()
            session.inflight[session.last_mid] = message
            connection.downward.append((session.last_mid, message))


def _words(message: Message) -> tuple[str, bytes]:
    """Topic and body, without the MAC line."""
    return message.topic, message.payload.partition(b"\n")[0]


def matches(pattern: str, topic: str) -> bool:
    """Whether a filter with `+` fits a topic."""
    parts, levels = pattern.split("/"), topic.split("/")
    pairs: Sequence[tuple[str, str]] = list(zip(parts, levels, strict=False))
    return len(parts) == len(levels) and all(part in ("+", level) for part, level in pairs)
