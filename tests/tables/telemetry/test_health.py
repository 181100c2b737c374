"""The listener beside a main loop: nobody can hold it up, and a check that hangs is named."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from demo.servers.ports import LOOPBACK
from tables.telemetry import http_listener
from tables.telemetry.health import Checks, Health
from tests.support.servers.health_answers import HealthAddress
from tests.support.suite.waiting import wait_until


@pytest.fixture
def where(settings: Settings) -> HealthAddress:
    address = HealthAddress()
    settings.HEALTH_LISTEN = address.environment["HEALTH_LISTEN"]
    return address


@pytest.fixture
def health(where: HealthAddress) -> Iterator[Health]:
    health = Health(lambda: True, [])
    health.listen()
    wait_until(lambda: where.ask("live").status == 200)
    yield health
    assert health._listener
    health._listener.close()


def test_no_setting_no_listener(settings: Settings) -> None:
    settings.HEALTH_LISTEN = ""
    before = threading.active_count()
    Health(lambda: True, []).listen()
    assert threading.active_count() == before


@pytest.mark.parametrize("wrong", ["9100", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:http", "a@b:1"])
def test_a_wrong_address_is_said(settings: Settings, wrong: str) -> None:
    settings.HEALTH_LISTEN = wrong
    with pytest.raises(ImproperlyConfigured, match=r"such as 127\.0\.0\.1:9100"):
        Health(lambda: True, []).listen()


def test_only_its_paths_are_there(health: Health, where: HealthAddress) -> None:
    assert where.text("/health/live?x=1")[0] == 200
    assert where.text("/health/")[0] == 404
    assert where.text("/health/live/../ready")[0] == 404


def test_an_address_that_is_taken_is_waited_for(
    settings: Settings, where: HealthAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_listener, "BIND_AGAIN_S", 0.01)
    with socket.create_server((LOOPBACK, where.port)):
        late = Health(lambda: True, [])
        late.listen()
    wait_until(lambda: where.ask("live").status == 200)
    assert late._listener
    late._listener.close()


def test_those_who_hang_take_only_their_places(
    health: Health, where: HealthAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who says nothing is let go, and who comes meanwhile beyond the places is sent away."""
    monkeypatch.setattr(http_listener, "REQUEST_S", 1.0)

    def at_work() -> int:
        return sum("process_request_thread" in each.name for each in threading.enumerate())

    silent = [socket.create_connection((LOOPBACK, where.port)) for _ in range(40)]
    for each in silent[::2]:
        with contextlib.suppress(OSError):  # it was sent away
            each.sendall(b"GET /health/live HTTP/1.1\r\n")
    wait_until(lambda: at_work() == http_listener.AT_ONCE)
    wait_until(lambda: where.ask("live").status == 200, 10, what="places to be free again")
    assert at_work() <= http_listener.AT_ONCE
    for each in silent:
        each.close()


def test_a_request_without_an_end_is_not_read(health: Health, where: HealthAddress) -> None:
    with socket.create_connection((LOOPBACK, where.port)) as line:
        with contextlib.suppress(OSError):  # sent away in the middle of it
            line.sendall(b"x" * 1024 * 1024)
        with contextlib.suppress(ConnectionResetError):
            assert line.recv(1) == b""
    assert where.ask("live").status == 200


def test_a_check_that_hangs_is_named_and_asked_once() -> None:
    go_on, starts = threading.Event(), []

    def hang() -> dict[str, str]:
        starts.append(1)
        go_on.wait()
        return {}

    checks = Checks([("well", dict), ("database", hang)], patience_s=0.1)
    threads = [threading.Thread(target=checks.faults) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert checks.faults() == {"database": "It does not answer."}
    assert len(starts) == 1
    go_on.set()
    wait_until(lambda: checks.faults() == {})


def test_a_check_with_a_fault_says_nothing_of_it() -> None:
    def fail() -> dict[str, str]:
        raise OSError("password of 10.1.2.3 is hunter2")

    (fault,) = Checks([("broker", fail)]).faults().items()
    assert fault == ("broker", "It could not be checked; see the log of the process.")


def test_ready_names_what_fails(where: HealthAddress) -> None:
    lives = [True]
    health = Health(lambda: lives[0], [("clock", lambda: {"clock": "It is late."})])
    assert json.loads(health.ready().body) == {
        "status": "not ready",
        "failed": {"clock": "It is late."},
    }
    assert (health.live().status, health.ready().status) == (200, 503)
    lives[0] = False
    assert health.live().status == 503
    assert set(json.loads(health.ready().body)["failed"]) == {"clock", "loop"}


def test_answers_are_shared_for_a_moment() -> None:
    times: list[float] = []

    def note() -> dict[str, str]:
        times.append(time.monotonic())
        return {}

    checks = Checks([("count", note)])
    for _ in range(100):
        checks.faults()
    assert len(times) <= 1 + 1 + (times[-1] - times[0])
