"""The modelled connection: what `tables.mqtt.client.Link` promises, over the modelled broker."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from typing import Any

from simulation.environment.broker import Broker, Connection, Message, Publication
from simulation.environment.process import Process
from tables.mqtt.client import Delivery, Will
from tables.protocol.inbound_message import InboundMessage


class ModelPublication(Publication):
    """A message on its way to the broker, of a client that waits for the answer."""

    def __init__(self, link: ModelLink, message: Message) -> None:
        super().__init__(message)
        self._link = link

    def wait(self, timeout_s: float) -> bool:
        """Whether the broker acknowledged it in time; meanwhile the wire moves."""
        connection = self._link.connection
        while connection is not None and not self.is_acknowledged and timeout_s > 0:
            if connection.upward:
                self._link.broker.carry_up(connection)
            elif connection.downward:
                self._link.broker.carry_down(connection)
            else:
                break
            connection = self._link.connection
        return self.is_acknowledged


class ModelLink:
    """A client. `process` is who must stop at the numbered points; a table unit has none."""

    process: Process | None = None

    def __init__(
        self,
        broker: Broker,
        client_id: str,
        filters: Sequence[str] = (),
        *,
        will: Callable[[], Will] | None = None,
        on_connected: Callable[[], None] | None = None,
        keeps_session: bool = False,
    ) -> None:
        self.broker = broker
        self.client_id = client_id
        self.filters = list(filters)
        self.keeps_session = keeps_session
        self.deliveries: queue.Queue[Delivery] = queue.Queue()
        self.connection: Connection | None = None
        self._will = will
        self._on_connected = on_connected
        self._number = 0
        self._unacknowledged: list[Publication] = []

    # --- what the product calls -------------------------------------------------------------

    def start(self) -> None:
        self.broker.links.append(self)

    def stop(self) -> None:
        if self in self.broker.links:
            self.broker.links.remove(self)
        self.broker.leave(self)

    def cut(self) -> None:
        if self in self.broker.links:
            self.broker.links.remove(self)
        self.broker.break_off(self)

    def reconnect(self) -> None:
        self.broker.leave(self)  # the scheduler connects it again

    def alive(self) -> bool:
        return True

    @property
    def is_connected(self) -> bool:
        return self.connection is not None

    @property
    def connection_number(self) -> int:
        return self._number

    def wait_connected(self, timeout_s: float) -> bool:  # noqa: ARG002 - nobody waits here
        return self.is_connected

    def take(self, timeout_s: float, at_most: int, wake: int | None) -> list[Delivery]:  # noqa: ARG002 - nobody waits here
        deliveries: list[Delivery] = []
        while len(deliveries) < at_most and not self.deliveries.empty():
            deliveries.append(self.deliveries.get_nowait())
        return deliveries

    def turn(self, timeout_s: float) -> None:
        """The scheduler moves the network."""

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False
    ) -> ModelPublication | None:
        if self.process is not None:
            self.process.point("publish")
        if self.connection is None:
            return None
        if self.process is not None:
            self.process.published(topic, payload)
        publication = ModelPublication(self, Message(topic, bytes(payload), retain))
        self._unacknowledged.append(publication)
        self.connection.upward.append(("publish", publication))
        return publication

    def ack(self, delivery: Delivery) -> bool:
        if self.process is not None:
            self.process.point("acknowledge")
        if self.connection is None or delivery.connection != self._number:
            return False
        if self.process is not None:
            self.process.acknowledged(delivery.message)
        self.connection.upward.append(("ack", delivery.mid))
        return True

    # --- what the broker calls ----------------------------------------------------------------

    def before_connect(self) -> Will | None:
        self._number += 1
        return self._will() if self._will else None

    def connected(self, connection: Connection) -> None:
        connection.number = self._number
        self.connection = connection
        if self.process is not None:  # the intake begins each connection with nothing in hand
            self._unacknowledged.clear()
        for publication in self._unacknowledged:  # as the library does: once more, in order
            connection.upward.append(("publish", publication))
        if self._on_connected:
            self._on_connected()

    def disconnected(self) -> None:
        self._number += 1
        self.connection = None

    def deliver(self, mid: int, message: Message) -> None:
        inbound = InboundMessage.of(
            message.topic,
            message.payload,
            retained=message.retain,
            redelivered=message.redelivered,
        )
        self.deliveries.put(Delivery(inbound, self._number, mid, 1))

    def acknowledged(self, publication: Publication) -> None:
        publication.is_acknowledged = True
        if self.process is not None:
            self.process.arrived(publication.message.topic, publication.message.payload)
        if publication in self._unacknowledged:
            self._unacknowledged.remove(publication)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the product's link can {name}, the modelled one cannot yet")
