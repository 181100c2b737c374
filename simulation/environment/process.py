"""A process of the console: a database connection of its own, and numbered points to die at.

Every statement, every commit and every word to the broker is a point, counted from the start
of a step. At one of them a step may meet a fault: the process is killed, its connection breaks,
or another process takes its turn there.
"""

from __future__ import annotations

import dataclasses
import functools
import random
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from simulation.environment.clocks import Clocks
from simulation.environment.commit_checks import Checks
from simulation.environment.fault_profile import FaultProfile
from tables.protocol.inbound_message import InboundMessage

_NO_TIMEOUT = "'idle_in_transaction_session_timeout', '0'"
LOCK_TIMEOUT_MS = 40  # nobody else runs while one waits for a lock: it will not be free
_TABLE = re.compile(r"\b(?:tables|jackpot|settlement)_\w+")


class Killed(BaseException):
    """The process ends here; no `except Exception` of the product may stop that."""


@dataclasses.dataclass(slots=True)
class Fault:
    """What happens at the n-th point of a step."""

    kind: str  # killed, outage, meanwhile
    point: int


class Surroundings(Protocol):
    """What processes, and those who work in them, see of the world around them."""

    dice: random.Random
    fault_profile: FaultProfile
    clocks: Clocks
    checks: Checks
    database: str
    era: int
    running: Process | None

    def note(self, text: str) -> None:
        """A line of the trace."""

    def killed(self, process: Process) -> None:
        """A process is gone."""

    def meanwhile(self, interrupted: Process) -> None:
        """Another process takes its turn in the middle of a step."""

    def unplug(self, link: Any) -> None:
        """A client is gone without a word."""


class Process:
    """One process; `run` does a piece of its work."""

    def __init__(self, world: Surroundings, name: str, machine: str = "console") -> None:
        self.world = world
        self.name = name
        self.machine = machine
        self.points = 0  # of the present step
        self.usual_points: dict[str, int] = {}  # of the last step of each kind
        self._fault: Fault | None = None
        self._dead = False
        self._wrapper: BaseDatabaseWrapper | None = None

    def draw(self, what: str, kind: str) -> Fault:
        """A fault at any point of a step of this kind."""
        last = max(2, self.usual_points.get(what, 12))
        return Fault(kind, self.world.dice.randint(1, last))

    def run(self, what: str, work: Callable[[], Any], fault: Fault | None = None) -> Any:
        """Do a step; None where the process was killed in it (then see `world.killed`)."""
        self.points, self._fault, self._dead = 0, fault, False
        self.world.checks.begin_step(self.name)
        try:
            with self._present():
                result = work()
                if self._dead:  # something on the way out thought that it could go on
                    raise Killed
        except BaseException as end:
            if not (self._dead or isinstance(end, Killed)):
                raise
            self._dead = False
            self.close()
            self.world.killed(self)
            return None
        finally:
            self._fault = None
        self.usual_points[what] = self.points
        return result

    @contextmanager
    def _present(self) -> Iterator[None]:
        """This process is the one that runs: its connection, its clock."""
        clocks, before = self.world.clocks, connections["default"]
        machine, running = clocks.machine, self.world.running
        connections["default"] = self._connection()
        clocks.machine, self.world.running = self.machine, self
        try:
            yield
        finally:
            connections["default"] = before
            clocks.machine, self.world.running = machine, running

    def close(self) -> None:
        """The process is gone: what it had not committed is rolled back."""
        if self._wrapper is not None:
            self._forget_session()
            self._wrapper.close()
            if self._wrapper.connection is not None:  # closed inside a transaction
                self._wrapper.connection.close()
        self._wrapper = None

    # --- the numbered points ----------------------------------------------------------------

    def point(self, name: str) -> None:
        """A place where the step may meet its fault."""
        self.points += 1
        if self._dead:
            raise Killed  # what the product does on the way out does not happen
        fault = self._fault
        if fault is None or self.points != fault.point:
            return
        self._fault = None
        self.world.note(f"{self.name} {fault.kind} at point {self.points}, {name}")
        if fault.kind == "meanwhile":
            self.world.meanwhile(self)
            return
        if self._wrapper is not None and self._forget_session():
            self._wrapper.connection.close()
        if fault.kind == "killed":
            self._dead = True
            raise Killed
        if name == "after commit":
            raise OperationalError("the connection broke while the commit was answered")

    def _forget_session(self) -> bool:
        """What the server would do at its leisure with a broken connection is done at once; it is
        no point of its own. False where there is no connection.
        """
        line = self._wrapper.connection if self._wrapper is not None else None
        if line is None or line.closed:
            return False
        line.rollback()
        line.execute("SELECT pg_advisory_unlock_all()")
        line.rollback()
        return True

    def published(self, topic: str, payload: bytes) -> None:
        """A word of this process leaves for the broker."""
        self.world.checks.published(self.name, topic, payload)

    def arrived(self, topic: str, payload: bytes) -> None:
        """The broker says that it has a word of this process."""
        self.world.checks.arrived(topic, payload)

    def acknowledged(self, message: InboundMessage) -> None:
        """The broker is asked to forget a message."""
        self.world.checks.acknowledged(self.name, message)

    def _connection(self) -> BaseDatabaseWrapper:
        if self._wrapper is None:
            wrapper: Any = connections.create_connection("default")
            options = {**wrapper.settings_dict.get("OPTIONS", {})}
            options["options"] += f" -c lock_timeout={LOCK_TIMEOUT_MS}"
            wrapper.settings_dict = {
                **wrapper.settings_dict,
                "NAME": self.world.database,
                "OPTIONS": options,
            }
            wrapper.execute_wrappers.append(self._statement)
            wrapper._commit = self._committing(wrapper._commit)
            self._wrapper = wrapper
        return self._wrapper

    def _statement(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        self.point(_name(sql))
        if "clock_timestamp()" in sql:  # the database's clock is a machine's clock like any other
            instant = self.world.clocks.at("database").isoformat()
            sql = sql.replace("clock_timestamp()", f"timestamptz '{instant}'")
        # How long this machine takes for a step decides nothing in the simulated world.
        sql = sql.replace("'idle_in_transaction_session_timeout', %(ms)s", _NO_TIMEOUT)
        return execute(sql, params, many, context)

    def _committing(self, commit: Callable[[], None]) -> Callable[[], None]:
        def committing() -> None:
            self.point("before commit")
            commit()
            self.world.checks.committed(self.name)
            self.point("after commit")

        return committing


@functools.lru_cache(2000)
def _name(sql: str) -> str:
    """What a statement does, and the first table that it names."""
    table = _TABLE.search(sql)
    return " ".join([sql.split(None, 1)[0].lower(), *([table[0]] if table else [])])


class Patience(threading.Event):
    """What a process waits with: time passes at once, and whoever waits too long is killed."""

    def __init__(self, world: Surroundings, times: int = 6) -> None:
        super().__init__()
        self._world, self._left = world, times

    def wait(self, timeout: float | None = None) -> bool:
        self._world.clocks.true_s += timeout or 0.0
        self._left -= 1
        if self._left < 0:
            raise Killed
        return False
