"""An update without a stop, as docs/operations.md has it: one process after the other, under load.

The house runs the version before; everything that the update starts comes from the next one's tree.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CalledProcessError

from demo.programs import programs
from demo.servers.installation import PROJECT
from demo.servers.ports import LOOPBACK, free_port
from demo.servers.processes import Program
from settlement.database_roles import grants
from tests.crash.house import SYSTEMS, CrashHouse
from tests.crash.owner import run_as_owner
from tests.crash.releases import Update
from tests.crash.visitors import Balancer
from tests.support.servers.health_answers import HealthAddress

CONSOLE = ("intake", "poster", "worker", "beat", "web")
NEXT = "-next"  # behind the name of a process of the next version
STAND_IN = "stand-in"
DRAIN_S = 1.5  # of a web process, and several looks of who balances
STOP_S = 30.0


class RollingHouse(CrashHouse):
    """A casino of the version before, with everything at hand for the next one."""

    later = frozenset({STAND_IN, *(f"{name}{NEXT}" for name in CONSOLE)})

    def __init__(self, update: Update, *, seed: str, rate: float) -> None:
        super().__init__(seed=seed, rate=rate)
        self.update = update
        self.tree = update.before
        self.balancer = Balancer()
        self.migrated_times = 0
        self._health: dict[str, HealthAddress] = {}

    def _programs(self) -> list[Program]:
        usual = [
            program
            for program in super()._programs()
            if program.name in ("dealers-main", "dealers-vip", "people")
        ]
        return [
            *self._console(self.update.before, ""),
            *self._console(self.update.after, NEXT),
            *usual,
        ]

    def _console(self, tree: Path, suffix: str) -> list[Program]:
        """The console's processes of a version, each with an address for its health."""
        databases = {role: self.postgres.url_as(grants.PREFIX + role) for role in grants.ROLES}
        port = free_port()
        processes = {
            program.name: program
            for program in programs(self.installation, LOOPBACK, port, 1, databases)
        }
        intake = processes["intake"]
        if suffix:
            argv = [*intake.argv, "--stand-in"]
            processes[STAND_IN] = replace(intake, name=STAND_IN, argv=argv)
        poster = processes["poster"]
        processes["poster"] = replace(poster, argv=[*poster.argv, "--name", f"poster{suffix}."])
        return [
            self._placed(
                processes[name], tree, name if name == STAND_IN else f"{name}{suffix}", port
            )
            for name in (*CONSOLE, STAND_IN)
            if name in processes
        ]

    def _placed(self, program: Program, tree: Path, name: str, port: int) -> Program:
        """A program of the console in a tree, under a name of its own."""
        argv = [
            tree / "manage.py" if part == PROJECT / "manage.py" else part for part in program.argv
        ]
        env = {**program.env, "WEB_DRAIN_S": str(DRAIN_S)}
        health = self._health[name] = HealthAddress()
        if program.name == "web":
            health.port = port
        else:
            env |= health.environment
        return replace(program, name=name, argv=argv, env=env, cwd=tree, stop_seconds=STOP_S)

    # --- what an operator does ----------------------------------------------------------------

    def is_ready(self, name: str) -> bool:
        return self._health[name].ask("ready").status == 200

    def not_ready(self) -> list[str]:
        """What runs of the console and says that it cannot work."""
        return [
            f"{name}: {self._health[name]!r}"
            for name in self.supervisor.pids
            if name in self._health and not self.is_ready(name)
        ]

    def begin(self, name: str) -> None:
        """Start a process, where that was not done ahead, and wait until it can do its work."""
        if name not in self.supervisor.pids:
            self.start(name)
        self.wait(lambda: self.is_ready(name), f"{name} to be ready")
        if name.startswith("web"):
            self.balancer.add(port := self._health[name].port)
            self.wait(lambda: self.balancer.is_used(port), "requests to be sent there")

    def end(self, name: str) -> None:
        """Stop a process in order."""
        self.supervisor.look_after()
        self.supervisor.end(name)

    def open_doors(self) -> None:
        """Wait until everything of the version before can work."""
        self.balancer.add(self._health["web"].port)
        self.wait(lambda: not self.not_ready(), "all processes to be ready")

    def change_tables(self) -> None:
        """Tables and rights of the next version, while the version before works. As `migrate` says
        where it finds a table held: once more."""

        def migrated() -> bool:
            self.migrated_times += 1
            try:
                commands = ("migrate", "grant_roles")
                run_as_owner(self.update.after, commands, self.environment, self.postgres)
            except CalledProcessError:
                return False
            return True

        self.wait(migrated, "the tables of the next version")

    def start_ahead(self) -> None:
        """Start what may run beside the version before for as long as one likes."""
        for name in ("web-next", "poster-next", "worker-next", STAND_IN):
            self.start(name)

    def writer(self, system: str = "main") -> str:
        (row,) = self.rows(
            "SELECT h.writer FROM jackpot_head h JOIN tables_jackpotsystem s ON s.id = h.system_id"
            " WHERE s.code = %s",
            system,
        )
        return str(row[0]).partition(".")[0]


def exchange_web(house: RollingHouse) -> None:
    """The next one first; the one before is not ready any more and serves on, then ends."""
    house.begin("web-next")
    house.end("web")


def exchange_poster(house: RollingHouse) -> None:
    """The next one takes its part, and the rest as the one before gives up its leases."""
    house.begin("poster-next")
    house.end("poster")
    house.wait(
        lambda: all(house.writer(system) == "poster-next" for system in SYSTEMS), "the next writer"
    )


def exchange_intake(house: RollingHouse) -> None:
    """A stand-in hears and records while the intake is away; what waits in the session of its
    name the next one of that name takes up.
    """
    house.begin(STAND_IN)
    house.end("intake")
    house.begin("intake-next")
    house.end(STAND_IN)


def exchange_worker(house: RollingHouse) -> None:
    """Any number of workers is right; the one before finishes its tasks."""
    house.begin("worker-next")
    house.end("worker")


def exchange_beat(house: RollingHouse) -> None:
    """Nobody beats for a moment: what it hints at is derived from rows, at the next beat."""
    house.end("beat")
    house.begin("beat-next")


STEPS: dict[str, Callable[[RollingHouse], None]] = {
    "web": exchange_web,
    "poster": exchange_poster,
    "intake": exchange_intake,
    "worker": exchange_worker,
    "beat": exchange_beat,
}
