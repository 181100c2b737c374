"""`make demo` as a whole: it comes up, counts, goes on where it was, and leaves nothing."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from demo.servers.installation import PROJECT, Installation
from demo.servers.ports import LOOPBACK
from tests.support.servers.demo.alive import descendants, is_alive
from tests.support.servers.demo.running import OURS, START_S, STOP_S, RunningDemo
from tests.support.suite.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.broker]


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
        assert "Mere Tane" in demo.output
        first = demo.display_value()
        assert first >= 31_000_00
        wait_until(lambda: demo.display_value() > first, what="the display to count up")
        assert len(demo.descendants) >= 8
        last = demo.display_value()
    assert demo.process.returncode == 0, demo.output
    assert "Stopped." in demo.output
    assert not [pid for pid in demo.descendants if is_alive(pid)]
    assert (var / "secret-key").stat().st_mode & 0o777 == 0o600
    key = (var / "secret-key").read_text()

    with RunningDemo(var) as again:
        assert again.display_value() >= last
        assert (var / "secret-key").read_text() == key
        details = Installation(var).running()
        assert details is not None
        with psycopg.connect(details["environment"]["DATABASE_URL"]) as database:
            keys = database.execute("SELECT public FROM settlement_filekey").fetchall()
        file_key = bytes.fromhex((var / "signing-key").read_text())
        public = Ed25519PrivateKey.from_private_bytes(file_key).public_key().public_bytes_raw()
        assert keys == [(public,)]  # written down by the start
        second = run(var)
        assert second.returncode == 1
        assert f"runs already at http://localhost:{again.port}" in second.stdout.replace("\n", " ")
    assert not [pid for pid in again.descendants if is_alive(pid)]
    assert Installation(var).running() is None


def test_a_stop_while_it_starts_leaves_nothing(var: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not OURS.match(name)}
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
        output, _ = process.communicate(timeout=STOP_S)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "Stopped before it was up." in output
    assert not [pid for pid in below if is_alive(pid)]


def test_a_taken_port_is_said(var: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
        process = run(var, "--port", str(port))
    assert process.returncode == 1
    assert f"Something else listens on port {port}" in process.stdout


def test_a_command_wants_a_running_demo(var: Path) -> None:
    process = run(var, "unit", "press")
    assert process.returncode == 1
    assert "does not run here" in process.stdout
