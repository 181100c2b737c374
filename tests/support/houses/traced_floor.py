"""A house with all its processes, real ones, a unit and a browser: whoever makes spans."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from demo.servers.child import Child
from demo.servers.ports import LOOPBACK, answers, free_port
from tables.models import GamingTable
from tables.telemetry.spans import EventRef
from tables.unit.unit import TableUnit, UnitSettings
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.servers.health_answers import HealthAddress
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import new_instance

PROJECT = Path(__file__).resolve().parents[3]
STOP_S = 15.0  # so long a process may take to end

_floors = itertools.count(1)


class Browser:
    """A display page's stream, followed in a thread: how far it shows the order."""

    def __init__(self, port: int, key: str) -> None:
        self.last_seq = 0
        self._line = http.client.HTTPConnection(LOOPBACK, port)
        self._line.request("GET", f"/display/{key}/stream")
        self._socket = self._line.sock  # the answer, which has no end, takes it over
        self._answer = self._line.getresponse()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Go away: a web process that ends waits for it."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()

    def _follow(self) -> None:
        try:
            for raw in self._answer:
                if raw.startswith(b"data: ") and b"system_seq" in raw:
                    self.last_seq = json.loads(raw[6:])["system_seq"]
        except (OSError, http.client.HTTPException):
            return  # the web process was stopped


class TracedFloor:
    """One house; `running` starts what belongs to it."""

    def __init__(self, database: FreshDatabase, directory: Path, **environment: str) -> None:
        self.house = House(royal_terms(), code=f"traced-{os.getpid()}-{next(_floors)}")
        self.key = GamingTable.objects.get(system=self.house.system, code="t3").display_key
        self.environment = {
            **database.environment(),
            "INTAKE_INSTANCE": new_instance(),
            "CELERY_QUEUE_DIR": str(directory / "celery"),
            **environment,
        }
        self.port = free_port()
        self.commands = {
            "intake": ("manage.py", "run_intake"),
            "poster": ("manage.py", "run_poster"),
            "worker": ("-m", "celery", "-A", "config", "worker", "--concurrency", "1"),
            "web": (
                *("-m", "uvicorn", "config.asgi:application"),
                *("--host", LOOPBACK, "--port", str(self.port)),
            ),
        }
        self.directory = directory
        self.where = {name: HealthAddress() for name in self.commands}
        self.exit_codes: dict[str, int] = {}

    @contextmanager
    def running(self) -> Iterator[tuple[TableUnit, Browser]]:
        """The processes, ready; a unit with an open session and a display, and a browser."""
        with ExitStack() as stack:
            for name in self.commands:
                stack.callback(self._stop, name, self._start(name))
            for name in ("intake", "poster", "worker"):
                self.where[name].wait_ready()
            wait_until(lambda: answers(self.port), what=self.log("web"))
            settings = UnitSettings(display="d-1", guard_s=0)
            unit = TableUnit(self.house.system.code, "t3", settings)
            unit.start()
            stack.callback(unit.stop)
            assert unit.wait_ready(60)
            self.number(unit, unit.open_session())
            browser = Browser(self.port, self.key)
            stack.callback(browser.close)
            wait_until(lambda: browser.last_seq, what="the browser to show something")
            yield unit, browser

    def number(self, unit: TableUnit, seq: int | None) -> int:
        """The event's number in the order, once the unit has it."""
        assert seq is not None
        result = unit.wait_sequenced(seq, 60)
        assert result is not None
        assert result.system_seq is not None
        return result.system_seq

    def press(self, unit: TableUnit, browser: Browser) -> tuple[EventRef, int]:
        """A press that a browser shows, and its number in the order."""
        seq = unit.press()
        assert seq is not None
        number = self.number(unit, seq)
        wait_until(lambda: browser.last_seq >= number, what="the browser to show the press")
        return EventRef(self.house.system.code, "t3", unit.boot, seq), number

    def log(self, name: str) -> str:
        path = self.directory / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def _start(self, name: str) -> Child:
        own = {**self.environment, **self.where[name].environment}
        if name == "worker":
            own["PROMETHEUS_MULTIPROC_DIR"] = str(self.directory / "metrics")
        command = [sys.executable, *self.commands[name]]
        return Child(command, self.directory / f"{name}.log", env=own, cwd=PROJECT)

    def _stop(self, name: str, child: Child) -> None:
        self.exit_codes[name] = child.stop([(signal.SIGTERM, STOP_S)])
