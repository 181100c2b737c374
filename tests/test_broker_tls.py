"""TLS to the broker: production's configuration with a certificate that is made for the test.

A unit and the intake connect by `mqtts://`; a certificate of other authorities, or of another
host, is refused.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from settlement.devices import accounts
from tables.models import Casino, GamingTable, JackpotSystem, TableEvent
from tables.unit.unit import TableUnit, UnitSettings
from tests.support.servers.secure_broker import (
    Authority,
    SecureBroker,
    account_files,
    has_mosquitto,
)
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import RunningIntake

UNIT = "main/t7"
pytestmark = [
    pytest.mark.broker,
    pytest.mark.skipif(
        not has_mosquitto(),
        reason="TLS NOT TESTED: Mosquitto is not installed (apt install mosquitto)",
    ),
]


@pytest.fixture
def open_broker() -> Iterator[Callable[[str], SecureBroker]]:
    """Start a broker whose certificate is for that host."""
    opened: list[SecureBroker] = []
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as name:

        def start(host: str) -> SecureBroker:
            broker = SecureBroker(Path(name), host)
            accounts.write(broker.accounts_dir, account_files([UNIT]))
            opened.append(broker)
            broker.start()
            return broker

        yield start
        for broker in opened:
            broker.stop()


@pytest.fixture
def trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Authority], None]:
    """Let this process trust that authority, and no other, as operations.md says."""

    def trusted(authority: Authority) -> None:
        (tmp_path / "trusted.pem").write_bytes(authority.pem)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "trusted.pem"))

    return trusted


def test_an_event_is_recorded_over_tls(
    fresh_database: FreshDatabase,
    open_broker: Callable[[str], SecureBroker],
    trust: Callable[[Authority], None],
    settings: Any,
) -> None:
    broker = open_broker("localhost")
    trust(broker.authority)
    casino = Casino.objects.create(code="harbour", name="Harbour", currency="NZD")
    system = JackpotSystem.objects.create(casino=casino, code="main", name="Main")
    GamingTable.objects.create(system=system, code="t7", name="Table 7")
    settings.MQTT_URL = urlsplit(broker.url("console"))
    with RunningIntake():
        settings.MQTT_URL = urlsplit(broker.url(UNIT))
        unit = TableUnit("main", "t7", UnitSettings(guard_s=0, presence_every_s=0.2))
        unit.start()
        try:
            assert unit.wait_ready(60)
            seq = unit.open_session()
            assert unit.wait_recorded(seq, 60)
        finally:
            unit.stop()
    assert TableEvent.objects.get().type == "session_opened"


@pytest.mark.parametrize("wrong", ["authority", "host"])
def test_a_certificate_that_is_not_the_brokers_is_refused(
    open_broker: Callable[[str], SecureBroker],
    trust: Callable[[Authority], None],
    settings: Any,
    caplog: pytest.LogCaptureFixture,
    wrong: str,
) -> None:
    broker = open_broker("elsewhere.example" if wrong == "host" else "localhost")
    trust(Authority("Somebody else") if wrong == "authority" else broker.authority)
    settings.MQTT_URL = urlsplit(broker.url(UNIT))
    unit = TableUnit("main", "t7")
    unit.start()
    try:
        sentence = "CERTIFICATE_VERIFY_FAILED" if wrong == "authority" else "Hostname mismatch"
        wait_until(lambda: sentence in caplog.text, what="the refusal")
        assert not unit.link.is_connected
    finally:
        unit.stop()
