"""The project's own console, with the broker of the demo's door for vendors, is conforming."""

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection

from conformance import against_console
from conformance.against_console.trial import Times, try_console
from conformance.line import Broker, Place
from conformance.report import Report
from demo.servers.broker import PrivateBroker
from demo.servers.ports import LOOPBACK, free_port
from demo.servers.vendor_access import PASSWORD, SYSTEM, TABLE, USERNAME, VendorDoor
from jackpot.display import values
from tables import keys
from tables.models import GamingTable
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.suite.databases import FreshDatabase
from tests.support.units.demo_floor import RunningPoster
from tests.support.units.running_intake import RunningIntake

KEY = bytes(range(32))
TIMES = Times(display_s=20.0, quiet_s=0.5)
PLAIN_TABLE = "t7"  # its unit has no key
BY_HAND = (
    "C-01 C-02 C-04 C-05 C-16 C-17 C-22 C-25 C-26 C-29 C-35 C-43 C-50 C-51 C-52 C-53 C-54 C-55"
    " C-61 C-62 C-63 C-64 B-03"
)


@contextmanager
def displays(system_id: int) -> Iterator[None]:
    """What the worker does for displays, in a thread of the test."""
    stop = threading.Event()

    def refresh() -> None:
        with acting_as("worker"):
            while not stop.wait(0.4):
                values.refresh(system_id)
        connection.close()

    thread = threading.Thread(target=refresh)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@pytest.fixture
def door() -> Iterator[tuple[PrivateBroker, VendorDoor]]:
    """A broker that the console reaches in the clear, and a vendor over TLS with a log-in."""
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as folder:
        Path(folder).chmod(0o711)  # the broker's own account passes through
        door = VendorDoor(Path(folder) / "door", LOOPBACK, free_port())
        door.prepare()
        with PrivateBroker(Path(folder) / "broker", door=door) as broker:
            yield broker, door


def test_the_projects_own_console_keeps_every_clause(
    fresh_database: FreshDatabase, door: tuple[PrivateBroker, VendorDoor], settings: Any
) -> None:
    broker, entrance = door
    settings.MQTT_URL = urlsplit(broker.url)
    house = House(royal_terms(), tables=(TABLE, PLAIN_TABLE), code=SYSTEM)
    keys.give(GamingTable.objects.get(code=TABLE), KEY.hex())
    house.poster.give_up()
    at_door = Broker("localhost", entrance.port, USERNAME, PASSWORD, entrance.certificate, tls=True)
    with RunningIntake(), RunningPoster(), displays(house.system.pk):
        signed = _report(Place(SYSTEM, TABLE, KEY), at_door)
        plain = _report(Place(SYSTEM, PLAIN_TABLE), Broker(LOOPBACK, broker.port))
    lines = "\n".join([*signed.lines(), *plain.lines()])
    # The broker that needs no installation leaves both connections of one name.
    of_broker = ["B-01"] if broker.kind == "amqtt" else []
    assert signed.ids("does not hold") == of_broker, lines
    assert signed.ids("not tried") == ["C-15"], lines
    assert signed.ids("by hand") == BY_HAND.split(), lines
    # Without a key the MAC is not looked at; without a log-in nothing bars from other topics.
    assert plain.ids("not tried") == ["C-13", "C-14", "C-48"], lines
    assert plain.ids("does not hold") == [*of_broker, "B-02"], lines


def _report(place: Place, broker: Broker) -> Report:
    return try_console(place, broker, against_console.SCENES, times=TIMES)
