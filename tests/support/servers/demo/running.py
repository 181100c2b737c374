"""The whole demo in a process of its own, as `make demo` starts it."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from demo.servers.installation import PROJECT, Installation
from demo.servers.ports import LOOPBACK, free_port
from tests.support.servers.demo.alive import descendants
from tests.support.suite.waiting import wait_until

START_S = 300
STOP_S = 120
# What this run's services put into the environment is not there on a fresh machine.
OURS = re.compile("DATABASE_URL|MQTT_URL|SECRET_KEY|DEMO|DJANGO_.*|CELERY_.*|BEAT_.*|TEST_.*")


class RunningDemo:
    """`python -m demo` in a process of its own; left, it is stopped as by Ctrl-C."""

    def __init__(self, var: Path, *arguments: str, python: str | Path = sys.executable) -> None:
        self.installation = Installation(var)
        if "--empty" in arguments:
            self.installation = Installation(var.with_name(f"{var.name}-empty"), empty=True)
        self._python = python
        self.log = var.parent / "demo.log"
        self.port = free_port()
        # Without hands: the displayed values only rise.
        usual = ("--port", str(self.port), "--speed", "10", "--hands", "0")
        self._arguments = [*usual, *arguments]
        inherited = {name: value for name, value in os.environ.items() if not OURS.match(name)}
        self._environment = {**inherited, "JACKPOT_VAR": str(var)}
        self.descendants: set[int] = set()

    def __enter__(self) -> "RunningDemo":
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [self._python, "-m", "demo", *self._arguments],
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
        assert self.process.poll() is None, self.output
        return self.installation.running() is not None

    def now(self) -> set[int]:
        """Its processes as of now: some were restarted."""
        return descendants(self.process.pid)

    @property
    def output(self) -> str:
        return self.log.read_text()

    def page(self, path: str) -> str:
        address = f"http://{LOOPBACK}:{self.port}{path}"
        with urllib.request.urlopen(address, timeout=60) as answer:
            return str(answer.read().decode())

    def display_value(self) -> int:
        """All values of the first display together, in minor units."""
        match = re.search(r"/display/[^/]+/", self.output)
        assert match, self.output
        values = re.findall(r'data-tier="[^"]+"\s+data-value="(\d+)"', self.page(match[0]))
        return sum(map(int, values))
