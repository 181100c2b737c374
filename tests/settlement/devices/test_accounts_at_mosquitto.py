"""The broker's accounts at a real Mosquitto: who is let in, who is dropped, who may say what."""

import datetime as dt
import ssl
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from pytest_django import Settings

from settlement.devices import accounts, authority, credentials
from settlement.devices.credentials import CERTIFICATE, PASSWORD, Device, Issued, Kind
from settlement.people.rights.roles import grant, install_roles
from tables.models import Alarm, BrokerAccounts, Casino, GamingTable, JackpotSystem
from tests.support.servers.secure_broker import SecureBroker, has_mosquitto
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

pytestmark = [
    pytest.mark.broker,
    pytest.mark.skipif(
        not has_mosquitto(),
        reason="ACCOUNTS NOT TESTED: Mosquitto is not installed (apt install mosquitto)",
    ),
]
OWN = "jackpot/v1/main/t7"


class DeviceClient:
    """A device that logs in with what it was issued, and stays connected."""

    def __init__(self, broker: SecureBroker, issued: Issued, directory: Path) -> None:
        self._answers: dict[int, bool] = {}
        self.is_in: bool | None = None
        # Protocol 5: there the broker says when it drops what is not allowed.
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        port = broker.port
        files: dict[str, Any] = {}
        if issued.certificate:
            pem = directory / f"{issued.credential.serial}.pem"
            pem.write_text(issued.private_key + issued.certificate)
            files, port = {"certfile": str(pem)}, broker.certificate_port
        else:
            self._client.username_pw_set(issued.credential.username, issued.password)
        self._client.tls_set(ca_certs=str(broker.ca), **files)
        self._client.on_connect = lambda *args: self._now(not args[3].is_failure)
        self._client.on_disconnect = lambda *_: self._now(False)
        self._client.on_publish = self._published
        self._client.reconnect_delay_set(3600, 3600)
        try:
            self._client.connect("localhost", port)
        except ssl.SSLError:
            self.is_in = False
            return
        self._client.loop_start()
        wait_until(lambda: self.is_in is not None, what="the broker's answer")

    def may_say(self, *names: str) -> list[bool]:
        mids = [self._client.publish(name, b"x", qos=1).mid for name in names]
        wait_until(lambda: self._answers.keys() >= set(mids), what="acknowledgements")
        return [self._answers[mid] for mid in mids]

    def leave(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _published(self, _client: Any, _data: Any, mid: int, reason: Any, _more: Any) -> None:
        self._answers[mid] = not reason.is_failure

    def _now(self, is_in: bool) -> None:
        self.is_in = is_in


@pytest.fixture
def directory() -> Iterator[Path]:
    """A directory that the broker's own account can pass through; pytest's tmp_path is not."""
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as path:
        yield Path(path)


@pytest.fixture
def broker(
    fresh_database: FreshDatabase, settings: Settings, directory: Path
) -> Iterator[SecureBroker]:
    broker = SecureBroker(directory)
    settings.MQTT_URL = urlsplit(broker.url("console"))
    settings.UNIT_BROKER_CA = str(broker.ca)
    settings.BROKER_ACCOUNTS_DIR = str(broker.accounts_dir)
    settings.DEVICE_CA_DIR = str(directory / "authority")
    settings.DEVICE_CA_SECRET = "for this test"
    broker.start()
    yield broker
    broker.stop()


class Floor:
    """Two tables, their administrator, and the broker that the console writes accounts for."""

    def __init__(self, broker: SecureBroker, directory: Path) -> None:
        install_roles()
        self.hana = User.objects.create_user("hana", password="x")
        grant(self.hana, "Administrator", by="the test")
        casino = Casino.objects.create(code="harbour", name="Harbour", currency="NZD")
        system = JackpotSystem.objects.create(casino=casino, code="main", name="Main")
        self.t7 = GamingTable.objects.create(system=system, code="t7", name="Table 7")
        self.t8 = GamingTable.objects.create(system=system, code="t8", name="Table 8")
        self.broker, self._directory = broker, directory

    def issue(self, table: GamingTable, way: str) -> Issued:
        issued = credentials.issue(self.hana, Device(Kind.UNIT, table), way)
        assert accounts.keep_accounts() == ""
        return issued

    def revoke(self, issued: Issued) -> None:
        credentials.revoke(self.hana, issued.credential, "Stolen")
        assert accounts.keep_accounts() == ""

    def connected(self, issued: Issued) -> DeviceClient:
        return DeviceClient(self.broker, issued, self._directory)


def test_devices_are_let_in_while_their_credentials_hold_and_not_a_moment_longer(
    broker: SecureBroker, directory: Path, settings: Settings
) -> None:
    floor = Floor(broker, directory)
    of_passwords(floor)
    of_certificates(floor)
    of_an_authority_that_cannot_sign(floor, settings)
    of_a_broker_that_is_away(floor)


def of_passwords(floor: Floor) -> None:
    first = floor.issue(floor.t7, PASSWORD)
    with_first = floor.connected(first)
    assert with_first.is_in
    others = ("jackpot/v1/main/t8/events", f"{OWN}/receipts", f"{OWN}/readings", "elsewhere")
    assert with_first.may_say(f"{OWN}/events", *others) == [True, False, False, False, False]
    # Rotated: both hold. When the old one ends, its open connection ends, and the other stays.
    day = dt.timedelta(days=1)
    second = credentials.rotate(floor.hana, first.credential, PASSWORD, day)
    assert accounts.keep_accounts() == ""
    assert with_first.is_in
    with_second = floor.connected(second)
    assert with_second.is_in
    floor.revoke(first)
    wait_until(lambda: not with_first.is_in, what="the end of the old connection")
    assert not floor.connected(first).is_in
    assert with_second.may_say(f"{OWN}/events") == [True]
    floor.revoke(second)
    wait_until(lambda: not with_second.is_in, what="the end of a revoked connection")
    assert not floor.connected(second).is_in
    for client in (with_first, with_second):
        client.leave()


def of_certificates(floor: Floor) -> None:
    """Their listener is opened once there is an authority."""
    call_command("provision", "ca", verbosity=0)
    first, second = floor.issue(floor.t7, CERTIFICATE), floor.issue(floor.t8, CERTIFICATE)
    with_first, with_second = floor.connected(first), floor.connected(second)
    assert (with_first.is_in, with_second.is_in) == (True, True)
    assert with_first.may_say(f"{OWN}/events", "jackpot/v1/main/t8/events") == [True, False]
    floor.revoke(first)
    wait_until(lambda: not with_first.is_in, what="the end of a revoked certificate's connection")
    assert not floor.connected(first).is_in
    assert with_second.may_say("jackpot/v1/main/t8/events") == [True]
    for client in (with_first, with_second):
        client.leave()
    again = floor.connected(second)
    assert again.is_in
    again.leave()


def of_an_authority_that_cannot_sign(floor: Floor, settings: Settings) -> None:
    """Who is revoked is out all the same; what is wrong is said until it is right."""
    issued = floor.issue(floor.t7, PASSWORD)
    client = floor.connected(issued)
    settings.DEVICE_CA_SECRET = "another"
    credentials.revoke(floor.hana, issued.credential, "Stolen")
    assert "revoked certificates is not signed" in accounts.keep_accounts()
    wait_until(lambda: not client.is_in, what="the end of a revoked connection")
    assert BrokerAccounts.objects.get().fault
    assert Alarm.objects.get().kind == accounts.ALARM
    client.leave()
    settings.DEVICE_CA_SECRET = "for this test"
    assert accounts.keep_accounts() == ""


def of_a_broker_that_is_away(floor: Floor) -> None:
    """Nothing is written where nothing changed; that it is away is said, and tried again."""
    written_at = BrokerAccounts.objects.get().written_at
    assert accounts.keep_accounts() == ""
    assert BrokerAccounts.objects.get().written_at == written_at
    floor.broker.stop()
    with mock.patch.object(accounts, "TAKEN_WITHIN_S", 0.2):
        assert "has not taken the accounts" in accounts.keep_accounts(always=True)
    assert Alarm.objects.get().kind == accounts.ALARM
    assert BrokerAccounts.objects.get().taken_at is None


def test_a_reload_command_that_fails_is_said(
    fresh_database: FreshDatabase, settings: Settings, tmp_path: Path
) -> None:
    settings.BROKER_ACCOUNTS_DIR = str(tmp_path)
    settings.BROKER_RELOAD_COMMAND = "sh -c 'echo no such broker >&2; exit 1'"
    assert accounts.keep_accounts().endswith("no such broker.")
    settings.BROKER_RELOAD_COMMAND = "/nowhere/reload"
    assert "could not be asked" in accounts.keep_accounts()
    settings.BROKER_ACCOUNTS_DIR = str(tmp_path / "missing")
    assert "cannot be written" in accounts.keep_accounts()


def test_the_list_of_revoked_certificates_names_them(settings: Settings, tmp_path: Path) -> None:
    from cryptography import x509

    settings.DEVICE_CA_DIR, settings.DEVICE_CA_SECRET = str(tmp_path), "for this test"
    authority.make("Test")
    device_certificate = authority.certificate_for("main/t7.1", "Table 7")
    now = dt.datetime.now(dt.UTC)
    crl = x509.load_pem_x509_crl(authority.revocation_list([(device_certificate.serial, now)]))
    assert [f"{each.serial_number:x}" for each in crl] == [device_certificate.serial]
    certificate = x509.load_pem_x509_certificate(device_certificate.certificate.encode())
    usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage)
    assert list(usage.value) == [x509.oid.ExtendedKeyUsageOID.CLIENT_AUTH]
    assert certificate.subject.rfc4514_string() == "OU=Table 7,CN=main/t7.1"
