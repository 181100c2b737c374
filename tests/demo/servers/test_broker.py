"""The private broker of both kinds does what the wire protocol rests on."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.servers.broker import BrokerError, PrivateBroker, mosquitto_program
from demo.servers.ports import LOOPBACK, free_port
from tests.support.servers.broker import EVENTS, KINDS, PRESENCE, Device
from tests.support.servers.demo.alive import is_alive
from tests.support.servers.elsewhere import ELSEWHERE
from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.broker

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture
def directory() -> Iterator[Path]:
    """A directory that the broker's own account can pass through; pytest's tmp_path is not."""
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as path:
        Path(path).chmod(0o711)
        yield Path(path)


@pytest.fixture(params=KINDS)
def private(request: pytest.FixtureRequest, directory: Path) -> Iterator[PrivateBroker]:
    with PrivateBroker(directory / "broker", kind=request.param) as broker:
        yield broker


def test_events_arrive_in_order_and_once(private: PrivateBroker) -> None:
    console = Device("console").connect(private, "jackpot/v1/+/+/events")
    table = Device("table").connect(private)
    payloads = [b"%d" % number for number in range(2000)]
    for payload in payloads:
        table.client.publish(EVENTS, payload, qos=1)
    wait_until(lambda: len(console.received) >= len(payloads), what="all events")
    assert console.payloads() == payloads
    assert {message.qos for message in console.received} == {1}


def test_a_retained_message_meets_those_who_come_later(private: PrivateBroker) -> None:
    table = Device("table").connect(private)
    table.publish(PRESENCE, b"online", retain=True)
    console = Device("console").connect(private, PRESENCE)
    wait_until(lambda: console.received, what="the retained presence")
    assert console.payloads(PRESENCE) == [b"online"]
    assert console.received[0].retain


def test_an_empty_message_takes_the_retained_one_back(private: PrivateBroker) -> None:
    table = Device("table").connect(private)
    table.publish(PRESENCE, b"online", retain=True)
    table.publish(PRESENCE, b"", retain=True)
    console = Device("console").connect(private, PRESENCE, EVENTS)
    table.publish(EVENTS, b"after")
    wait_until(console.payloads, what="the event that follows")
    assert console.payloads(PRESENCE) == []


def test_the_last_will_of_a_table_that_vanishes_is_published_and_retained(
    private: PrivateBroker,
) -> None:
    console = Device("console").connect(private, PRESENCE)
    table = Device("table", will=b"offline").connect(private)
    table.vanish()
    wait_until(lambda: console.payloads(PRESENCE), what="the last will")
    assert console.payloads(PRESENCE) == [b"offline"]
    late = Device("late").connect(private, PRESENCE)
    wait_until(lambda: late.payloads(PRESENCE), what="the retained last will")


def test_a_table_that_takes_leave_has_no_last_will(private: PrivateBroker) -> None:
    console = Device("console").connect(private, PRESENCE, EVENTS)
    Device("table", will=b"offline").connect(private).leave()
    Device("other").connect(private).publish(EVENTS, b"after")
    wait_until(console.payloads, what="the event that follows")
    assert console.payloads(PRESENCE) == []


def test_keeps_events_for_a_console_that_is_away(private: PrivateBroker) -> None:
    console = Device("console").connect(private, EVENTS)
    assert not console.session_present
    console.leave()
    table = Device("table").connect(private)
    payloads = [b"%d" % number for number in range(50)]
    for payload in payloads:
        table.publish(EVENTS, payload)
    again = Device("console").connect(private)
    assert again.session_present
    wait_until(lambda: len(again.received) >= len(payloads), what="what was kept")
    assert again.payloads() == payloads


@pytest.mark.parametrize("private", KINDS[:1], indirect=True)
def test_mosquitto_delivers_again_what_was_not_acknowledged(private: PrivateBroker) -> None:
    """amqtt does not; the tables' own resending makes up for it."""
    console = Device("console", acks=False).connect(private, EVENTS)
    Device("table").connect(private).publish(EVENTS, b"1")
    wait_until(console.payloads, what="the event")
    console.vanish()
    again = Device("console").connect(private)
    wait_until(again.payloads, what="the same event once more")
    assert again.received[0].dup


@pytest.mark.skipif(mosquitto_program() is None, reason="MOSQUITTO NOT TESTED: not installed")
def test_a_persistent_mosquitto_remembers_retained_messages(directory: Path) -> None:
    broker = PrivateBroker(directory / "broker", kind="mosquitto", persistent=True)
    with broker:
        port = broker.port
        table = Device("table").connect(broker)
        table.publish(PRESENCE, b"online", retain=True)
        table.leave()
    with broker:
        assert broker.port == port
        console = Device("console").connect(broker, PRESENCE)
        wait_until(lambda: console.payloads(PRESENCE), what="the retained presence")


@pytest.mark.skipif(mosquitto_program() is None, reason="MOSQUITTO NOT TESTED: not installed")
def test_a_persistent_mosquitto_can_be_made_to_forget(directory: Path) -> None:
    broker = PrivateBroker(directory / "broker", kind="mosquitto", persistent=True)
    with broker:
        table = Device("table").connect(broker)
        table.publish(PRESENCE, b"online", retain=True)
        with pytest.raises(BrokerError, match="before it can forget"):
            broker.forget()
        table.leave()
    broker.forget()
    with broker:
        console = Device("console").connect(broker, PRESENCE, EVENTS)
        Device("table").connect(broker).publish(EVENTS, b"after")
        wait_until(console.payloads, what="the event that follows")
        assert console.payloads(PRESENCE) == []


@pytest.mark.skipif(mosquitto_program() is None, reason="MOSQUITTO NOT TESTED: not installed")
def test_mosquitto_drops_what_its_queue_does_not_hold(directory: Path) -> None:
    with PrivateBroker(directory / "broker", kind="mosquitto", queued_at_most=10) as broker:
        Device("console").connect(broker, EVENTS).leave()
        table = Device("table").connect(broker)
        for number in range(50):
            table.publish(EVENTS, b"%d" % number)  # each is acknowledged all the same
        again = Device("console").connect(broker)
        table.publish(EVENTS, b"last")
        wait_until(lambda: b"last" in again.payloads(), what="the event that follows")
        assert again.payloads() == [b"%d" % number for number in range(10)] + [b"last"]


def test_comes_back_on_the_same_port_after_a_crash(private: PrivateBroker) -> None:
    port, pid = private.port, private.pid
    assert pid
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not private.is_running, what="the broker to be dead")
    private.start()
    assert private.port == port
    Device("table").connect(private).publish(EVENTS, b"1")


def test_listens_on_the_loopback_interface_only(private: PrivateBroker) -> None:
    listening = Path("/proc/net/tcp").read_text() if sys.platform == "linux" else ""
    ours = [line.split()[1] for line in listening.splitlines() if f":{private.port:04X} " in line]
    assert all(address.startswith("0100007F:") for address in ours)


@pytest.mark.parametrize("kind", KINDS)
def test_stop_leaves_nothing(directory: Path, kind: str) -> None:
    broker = PrivateBroker(directory / "broker", kind=kind)
    broker.start()
    pid = broker.pid
    assert pid
    broker.stop()
    assert not is_alive(pid)
    assert not broker.is_running


@pytest.mark.parametrize("kind", KINDS)
def test_says_when_its_port_is_taken(directory: Path, kind: str) -> None:
    port = free_port()
    with PrivateBroker(directory / "one", port, kind="amqtt"):
        second = PrivateBroker(directory / "two", port, kind=kind)
        with pytest.raises(BrokerError, match="Something else listens"):
            second.start()


@pytest.mark.parametrize("kind", KINDS)
def test_takes_another_port_where_somebody_took_the_one_it_chose(
    directory: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as other:
        other.bind((LOOPBACK, 0))  # after the broker had asked for a free one
        ports = [other.getsockname()[1], free_port()]
        monkeypatch.setattr("demo.servers.broker.free_port", lambda: ports.pop(0))
        monkeypatch.setattr("demo.servers.broker.is_free", lambda _: True)
        with PrivateBroker(directory / "broker", kind=kind) as broker:
            assert ports == []
            Device("table").connect(broker).publish(EVENTS, b"1")


@pytest.mark.skipif(sys.platform != "linux", reason=ELSEWHERE + "only Linux tells children of this")
@pytest.mark.parametrize("kind", KINDS)
def test_stops_when_its_owner_is_killed(directory: Path, kind: str) -> None:
    owner = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import signal, sys; from demo.servers.broker import PrivateBroker;"
            "broker = PrivateBroker(sys.argv[1], kind=sys.argv[2]); broker.start();"
            "print(broker.pid, flush=True); signal.pause()",
            directory / "broker",
            kind,
        ],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert owner.stdout
    pid = int(owner.stdout.readline())
    owner.kill()
    owner.communicate(timeout=60)
    wait_until(lambda: not is_alive(pid), what="the broker to follow its owner")


def test_an_unknown_kind_is_refused(directory: Path) -> None:
    with pytest.raises(BrokerError, match="take mosquitto, amqtt or auto"):
        PrivateBroker(directory, kind="carrier pigeon")


def test_the_environment_chooses_the_kind(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JACKPOT_BROKER", "amqtt")
    assert PrivateBroker(directory).kind == "amqtt"


def test_who_comes_back_hears_of_own_subscriptions_only(private: PrivateBroker) -> None:
    Device("table").connect(private).publish(PRESENCE, b"online", retain=True)
    Device("curious").connect(private, "jackpot/#")
    Device("console").connect(private, EVENTS).leave()
    again = Device("console").connect(private)
    Device("other").connect(private).publish(EVENTS, b"1")
    wait_until(again.payloads, what="the event")
    assert again.payloads(PRESENCE) == []
