"""Both MQTT brokers of the tests, and a client as tables and console use it."""

import socket
import threading
from typing import Any

import pytest
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from demo.servers.broker import PrivateBroker, mosquitto_program
from tests.support.suite.waiting import wait_until

EVENTS = "jackpot/v1/north/t1/events"


PRESENCE = "jackpot/v1/north/t1/presence"


KINDS = [
    pytest.param(
        "mosquitto",
        marks=pytest.mark.skipif(
            mosquitto_program() is None,
            reason="MOSQUITTO NOT TESTED: it is not installed (apt install mosquitto)",
        ),
    ),
    "amqtt",
]


class Device:
    """A client as tables and console use it: MQTT 3.1.1, a kept session, its own ack."""

    def __init__(self, name: str, *, acks: bool = True, will: bytes | None = None) -> None:
        self.received: list[mqtt.MQTTMessage] = []
        self.session_present = False
        self._connected = threading.Event()
        self._subscribed = threading.Event()
        self._acks = acks
        self.client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=name,
            clean_session=False,
            protocol=mqtt.MQTTv311,
            manual_ack=True,
        )
        if will is not None:
            self.client.will_set(PRESENCE, will, qos=1, retain=True)
        self.client.on_connect = self._on_connect
        self.client.on_subscribe = lambda *_: self._subscribed.set()
        self.client.on_message = self._on_message

    def connect(self, broker: PrivateBroker, *topics: str) -> "Device":
        self.client.connect("127.0.0.1", broker.port, keepalive=60)
        self.client.loop_start()
        wait_until(self._connected.is_set, what="the connection")
        for topic in topics:
            self._subscribed.clear()
            self.client.subscribe(topic, qos=1)
            wait_until(self._subscribed.is_set, what="the subscription")
        return self

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        self.client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(60)

    def leave(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def vanish(self) -> None:
        """As a table whose cable is pulled: the socket is gone, nothing is said."""
        self.client.loop_stop()
        connection = self.client.socket()
        assert isinstance(connection, socket.socket)
        connection.shutdown(socket.SHUT_RDWR)
        connection.close()

    def payloads(self, topic: str = EVENTS) -> list[bytes]:
        return [bytes(message.payload) for message in self.received if message.topic == topic]

    def _on_connect(self, _client: Any, _userdata: Any, flags: mqtt.ConnectFlags, *_: Any) -> None:
        self.session_present = flags.session_present
        self._connected.set()

    def _on_message(self, client: mqtt.Client, _userdata: Any, message: mqtt.MQTTMessage) -> None:
        self.received.append(message)
        if self._acks:
            client.ack(message.mid, message.qos)
