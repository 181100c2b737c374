"""Whether each process of the demo is really up: judged by what it does, not by its pid."""

import datetime as dt
import http.client
import queue
from pathlib import Path

import msgspec
from django.utils import timezone

from demo.casino.seed_data import HOUSES, SIMULATED_TABLES, are_terms_in_effect
from jackpot.models import Head
from tables.models import UnitPresence
from tables.mqtt.client import Link
from tables.protocol import topics

_SYSTEMS = frozenset(house.code for house in HOUSES)


class _Announcement(msgspec.Struct):
    """What heartbeats and display messages have in common; other fields are passed over."""

    at: dt.datetime
    state: str


class Subscriber:
    """Listens at the broker as a display does: which systems hear an intake and get values."""

    def __init__(self, name: str) -> None:
        self._link = Link(name, [topics.console("+", "+"), topics.display("+")])
        self._attended: set[str] = set()
        self._displayed: set[str] = set()
        self._since = timezone.now()

    def __enter__(self) -> "Subscriber":
        self._link.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._link.stop()

    def hears_intake(self) -> bool:
        """An intake's heartbeat says for every system that it listens."""
        self._hear()
        return self._attended >= _SYSTEMS

    def hears_displays(self) -> bool:
        """Every system got values: poster, Celery worker and the intake's outbox all work."""
        self._hear()
        return self._displayed >= _SYSTEMS

    def _hear(self) -> None:
        while True:
            try:
                delivery = self._link.deliveries.get_nowait()
            except queue.Empty:
                return
            self._link.ack(delivery)
            system, kind = delivery.message.topic.split("/")[2:4]
            message = msgspec.json.decode(delivery.message.body, type=_Announcement)
            if message.at < self._since:
                continue  # retained, from an earlier run
            if kind == "display":
                self._displayed.add(system)
            elif message.state == "online":
                self._attended.add(system)


def is_posting() -> bool:
    """A writer holds every system, and the terms of the demo have been posted."""
    held = Head.objects.filter(system__code__in=_SYSTEMS, lease_until__gt=timezone.now())
    return held.count() == len(_SYSTEMS) and are_terms_in_effect()


def are_tables_online(since: dt.datetime) -> bool:
    """The unit of every simulated table has said since then that it is there."""
    online = UnitPresence.objects.filter(
        online=True, heard_at__gte=since, table__code__in=SIMULATED_TABLES
    )
    return online.count() == len(SIMULATED_TABLES)


def is_served(host: str, port: int, path: str) -> bool:
    """Whether a page answers."""
    line = http.client.HTTPConnection(host, port, timeout=5)
    try:
        line.request("GET", path)
        return line.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        line.close()


def is_touched(sign: Path, since: dt.datetime) -> bool:
    """Whether a sign of life has been given since then."""
    return sign.exists() and sign.stat().st_mtime >= since.timestamp()
