"""How every peer hears events and says how many it has stored: paho, QoS 1."""

import queue
import sys
from urllib.parse import urlsplit

from paho.mqtt import client as paho

PROGRESS = "bench/stored"
EVENTS = "jackpot/v1/+/+/events"
# The amounts of benchmarks.seed_data, in micros a round.
TIERS = {"royal": 300_000, "straight-flush": 200_000, "aces-full": 100_000}
CURRENCY = "NZD"


def arguments() -> tuple[str, str]:
    """The broker's address and the database's, as every peer is started with."""
    mqtt_url, database_url = sys.argv[1:]
    return mqtt_url, database_url


class Subscriber:
    """Bodies of events as they come, and the word of how many are stored."""

    def __init__(self, mqtt_url: str) -> None:
        self._bodies: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._stored = 0
        self._client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="jackpot-peer")
        self._client.max_inflight_messages_set(0)
        self._client.on_connect = lambda client, *_: client.subscribe(EVENTS, qos=1)
        self._client.on_subscribe = lambda *_: print("ready", flush=True)
        self._client.on_message = lambda _client, _data, message: self._bodies.put(
            bytes(message.payload)
        )
        where = urlsplit(mqtt_url)
        self._client.connect(where.hostname or "127.0.0.1", where.port or 1883)
        self._client.loop_start()

    def batch(self, most: int) -> list[bytes]:
        """What has come, at most so many; waits for the first."""
        bodies = [self._bodies.get()]
        try:
            while len(bodies) < most:
                bodies.append(self._bodies.get_nowait())
        except queue.Empty:
            pass
        return bodies

    def stored(self, count: int) -> None:
        """So many more are committed."""
        self._stored += count
        self._client.publish(PROGRESS, str(self._stored), qos=0)
