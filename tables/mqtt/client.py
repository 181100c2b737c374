"""The only file that knows the MQTT library: a connection that keeps itself, and no more.

What it promises: at QoS 1 a delivered message is acknowledged when its receiver says so, in the
order of receipt, and only on the connection that delivered it. An acknowledgement on another
connection could name another message, which the broker would then forget.
"""

import functools
import logging
import queue
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import ParseResult, unquote

from django.conf import settings
from paho.mqtt import client as paho
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from tables.mqtt.buffered_socket import BufferedSocket
from tables.protocol.inbound_message import InboundMessage

log = logging.getLogger(__name__)
# The library's own words, less what belongs to every leaving and coming.
_library_log = logging.getLogger(f"{__name__}.library")
_library_log.addFilter(lambda record: str(record.msg).startswith("Caught exception"))

# Of at most 64 KiB each; the rest waits at the broker, or in the socket. More than the
# unacknowledged messages that the broker sends ahead (max_inflight_messages), so that its answers,
# which come behind them, are always reached.
QUEUED_AT_MOST = 5000
KEEPALIVE_S = 30
SESSION_KEPT_S = 7 * 24 * 3600
LEAST_PAUSE_S, LONGEST_PAUSE_S = 1, 15


@dataclass(frozen=True, slots=True)
class Will:
    """What the broker says, retained, when this connection breaks."""

    topic: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Welcome:
    """What the broker said when it let a connection in: whether it had a session of that client,
    and, with MQTT 5, its limits by the protocol's names."""

    has_session: bool
    limits: Mapping[str, int]


class Delivery(NamedTuple):
    """A message and what its acknowledgement needs."""

    message: InboundMessage
    connection: int
    mid: int
    qos: int


class Publication:
    """A message on its way to the broker."""

    def __init__(
        self, info: paho.MQTTMessageInfo, turn: Callable[[float], object] | None = None
    ) -> None:
        """`turn` lets a connection without a thread of its own go on for so many seconds."""
        self._info = info
        self._turn = turn

    @property
    def is_acknowledged(self) -> bool:
        """Whether the broker has it."""
        try:
            return self._info.is_published()
        except (RuntimeError, ValueError):  # it was not even queued
            return False

    def wait(self, timeout_s: float) -> bool:
        """Whether the broker acknowledged it in time."""
        try:
            if self._turn is None:
                self._info.wait_for_publish(timeout_s)
                return self._info.is_published()
            deadline = time.monotonic() + timeout_s
            while not self._info.is_published() and (left := deadline - time.monotonic()) > 0:
                self._turn(left)
            return self._info.is_published()
        except (RuntimeError, ValueError):  # the library's words for a connection lost meanwhile
            return False


class GatheringClient(paho.Client):
    """The library's client, whose socket is read and written in large pieces."""

    def _create_socket(self) -> BufferedSocket:
        return BufferedSocket(super()._create_socket())


class Link:
    """One connection to the broker, made again whenever it breaks.

    `will` is asked again before every connection, so that it may name the connection.
    `on_connected` is called as soon as the broker has granted the subscriptions, in the network's
    thread, and must not wait.
    """

    _kind_of_client = paho.Client
    _protocol = ""  # as in MQTT_PROTOCOL, where it is not that

    def __init__(
        self,
        client_id: str,
        filters: Sequence[str] = (),
        *,
        will: Callable[[], Will] | None = None,
        on_connected: Callable[[], None] | None = None,
        keeps_session: bool = False,
        url: ParseResult | None = None,
    ) -> None:
        self.deliveries: queue.Queue[Delivery] = queue.Queue(QUEUED_AT_MOST)
        self._filters = list(filters)
        self._will = will
        self._on_connected = on_connected
        self._keeps_session = keeps_session
        self._url: ParseResult = url or settings.MQTT_URL
        self._version_5 = (self._protocol or str(settings.MQTT_PROTOCOL)) == "5"
        self.welcome: Welcome | None = None
        self.refusal = ""  # why there was no connection, in the broker's or the system's words
        self._client = self._make_client(client_id)
        # Guards the number, and an acknowledgement between its check and its sending.
        self._lock = threading.RLock()
        self._start_or_stop = threading.Lock()  # which two threads may ask for
        self._number = 0
        self._connected = threading.Event()
        self._stopping = threading.Event()
        self._refused_filter = False
        self._is_subscribed = False

    # --- life ---------------------------------------------------------------------------

    def start(self) -> None:
        """Begin connecting in a thread of its own; returns at once."""
        self._name_broker()
        self._client.loop_start()

    def _name_broker(self) -> None:
        port = self._url.port or (8883 if self._url.scheme == "mqtts" else 1883)
        session: dict[str, Any] = {}
        if self._version_5:
            properties = Properties(PacketTypes.CONNECT)
            properties.SessionExpiryInterval = SESSION_KEPT_S if self._keeps_session else 0
            properties.ReceiveMaximum = QUEUED_AT_MOST
            session = {"clean_start": not self._keeps_session, "properties": properties}
        self._client.connect_async(self._url.hostname or "localhost", port, KEEPALIVE_S, **session)

    def stop(self) -> None:
        """Say goodbye (no last will) and end the thread; unacknowledged messages stay unread."""
        self._stopping.set()
        with self._start_or_stop:
            self._client.disconnect()
            self._client.loop_stop()

    def reconnect(self) -> None:
        """Leave politely and reconnect, with a new last will; not from a callback."""
        with self._start_or_stop:
            if self._stopping.is_set():
                return
            self._client.disconnect()
            self._client.loop_stop()
            self.start()

    def cut(self) -> None:
        """Break the connection as a power cut would: nothing said, the will is published."""
        self._stopping.set()
        with self._start_or_stop:
            if line := self._client.socket():
                line.shutdown(socket.SHUT_RDWR)  # type: ignore[attr-defined]
            self._client.disconnect()
            self._client.loop_stop()

    def alive(self) -> bool:
        """Whether the network thread runs and every filter was granted; connected or not."""
        # An exception in a callback ends the library's thread without a word.
        thread = self._client._thread
        return thread is not None and thread.is_alive() and not self._refused_filter

    @property
    def is_connected(self) -> bool:
        return self._connected.is_set()

    @property
    def is_subscribed(self) -> bool:
        """Whether the broker has granted the subscriptions of this connection."""
        return self._is_subscribed and self.is_connected

    @property
    def connection_number(self) -> int:
        """Of the present connection; each has another one."""
        return self._number

    def wait_connected(self, timeout_s: float) -> bool:
        """Whether there is a connection, within the time."""
        return self._connected.wait(timeout_s)

    # --- messages -----------------------------------------------------------------------

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> Publication | None:
        """Publish at QoS 1; None, and nothing is kept for later, while there is no connection."""
        if not self.is_connected:
            return None
        return Publication(self._client.publish(topic, payload, qos=1, retain=retain))

    def ack(self, delivery: Delivery) -> bool:
        """Acknowledge on the connection that delivered; False when that one is gone."""
        with self._lock:
            if delivery.connection != self._number:
                return False
            self._client.ack(delivery.mid, delivery.qos)
            return True

    # --- callbacks, all in the network's thread -----------------------------------------

    def _make_client(self, client_id: str) -> paho.Client:
        client = self._kind_of_client(
            paho.CallbackAPIVersion.VERSION2,
            client_id=client_id,
            clean_session=None if self._version_5 else not self._keeps_session,
            protocol=paho.MQTTv5 if self._version_5 else paho.MQTTv311,
            manual_ack=True,
        )
        if self._url.username:
            # In an address both are percent-encoded: a unit's name is `{system}/{table}`.
            password = unquote(self._url.password or "")
            client.username_pw_set(unquote(self._url.username), password)
        if self._url.scheme == "mqtts":
            client.tls_set()  # the system's authorities, or those that SSL_CERT_FILE names
        client.suppress_exceptions = True  # one would end the library's thread without a word
        client.enable_logger(_library_log)  # and here it has its word
        client.reconnect_delay_set(LEAST_PAUSE_S, LONGEST_PAUSE_S)
        # No limit: with one the library walks all that is on its way at every acknowledgement.
        client.max_inflight_messages_set(0)
        client.on_socket_open = self._opened
        client.on_pre_connect = self._before_connect
        client.on_connect = self._connect
        client.on_connect_fail = self._cannot_connect
        client.on_disconnect = self._disconnect
        client.on_subscribe = self._subscribed
        client.on_message = self._deliver
        return client

    def _before_connect(self, client: paho.Client, _userdata: object) -> None:
        self._next_number()
        if self._will:
            will = self._will()
            client.will_set(will.topic, will.payload, qos=1, retain=True)

    def _opened(self, _client: paho.Client, _userdata: object, line: Any) -> None:
        # Without this a small message waits for the answer to the one before, up to 40 ms.
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _next_number(self) -> None:
        with self._lock:
            self._number += 1

    def _connect(
        self,
        client: paho.Client,
        _userdata: object,
        flags: paho.ConnectFlags,
        reason: paho.ReasonCode,
        properties: Properties | None,
    ) -> None:
        if reason.is_failure:
            self.refusal = str(reason)
            log.error("The broker refuses the connection: %s", reason)
            return
        limits = {} if properties is None else properties.json()
        self.welcome = Welcome(bool(flags.session_present), limits)
        if self._filters:
            client.subscribe([(topic, 1) for topic in self._filters])
        self._connected.set()
        if self._on_connected and not self._filters:
            self._on_connected()

    def _cannot_connect(self, _client: paho.Client, _userdata: object) -> None:
        # The library calls this where it has caught the error, and tells nobody what it was.
        self.refusal = str(sys.exception())
        log.warning("The broker cannot be reached: %s", self.refusal)

    def _disconnect(
        self,
        _client: paho.Client,
        _userdata: object,
        _flags: object,
        reason: paho.ReasonCode,
        _properties: object,
    ) -> None:
        # The library clears what waits to be sent and then reconnects: from here on no
        # acknowledgement of this connection may be added to that.
        self._next_number()
        self._connected.clear()
        self._is_subscribed = False
        if reason.is_failure and not self._stopping.is_set():
            log.warning("The connection to the broker is gone: %s", reason)

    def _subscribed(
        self,
        _client: paho.Client,
        _userdata: object,
        _mid: int,
        reasons: list[paho.ReasonCode],
        _properties: object,
    ) -> None:
        self._is_subscribed = True
        if any(reason.is_failure for reason in reasons):
            self._refused_filter = True
            log.error("The broker refuses a subscription of %s: %s", self._filters, reasons)
        elif self._on_connected:
            self._on_connected()

    def _deliver(self, client: paho.Client, _userdata: object, message: paho.MQTTMessage) -> None:
        delivery = self._delivery(client, message)
        if delivery is None:
            return
        # Full: reading stops here and the rest waits with the broker. Should that take so long
        # that the broker ends the connection, it delivers all unacknowledged messages again.
        while not self._stopping.is_set():
            try:
                self.deliveries.put(delivery, timeout=0.5)
                break
            except queue.Full:
                continue

    def _delivery(self, client: paho.Client, message: paho.MQTTMessage) -> Delivery | None:
        """The message with what its acknowledgement needs; None when nobody asked for it."""
        try:
            topic = message.topic
        except UnicodeDecodeError:
            topic = "\ufffd"  # no topic of the protocol
        if not _is_wanted(topic, self._filters):
            # amqtt sends a new client what is retained under the subscriptions of others.
            client.ack(message.mid, message.qos)
            return None
        inbound = InboundMessage.of(
            topic, message.payload, retained=message.retain, redelivered=message.dup
        )
        return Delivery(inbound, self._number, message.mid, message.qos)


@functools.lru_cache(maxsize=10_000)
def _matches(pattern: str, topic: str) -> bool:
    return bool(paho.topic_matches_sub(pattern, topic))


def _is_wanted(topic: str, filters: Sequence[str]) -> bool:
    return any(_matches(pattern, topic) for pattern in filters)
