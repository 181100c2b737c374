"""A casino on two machines and a third: everything twice, made to lose any of it.

The crash house (`tests/crash/house.py`) with the servers of `tests/ha/machines.py`: `a` and `b`
have an intake, a poster and a web process each, which reach the primary through the HAProxy of
their own machine. Table units, people and whoever watches are elsewhere, at the HAProxy of `c`.
"""

import dataclasses
import http.client
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from demo.programs import programs
from demo.servers.ports import LOOPBACK
from demo.servers.processes import Program
from settlement.database_roles import grants
from tests.crash.house import SECOND_INTAKE, SYSTEMS, CrashHouse
from tests.ha.brokers import BrokerPair
from tests.ha.machines import PAIR, Machines

# Where each process runs; who is not named is outside.
MACHINE_OF = {
    "intake": "a",
    SECOND_INTAKE: "b",
    "poster-a": "a",
    "poster-b": "b",
    "web-a": "a",
    "web-b": "b",
    "worker": "b",
    "beat": "b",
}
POOLED = ("people",)  # by PgBouncer


class HaHouse(CrashHouse):
    """Open it with `with`. Its `postgres` are the machines."""

    postgres: Machines
    broker: Any

    def __init__(self, *, seed: str, rate: float = 600) -> None:
        """`rate`: events a second of all dealers; 500 of them must have been played."""
        super().__init__(seed=seed, rate=rate)
        self.broker = BrokerPair(self.postgres, self.directory)
        self.pages_lost = 0  # by cuts of power
        self.pauses_s: list[tuple[str, str, float]] = []  # by case and system

    def _make_postgres(self) -> Machines:
        return Machines(self.directory)

    def _open(self) -> None:
        super()._open()
        self.start(SECOND_INTAKE)
        self.wait(lambda: all(map(self.is_ready, PAIR)), "both webs to be ready")

    def _programs(self) -> list[Program]:
        self.postgres.start_pools([grants.PREFIX + role for role in grants.ROLES])
        return [self._placed(program) for program in [*super()._programs(), *self._webs()]]

    def _webs(self) -> list[Program]:
        databases = {role: self.postgres.url_as(grants.PREFIX + role) for role in grants.ROLES}
        webs = []
        for machine in PAIR:
            port = int(self.postgres.ports[f"WEB_PORT_{machine.upper()}"])
            usual = programs(self.installation, LOOPBACK, port, 1, databases)
            (web,) = (each for each in usual if each.name == "web")
            webs.append(dataclasses.replace(web, name=f"web-{machine}"))
        return webs

    def _placed(self, program: Program) -> Program:
        """The same with the address of the database as its machine has it."""
        machine = MACHINE_OF.get(program.name, "c")
        role = urlsplit(program.env["DATABASE_URL"]).username or ""
        url = self.postgres.url_by(machine, role, pooled=program.name in POOLED)
        here = {"DATABASE_URL": url, "MQTT_URL": self.postgres.mqtt_url_by(machine)}
        return dataclasses.replace(program, env={**program.env, **here})

    # --- ends and beginnings --------------------------------------------------------------------

    @property
    def pids(self) -> set[int]:
        return super().pids | self.broker.pids

    def start(self, name: str) -> None:
        if name.startswith("broker-"):
            self.broker.of_machine[name.removeprefix("broker-")].start()
        else:
            super().start(name)

    def kill(self, name: str, **how: bool) -> None:
        if name.startswith("broker-"):
            self.broker.of_machine[name.removeprefix("broker-")].kill()
        else:
            super().kill(name, **how)

    def kill_machine(self, machine: str) -> None:
        """All that runs there, at once."""
        self.supervisor.look_after()
        for name, place in MACHINE_OF.items():
            if place == machine:
                self.supervisor.kill(name)
        self.kill(f"broker-{machine}")
        for service in self.postgres.of_machine(machine):
            service.kill()

    def start_machine(self, machine: str) -> None:
        self.start(f"broker-{machine}")
        for service in self.postgres.of_machine(machine):
            service.start()
        for name, place in MACHINE_OF.items():
            if place == machine:
                self.start(name)

    def joined(self) -> None:
        """Wait until the two machines have the same again."""
        self.wait(self.postgres.is_synchronous, "a synchronous standby")

    def leader(self) -> str:
        machine = self.wait(self.postgres.leader, "a primary")
        assert machine is not None
        return machine

    # --- what is measured -------------------------------------------------------------------------

    def pause_during(self, case: str, action: Callable[[], None], after: int = 600) -> float:
        """Do it under load, and wait until both orders go on; for how long nobody wrote, at the
        most."""
        before = {system: self.blocks(system) for system in SYSTEMS}
        action()
        self.progress(after)
        block_numbers = {system: self.blocks(system) for system in SYSTEMS}
        self.wait(
            lambda: all(self.blocks(system) > number for system, number in block_numbers.items()),
            "blocks of both systems",
        )
        pauses = [(case, each, self.longest_pause_s(before[each], each)) for each in SYSTEMS]
        self.pauses_s += pauses
        return max(pause for *_, pause in pauses)

    def pauses_of(self, case: str) -> list[float]:
        """For how long nobody wrote, of both systems."""
        return [seconds for name, _, seconds in self.pauses_s if name == case]

    def is_ready(self, machine: str) -> bool:
        """Whether the machine's web process says that it can work."""
        port = int(self.postgres.ports[f"WEB_PORT_{machine.upper()}"])
        return self._status(port, "/health/ready") == 200

    def page_status(self) -> int:
        """Of the log-in page, as browsers have it: by HAProxy; 0 without an answer."""
        return self._status(self.postgres.web_ports["c"], "/login/")

    def _status(self, port: int, path: str) -> int:
        connection = http.client.HTTPConnection(LOOPBACK, port, timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            connection.close()
