"""Units under test, with the protocol's times made short, and a broker to meet the kit at."""

import itertools
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from conformance import against_unit
from conformance.against_unit.tap import Tap
from conformance.against_unit.trial import Trial, UnitUnderTest, try_unit
from conformance.line import Broker as At
from conformance.line import Place
from conformance.report import Report
from conformance.scene import Scene
from demo.broker import PrivateBroker
from tests.conftest import Broker
from tests.support.servers.elsewhere import ELSEWHERE
from tests.support.servers.running_intake import new_instance
from tests.support.units.driven_unit import TIMES, DrivenUnit, MakeUnit

KEY = bytes(range(32))
_tables = itertools.count(1)


@pytest.fixture(autouse=True)
def short_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the unit that are no settings of it."""
    monkeypatch.setattr("tables.unit.receipts.NO_RECEIPT_AFTER_S", TIMES.handset_s)
    monkeypatch.setattr("tables.mqtt.client.LEAST_PAUSE_S", TIMES.retry_s)
    monkeypatch.setattr("tables.unit.unit.READING_EVERY_S", TIMES.reading_s)


class Bench:
    """Where units of the project's own are tried, each at a table of its own."""

    def __init__(self, broker: Broker, folder: Path) -> None:
        self._at = At(broker.host, broker.port)
        self._folder = folder
        self._system = new_instance()

    def try_unit(
        self,
        make: MakeUnit | None = None,
        *,
        records_many: bool = True,
        scenes: Sequence[Scene[Trial]] = against_unit.SCENES,
        has_tap: bool = True,
    ) -> Report:
        place = Place(f"{self._system}-{next(_tables)}", "t-1", KEY)
        journal = self._folder / f"{place.system}.db"
        tap = Tap(self._at) if has_tap else None
        port = tap.port if tap else self._at.port
        driven = DrivenUnit(place, port, journal, records_many=records_many)
        driven.make = make or driven.make
        unit = UnitUnderTest(place, driven, tap, journal, has_display=True)
        try:
            return try_unit(unit, self._at, scenes, times=TIMES)
        finally:
            driven.leave()
            if tap:
                tap.close()


@pytest.fixture
def mosquitto(broker: Broker, tmp_path: Path) -> Broker:
    """A broker that keeps the QoS of a message, and ends a connection that another one follows."""
    kind = PrivateBroker(tmp_path, kind=os.environ.get("TEST_BROKER") or "auto").kind
    if kind == "amqtt":
        pytest.skip(ELSEWHERE + "amqtt does neither, so that it would be named, too")
    return broker


@pytest.fixture
def bench(broker: Broker, tmp_path: Path) -> Bench:
    return Bench(broker, tmp_path)
