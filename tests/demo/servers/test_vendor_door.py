"""A client of a vendor's own at the demo: TLS, its log-in, its table, and nothing else."""

import datetime as dt
import hashlib
import hmac
import json
import shlex
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from demo.servers import vendor_access
from demo.servers.broker import PrivateBroker
from demo.servers.ports import LOOPBACK, free_port
from demo.servers.vendor_access import FIRST_PORT, PASSWORD, USERNAME, VendorDoor
from settlement.devices import accounts
from tables.mqtt import log_in
from tests.support.servers.broker import KINDS, Device
from tests.support.servers.demo.running import RunningDemo
from tests.support.servers.secure_broker import PASSWORD as ACCOUNT_PASSWORD
from tests.support.servers.secure_broker import account_files
from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.broker

OWN = f"jackpot/v1/{USERNAME}"
OTHER = "jackpot/v1/main/t8"


class Client:
    """As a vendor writes it, by the document alone: paho, MQTT 3.1.1, a clean session."""

    def __init__(
        self,
        door: dict[str, Any],
        *,
        username: str | None = USERNAME,
        password: str | None = PASSWORD,
        name: str = "vendor-1",
        will: str | None = f"{OWN}/presence",
    ) -> None:
        self.heard: list[tuple[str, Any]] = []
        self.answer: list[bool] = []
        self.granted: dict[int, bool] = {}  # by the number of the request
        self._client = mqtt.Client(
            CallbackAPIVersion.VERSION2, name, protocol=mqtt.MQTTv311, clean_session=True
        )
        self._client.tls_set(ca_certs=door["ca"])
        if username is not None:
            self._client.username_pw_set(username, password)
        if will is not None:
            self._client.will_set(will, b"{}", qos=1, retain=True)
        self._client.on_connect = lambda *args: self.answer.append(not args[3].is_failure)
        self._client.on_disconnect = lambda *_: self.answer.append(False)
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = lambda _c, _u, args: self.heard.append(
            (args.topic, json.loads(args.payload))
        )
        self._client.connect(door["host"], door["port"], keepalive=30)
        self._client.loop_start()
        wait_until(lambda: self.answer, what="the broker's answer")

    @property
    def is_in(self) -> bool:
        return self.answer[0]

    def hears(self, topic: str) -> bool:
        """Whether the broker grants it; Mosquitto grants all, and delivers what is allowed."""
        _, mid = self._client.subscribe(topic, qos=1)
        assert mid is not None
        wait_until(lambda: mid in self.granted, what=topic)
        return self.granted[mid]

    def says(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        self._client.publish(topic, payload, qos=1, retain=retain)

    def leave(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def of(self, topic: str) -> list[Any]:
        return [payload for heard, payload in self.heard if heard == topic]

    def _on_subscribe(self, _client: Any, _data: Any, mid: int, codes: Any, _more: Any) -> None:
        self.granted[mid] = not codes[0].is_failure


@pytest.fixture
def directory() -> Iterator[Path]:
    """A directory that the broker's own account can pass through; pytest's tmp_path is not."""
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as path:
        Path(path).chmod(0o711)
        yield Path(path)


@pytest.fixture(params=KINDS)
def broker(request: pytest.FixtureRequest, directory: Path) -> Iterator[PrivateBroker]:
    door = VendorDoor(directory / "door", LOOPBACK, free_port())
    door.prepare()
    door.tell("00" * 32)
    with PrivateBroker(directory / "broker", kind=request.param, door=door) as broker:
        yield broker


@pytest.fixture
def door(broker: PrivateBroker, directory: Path) -> dict[str, Any]:
    connection: dict[str, Any] = json.loads((directory / "door" / "connection.json").read_text())
    return connection


def test_a_log_in_of_one_table_reaches_that_table_alone(
    broker: PrivateBroker, door: dict[str, Any]
) -> None:
    console = Device("console").connect(broker, "jackpot/#")
    vendor = Client(door)
    assert vendor.is_in
    vendor.hears(f"{OWN}/receipts")
    vendor.hears("jackpot/v1/main/display")
    for topic in (f"{OTHER}/receipts", f"{OTHER}/events", "jackpot/#", "#", f"{OWN}/events"):
        vendor.hears(topic)
    for topic in (f"{OTHER}/events", f"{OWN}/receipts", "jackpot/v1/main/display", f"{OWN}/x"):
        vendor.says(topic, b'"forged"')
    vendor.says(f"{OWN}/events", b'"mine"')
    wait_until(lambda: console.payloads(f"{OWN}/events"), what="its own event")
    assert [bytes(message.payload) for message in console.received] == [b'"mine"']

    table = Device("table").connect(broker)
    table.publish(f"{OTHER}/receipts", b'"not for it"')
    table.publish(f"{OTHER}/events", b'"not for it"')
    table.publish(f"{OWN}/receipts", b'"for it"')
    wait_until(lambda: vendor.of(f"{OWN}/receipts"), what="its own receipt")
    assert {topic for topic, _ in vendor.heard} == {f"{OWN}/receipts"}
    vendor.leave()


@pytest.mark.parametrize(
    "who",
    [{"username": None}, {"password": "wrong"}, {"username": "main/t8"}, {"username": "console"}],
)
def test_nobody_else_is_let_in(door: dict[str, Any], who: dict[str, Any]) -> None:
    client = Client(door, **who)
    assert not client.is_in
    client.leave()


def test_the_accounts_that_the_console_writes_are_let_in_and_ended(
    broker: PrivateBroker, door: dict[str, Any]
) -> None:
    def write(*users: str) -> None:
        accounts.write(broker.accounts_dir, account_files(users))
        if command := shlex.split(broker.reload_command):
            subprocess.run(command, check=True)

    def lets_in(user: str) -> bool:
        url = urlparse(f"mqtts://localhost:{door['port']}")
        return log_in.lets_in(url, user, ACCOUNT_PASSWORD, "looks", authority=door["ca"])

    user = f"{USERNAME}.2"
    write(user)
    wait_until(lambda: lets_in(user), what="the new account")
    client = Client(door, username=user, password=ACCOUNT_PASSWORD)
    assert client.is_in
    write("main/t8")
    wait_until(lambda: not client.answer[-1], what="the end of an account that is gone")
    assert not lets_in(user)
    client.leave()


def test_only_over_tls_and_only_with_its_certificate(
    broker: PrivateBroker, door: dict[str, Any]
) -> None:
    plain = ssl.create_default_context()
    with (
        socket.create_connection((LOOPBACK, door["port"]), 10) as line,
        pytest.raises(ssl.SSLCertVerificationError),
    ):
        plain.wrap_socket(line, server_hostname="localhost")
    trusting = ssl.create_default_context(cafile=door["ca"])
    for host in ("localhost", LOOPBACK):
        with (
            socket.create_connection((LOOPBACK, door["port"]), 10) as line,
            trusting.wrap_socket(line, server_hostname=host) as secure,
        ):
            assert secure.version() in ("TLSv1.2", "TLSv1.3")


def test_the_embedded_broker_takes_no_last_will_and_no_name_of_others(directory: Path) -> None:
    door = VendorDoor(directory / "door", LOOPBACK, free_port())
    door.prepare()
    door.tell("00" * 32)
    connection = json.loads(door.connection.read_text())
    with PrivateBroker(directory / "broker", kind="amqtt", door=door):
        for other in ({"will": f"{OTHER}/presence"}, {"name": "jackpot-intake-1"}):
            client = Client(connection, **other)
            assert not client.is_in
            client.leave()


def test_a_port_that_is_taken_is_said_and_the_next_one_is_chosen(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = {FIRST_PORT, FIRST_PORT + 1}
    monkeypatch.setattr(vendor_access, "is_free", lambda port: port not in ports)
    door = VendorDoor.choose(directory)
    assert door is not None
    assert (door.port, door.busy_ports) == (FIRST_PORT + 2, (FIRST_PORT, FIRST_PORT + 1))
    monkeypatch.setattr(vendor_access, "is_free", lambda _port: False)
    assert VendorDoor.choose(directory) is None


def test_the_certificate_and_the_log_in_outlive_the_start(directory: Path) -> None:
    door = VendorDoor(directory, LOOPBACK, 1)
    door.prepare()
    before = door.certificate.read_bytes()
    door.prepare()
    door.tell("00" * 32)
    assert door.certificate.read_bytes() == before
    for file in (door.key, door.connection):
        assert file.stat().st_mode & 0o777 == 0o600


# --- by the document alone, at the whole demo ----------------------------------------------------


def signed(message: dict[str, Any], key: str) -> bytes:
    body = json.dumps(message).encode()
    return body + b"\n" + hmac.new(bytes.fromhex(key), body, hashlib.sha256).hexdigest().encode()


def now() -> str:
    return dt.datetime.now(dt.UTC).isoformat()


@pytest.mark.slow
@pytest.mark.postgres
def test_a_client_of_ones_own_is_receipted_by_the_demo_and_reads_the_posted_terms(
    var: Path,
) -> None:
    with RunningDemo(var) as demo:
        door = json.loads((var / "your-client" / "connection.json").read_text())
        output = demo.output.replace("\n", " ")
        assert f"mqtts://localhost:{door['port']}" in output
        assert f"{USERNAME}, password {PASSWORD}" in output
        client = Client(door)
        assert client.is_in
        receipts = f"{OWN}/receipts"
        assert client.hears(receipts)
        assert client.hears("jackpot/v1/main/display")

        key = door["mac_key"]
        presence = {"v": 1, "state": "online", "boot": 0, "connection": 1, "at": now()}
        client.says(f"{OWN}/presence", signed(presence, key), retain=True)
        wait_until(lambda: client.of(receipts), what="the receipt that names a boot")
        boot = client.of(receipts)[-1]["next_boot"]
        at = {"v": 1, "system": "main", "table": "t13", "boot": boot, "recorded_at": now()}
        game = {"game": "holdem", "deck": 52, "dealer": "Aroha", "seats_in_play": [1, 2, 3]}
        opened = {**at, "seq": 1, "type": "session_opened", **game}
        client.says(f"{OWN}/events", signed(opened, key))
        unsigned = {**at, "seq": 2, "type": "session_closed"}
        client.says(f"{OWN}/events", json.dumps(unsigned).encode())

        def outcomes() -> set[tuple[int, str]]:
            return {
                (result["seq"], result["outcome"])
                for receipt in client.of(receipts)
                if receipt["boot"] == boot
                for result in receipt["results"]
            }

        wait_until(
            lambda: {(1, "recorded"), (1, "sequenced"), (2, "quarantined")} <= outcomes(),
            what="what became of both",
        )
        wait_until(lambda: client.of("jackpot/v1/main/display"), what="the posted terms")
        display = client.of("jackpot/v1/main/display")[-1]
        assert display["terms"] >= 1
        assert {tier["tier"] for tier in display["tiers"]}
        client.leave()
