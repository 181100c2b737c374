"""Units under test, with the protocol's times made short, and a broker to meet the kit at."""

import os
from pathlib import Path

import pytest

from demo.servers.broker import PrivateBroker
from tests.support.servers.elsewhere import ELSEWHERE
from tests.support.servers.services import Broker
from tests.support.units.bench import Bench
from tests.support.units.driven_unit import TIMES


@pytest.fixture(autouse=True)
def short_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the unit that are no settings of it."""
    monkeypatch.setattr("tables.unit.receipts.NO_RECEIPT_AFTER_S", TIMES.handset_s)
    monkeypatch.setattr("tables.mqtt.client.LEAST_PAUSE_S", TIMES.retry_s)
    monkeypatch.setattr("tables.unit.unit.READING_EVERY_S", TIMES.reading_s)


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
