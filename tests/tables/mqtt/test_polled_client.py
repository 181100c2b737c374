"""The console's connection to the broker, which its owner drives."""

import socket
from collections.abc import Callable

import pytest

from tables.mqtt.polled_client import PolledClient
from tests.support.servers.services import Broker
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import listener, new_instance


def drive(link: PolledClient, until: Callable[[], bool]) -> None:
    def turned() -> bool:
        link.turn(0.01)
        return until()

    wait_until(turned)


def test_what_a_broken_line_held_is_not_said_on_the_next_one(broker: Broker) -> None:
    """An answer to a unit, minutes later, would reach another unit that asked the same."""
    name = new_instance()
    link = PolledClient(name, [f"heard/{name}"], keeps_session=True)
    link.start()
    assert link.wait_connected(60)
    try:
        with listener(f"answers/{name}") as unit:
            before = link.publish(f"answers/{name}", b"your next boot is 1")
            line = link._client.socket()
            assert before
            assert line
            line.shutdown(socket.SHUT_RDWR)  # type: ignore[attr-defined]
            drive(link, lambda: not link.is_connected)
            assert link.wait_connected(60)
            after = link.publish(f"answers/{name}", b"your next boot is 2")
            assert after
            assert after.wait(60)
            assert unit.deliveries.get(timeout=60).message.body == b"your next boot is 2"
            assert not before.is_acknowledged
    finally:
        link.stop()


def test_a_new_connection_is_made_however_much_lies_here(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its owner waits for the database and takes nothing; meanwhile the line breaks."""
    monkeypatch.setattr("tables.mqtt.polled_client.QUEUED_AT_MOST", 1)
    name = new_instance()
    link = PolledClient(name, [f"heard/{name}"], keeps_session=True)
    link.start()
    assert link.wait_connected(60)
    try:
        link.publish(f"heard/{name}", b"one")
        drive(link, lambda: bool(link._ready))
        before, line = link.connection_number, link._client.socket()
        assert line
        line.shutdown(socket.SHUT_RDWR)  # type: ignore[attr-defined]
        link._client.loop_read()  # noticed by the next ping, else
        drive(link, lambda: link.is_connected and link.connection_number != before)
        assert link.take(0.0, 9)[0].message.body == b"one"
    finally:
        link.stop()
