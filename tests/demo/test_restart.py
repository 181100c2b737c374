"""The demo starts again where it was, under every Python that the console allows."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from django.utils import timezone

from demo.health import is_touched
from demo.servers.installation import PROJECT, Installation
from tests import pythons
from tests.support.servers.demo.alive import is_alive
from tests.support.servers.demo.running import OURS, STOP_S, RunningDemo
from tests.support.suite.waiting import wait_until

pytestmark = [pytest.mark.long, pytest.mark.postgres, pytest.mark.broker]


@pytest.mark.parametrize("name", pythons.others())
def test_the_demo_starts_again(var: Path, name: str) -> None:
    python = pythons.prepared(name)
    for start in ("first", "second"):
        with RunningDemo(var, python=python) as demo:
            assert "Log in" in demo.page("/login/"), start
        assert demo.process.returncode == 0, demo.output
        assert not [pid for pid in demo.descendants if is_alive(pid)]


@pytest.mark.parametrize("backend", ["gnu", "ndbm", "dumb", "sqlite3"])
@pytest.mark.parametrize("name", pythons.others())
def test_beat_starts_beside_any_old_schedule_file(var: Path, name: str, backend: str) -> None:
    """Earlier versions left one, in the form of whatever library their Python had."""
    python = pythons.prepared(name)
    paths = filter(None, map(pythons.find, pythons.NAMES))
    makers = [maker for maker in paths if pythons.can_make(maker, backend)]
    if not makers:
        pytest.skip(f"{pythons.ELSEWHERE}no Python here has dbm.{backend}")
    installation = Installation(var)
    installation.prepare()
    assert pythons.make_schedule(makers[0], backend, var / "celerybeat-schedule")
    _beat_until_it_sends(python, installation)


def _beat_until_it_sends(python: Path, installation: Installation) -> None:
    """Start beat as the demo does; stop it when it has sent a task."""
    inherited = {name: value for name, value in os.environ.items() if not OURS.match(name)}
    environment = {
        **inherited,
        **installation.environment(),
        "DATABASE_URL": "postgresql://none@127.0.0.1:1/none",
    }
    since = timezone.now()
    with (installation.var / "beat.log").open("w") as log:
        beat = subprocess.Popen(
            [python, "-m", "celery", "-A", "config", "beat", "--pidfile", ""],
            cwd=PROJECT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until(lambda: is_touched(installation.beat_alive, since), what="beat to send")
        beat.send_signal(signal.SIGTERM)
        assert beat.wait(STOP_S) == 0
    finally:
        beat.kill()
