"""`make demo` as a whole: it comes up, counts, goes on where it was, and leaves nothing."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.installation import PROJECT, Installation
from demo.ports import LOOPBACK, free_port
from demo.postgres import PrivatePostgres
from tests.demo.alive import descendants, is_alive
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.broker]

START_S = 300
STOP_S = 120
# What this run's services put into the environment is not there on a fresh machine.
_OURS = re.compile("DATABASE_URL|MQTT_URL|SECRET_KEY|DEMO|DJANGO_.*|CELERY_.*|TEST_.*")


@pytest.fixture
def var() -> Iterator[Path]:
    """A place for the demo's files that servers of another account may pass through."""
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as directory:
        Path(directory).chmod(0o711)
        yield Path(directory) / "var"
        if (Path(directory) / "var" / "postgres").exists():
            PrivatePostgres(Path(directory) / "var" / "postgres").remove()


class RunningDemo:
    """`python -m demo` in a process of its own; left, it is stopped as by Ctrl-C."""

    def __init__(self, var: Path, *arguments: str, **environment: str) -> None:
        self.var = var
        self.log = var.parent / "demo.log"
        self.port = free_port()
        # Without hands: the displayed values only rise.
        usual = ("--port", str(self.port), "--speed", "10", "--hands", "0")
        self._arguments = [*usual, *arguments]
        inherited = {name: value for name, value in os.environ.items() if not _OURS.match(name)}
        self._environment = {**inherited, "JACKPOT_VAR": str(var), **environment}
        self.descendants: set[int] = set()

    def __enter__(self) -> "RunningDemo":
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "demo", *self._arguments],
                cwd=PROJECT,
                env=self._environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            wait_until(self._is_up, START_S, what="the demo to be up")
        except BaseException:
            self.process.terminate()
            self.process.wait(STOP_S)
            raise
        self.descendants = descendants(self.process.pid)
        return self

    def __exit__(self, *_exception: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(STOP_S)

    def _is_up(self) -> bool:
        assert self.process.poll() is None, self.said
        return Installation(self.var).running() is not None

    @property
    def said(self) -> str:
        return self.log.read_text()

    def page(self, path: str) -> str:
        address = f"http://{LOOPBACK}:{self.port}{path}"
        with urllib.request.urlopen(address, timeout=60) as answer:
            return str(answer.read().decode())

    def shown(self) -> int:
        """All values of the first display together, in minor units."""
        found = re.search(r"/display/[^/]+/", self.said)
        assert found, self.said
        values = re.findall(r'data-tier="[^"]+" data-value="(\d+)"', self.page(found[0]))
        return sum(map(int, values))


def run(var: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`python -m demo` with these words, until it ends by itself."""
    return subprocess.run(
        [sys.executable, "-m", "demo", *arguments],
        cwd=PROJECT,
        env={**os.environ, "JACKPOT_VAR": str(var)},
        capture_output=True,
        text=True,
        check=False,
        timeout=STOP_S,
    )


def test_comes_up_counts_goes_on_and_leaves_nothing(var: Path) -> None:
    with RunningDemo(var) as demo:
        assert "Log in" in demo.page("/login/")
        assert "Mere Tane" in demo.said
        first = demo.shown()
        assert first >= 31_000_00
        wait_until(lambda: demo.shown() > first, what="the display to count up")
        assert len(demo.descendants) >= 8
        last = demo.shown()
    assert demo.process.returncode == 0, demo.said
    assert "Stopped." in demo.said
    assert not [pid for pid in demo.descendants if is_alive(pid)]
    assert (var / "secret-key").stat().st_mode & 0o777 == 0o600
    key = (var / "secret-key").read_text()

    with RunningDemo(var) as again:
        assert again.shown() >= last
        assert (var / "secret-key").read_text() == key
        second = run(var)
        assert second.returncode == 1
        assert f"runs already at http://{LOOPBACK}:{again.port}" in second.stdout.replace("\n", " ")
    assert not [pid for pid in again.descendants if is_alive(pid)]
    assert Installation(var).running() is None


def test_a_stop_while_it_starts_leaves_nothing(var: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not _OURS.match(name)}
    process = subprocess.Popen(
        [sys.executable, "-m", "demo"],
        cwd=PROJECT,
        env={**environment, "JACKPOT_VAR": str(var)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until(lambda: (var / "log" / "intake.log").exists(), START_S, what="its first program")
    below = descendants(process.pid)
    assert below
    process.send_signal(signal.SIGINT)
    try:
        told, _ = process.communicate(timeout=STOP_S)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "Stopped before it was up." in told
    assert not [pid for pid in below if is_alive(pid)]


def test_a_taken_port_is_said(var: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        told = run(var, "--port", str(port))
    assert told.returncode == 1
    assert f"Something else listens on port {port}" in told.stdout


def test_a_command_wants_a_running_demo(var: Path) -> None:
    told = run(var, "unit", "press")
    assert told.returncode == 1
    assert "does not run here" in told.stdout
