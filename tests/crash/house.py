"""A whole casino in processes of their own, made to be killed piece by piece.

Private PostgreSQL with fsync on, private Mosquitto that keeps its state on disk, intake, two
posters, Celery's worker and beat, two processes of table units, and people who decide claims.
The one that watches uses none of the product's code: it reads rows and files.
"""

import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import psycopg

from demo.programs import programs
from demo.servers.broker import PrivateBroker
from demo.servers.installation import PROJECT, Installation
from demo.servers.ports import LOOPBACK, free_port
from demo.servers.postgres import PrivatePostgres
from demo.servers.processes import Program, Supervisor
from settlement.database_roles import grants
from tests.crash.database_server import DatabaseServer
from tests.crash.evidence import Load, events, journalled, load
from tests.crash.owner import run_as_owner
from tests.crash.statements import BLOCKS, COMMITTED, HELD
from tests.support.servers.demo.alive import descendants
from tests.support.suite.waiting import Answer, wait_until

SYSTEMS = ("main", "vip")
TABLES = 12
POSTERS = ("poster-a", "poster-b")
DEALERS = tuple(f"dealers-{system}" for system in SYSTEMS)
SECOND_INTAKE = "intake-2"  # started only where a case asks for it
SPARE = 1.2  # the dealers play more than what must have been played on average
# Of what this machine carried before anybody was killed, so much must be played in the matrix.
OF_UNDISTURBED = 0.5
LONGEST_WAIT_S = 90.0  # nothing here takes so long: a deadline, no measure
# Between two looks at all journals, which take the time of those who are watched.
_LOOK_S = 0.25


class CrashHouse:
    """Open it with `with`; left, everything in it is stopped and its files are removed."""

    # Programs that are started only where a case asks for them.
    later: frozenset[str] = frozenset({SECOND_INTAKE})

    def __init__(self, *, seed: str, rate: float = 1200, broker: str = "mosquitto") -> None:
        """`rate`: what all dealers together play, in events a second, where the machine can."""
        self.tree = PROJECT  # of which version the console and its units are
        self.seed = seed
        self._rate = rate
        self.least = rate / SPARE  # events a second that must have been played on average
        self._stack = ExitStack()
        self._pause = threading.Event()
        self.directory = Path(tempfile.mkdtemp(prefix="jackpot-crash-"))
        self.directory.chmod(0o711)  # servers of another account pass through
        self._stack.callback(shutil.rmtree, self.directory)
        self.installation = Installation(self.directory / "var")
        self.installation.prepare()
        self.installation.var.chmod(0o711)
        self.journals = self.installation.units
        self.journals.mkdir()
        self._hold_file = self.directory / "hold"  # while it is there nobody plays or decides
        self._rest_file = self.directory / "rest"  # says which hold the people have seen
        self.postgres = self._make_postgres()
        self.broker = PrivateBroker(self.installation.broker, kind=broker, persistent=True)
        self._reading: psycopg.Connection[tuple[Any, ...]] | None = None
        self.takeovers_s: list[tuple[str, float]] = []  # by system, measured from the rows
        self._played: list[tuple[float, float]] = []  # from when to when
        self._plays_since: float | None = None
        self.supervisor_lines: list[str] = []  # by the supervisor: whose end nobody asked for
        self.supervisor = Supervisor(self.installation.logs, self.supervisor_lines.append)
        self.programs: dict[str, Program] = {}

    def __enter__(self) -> Self:
        try:
            self._open()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop everything; a second time does no harm."""
        self._stack.close()

    def _tell_all_to_stop(self) -> None:
        """At once: the supervisor waits for one after the other."""
        for pid in self.supervisor.pids.values():
            os.kill(pid, signal.SIGTERM)

    def _make_postgres(self) -> DatabaseServer:
        """Not started yet."""
        return PrivatePostgres(self.installation.postgres, free_port())

    def _open(self) -> None:
        self._stack.callback(self.broker.stop)
        self.broker.start()
        self._stack.callback(self.postgres.stop)
        self.postgres.start()
        self._stack.callback(self._stop_reading)
        self._stack.enter_context(self.supervisor)
        self.environment = {
            **self.installation.environment(),
            "PRESSES_NAMED": "1000000",  # dealers here press as no dealer does
            "UNIT_EVENTS_PER_MINUTE": "0",
            "DATABASE_URL": self.postgres.url,
            "MQTT_URL": self.broker.url,
            "CELERY_BROKER_URL": "filesystem://",
            "SECRET_KEY": "only-for-tests-and-known-to-everybody",
            "PYTHONFAULTHANDLER": "1",  # one that dies of a signal says where
        }
        commands = ("migrate", "grant_roles", "seed_demo")
        run_as_owner(self.tree, commands, self.environment, self.postgres)
        self._stack.callback(self._tell_all_to_stop)
        self.hold()
        for program in self._programs():
            env = {**self.environment, **program.env}
            self.programs[program.name] = replace(program, env=env)
            if program.name not in self.later:
                self.start(program.name)

    def _programs(self) -> list[Program]:
        """Each under the role of the database that it has in a casino."""
        databases = {role: self.postgres.url_as(grants.PREFIX + role) for role in grants.ROLES}
        all_of_them = programs(self.installation, LOOPBACK, free_port(), 1, databases)
        usual = {program.name: program for program in all_of_them}
        poster = usual["poster"]
        posters = [
            replace(poster, name=name, argv=[*poster.argv, "--name", name]) for name in POSTERS
        ]
        dealers = [
            self._module(
                *("dealers", f"dealers-{system}", databases["intake"], "--system", system),
                *("--journals", self.journals, "--rate", str(self._rate / TABLES)),
            )
            for system in SYSTEMS
        ]
        people = self._module("people", "people", databases["web"], "--rest", self._rest_file)
        intake = usual["intake"]
        argv = [*intake.argv, "--instance", SECOND_INTAKE]
        intakes = [intake, replace(intake, name=SECOND_INTAKE, argv=argv)]
        return [*intakes, *posters, usual["worker"], usual["beat"], *dealers, people]

    def _module(self, module: str, name: str, database: str, *arguments: str | Path) -> Program:
        """A program of this folder."""
        hold: list[str | Path] = ["--hold", self._hold_file, "--seed", self.seed]
        argv = [sys.executable, "-m", f"tests.crash.{module}", *hold, *arguments]
        return Program(name, argv, env={"DATABASE_URL": database}, cwd=self.tree)

    # --- ends and beginnings --------------------------------------------------------------

    def start(self, name: str) -> None:
        """Start what was killed; PostgreSQL recovers and the broker listens on return."""
        if name == "postgres":
            self._stop_reading()  # of the one that was killed
            self.postgres.start()
        elif name == "broker":
            self.broker.start()
        else:
            self.supervisor.start(self.programs[name])

    def kill(self, name: str, *, immediate_stop: bool = False, forgets: bool = True) -> None:
        """kill -9. `immediate_stop`: PostgreSQL's own way to crash; `forgets`: the broker's
        files are lost with it, else it comes back with the state of a moment ago.
        """
        self.supervisor.look_after()
        if name == "postgres":
            self.postgres.kill(signal.SIGQUIT if immediate_stop else signal.SIGKILL)
        elif name == "broker":
            self.broker.kill()
            if forgets:
                self.broker.forget()
        else:
            self.supervisor.kill(name)

    def crash(self, *victims: str, away: int = 0, **how: bool) -> list[str]:
        """Kill them all at once, start them again; who it was.

        `poster` stands for the one that writes. They stay away until the units have journalled
        `away` more events.
        """
        names = [self.writer() if victim == "poster" else victim for victim in victims]
        if set(DEALERS) <= set(names):
            away = 0  # nobody journals meanwhile
        before = self.journalled()
        for name in names:
            self.kill(name, **how)
        self.wait(lambda: self.journalled() >= before + away, f"{away} more events journalled")
        # Servers first: whoever else comes back wants them.
        for name in sorted(names, key=lambda name: name not in ("postgres", "broker")):
            self.start(name)
        return names

    def hold(self) -> None:
        """Dealers and people lay their hands down; units stay connected and send again."""
        if not self._hold_file.exists():
            self._hold_file.write_text(str(time.time_ns()))
        if self._plays_since is not None:
            self._played.append((self._plays_since, time.time()))
            self._plays_since = None

    def play(self) -> None:
        self._hold_file.unlink(missing_ok=True)
        self._plays_since = self._plays_since or time.time()

    def _people_rest(self) -> bool:
        """Whether the people have seen this hold, and every decision of theirs is answered."""
        return (
            self._rest_file.exists() and self._rest_file.read_text() == self._hold_file.read_text()
        )

    @property
    def pids(self) -> set[int]:
        """All processes that run here now, those of the servers included."""
        ours = {*self.supervisor.pids.values(), *self.postgres.pids}
        ours |= {self.broker.pid} if self.broker.pid is not None else set()
        return ours.union(*map(descendants, ours))

    def pid(self, name: str) -> int:
        return self.supervisor.pids[name]

    def log_of(self, name: str) -> str:
        return (self.installation.logs / f"{name}.log").read_text(errors="replace")

    # --- what the rows say ----------------------------------------------------------------

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of a query; psycopg.OperationalError while the database is away."""
        try:
            if self._reading is None:
                self._reading = psycopg.connect(
                    self.postgres.url, autocommit=True, connect_timeout=5
                )
            return self._reading.execute(statement, values).fetchall()
        except psycopg.OperationalError:
            self._stop_reading()
            raise

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.close()
            self._reading = None

    def entries(self) -> int:
        """The length of all orders together; -1 while the database is away."""
        try:
            return int(self.rows("SELECT coalesce(sum(seq), 0) FROM jackpot_head")[0][0])
        except psycopg.OperationalError:
            return -1

    def take_measure(self) -> None:
        """Ask of the cases no more than this machine carries: call it in undisturbed play.

        What a machine must carry is the benchmarks' question.
        """
        now = [(self._plays_since or time.time(), time.time())]
        carried = sum(load(self.journals, system, now).rate for system in SYSTEMS)
        self.least = min(self.least, carried * OF_UNDISTURBED)

    def journalled(self) -> int:
        return events(self.journals)

    def loads(self) -> list[Load]:
        """What each system's units really played since the house was opened."""
        return [load(self.journals, system, self._played) for system in SYSTEMS]

    def _is_loaded(self) -> bool:
        """Whether the dealers have played, since they last took up their hands, what they must."""
        assert self._plays_since is not None
        now = [(self._plays_since, time.time())]
        rates = (load(self.journals, system, now).rate for system in SYSTEMS)
        return sum(rates) >= self.least

    def writer(self, system: str = "main") -> str:
        """Which poster writes this system."""
        (row,) = self.rows(
            "SELECT h.writer FROM jackpot_head h JOIN tables_jackpotsystem s ON s.id = h.system_id"
            " WHERE s.code = %s",
            system,
        )
        return next((name for name in POSTERS if row[0].startswith(name)), "")

    def epoch(self, system: str = "main") -> int:
        """How often this system has changed its writer."""
        (row,) = self.rows(
            "SELECT h.epoch FROM jackpot_head h JOIN tables_jackpotsystem s ON s.id = h.system_id"
            " WHERE s.code = %s",
            system,
        )
        return int(row[0])

    def written_by(self, poster: str) -> dict[str, int]:
        """The systems that it writes, with how many blocks each has."""
        return {system: self.blocks(system) for system in SYSTEMS if self.writer(system) == poster}

    def blocks(self, system: str = "main") -> int:
        """How many blocks the order has: where to measure from."""
        return int(self.rows(f"SELECT coalesce(max(number), 0) {BLOCKS}", system)[0][0])

    def longest_pause_s(self, after: int, system: str = "main") -> float:
        """The longest time between two blocks behind this one; while all play, how long nobody
        wrote.
        """
        (row,) = self.rows(
            "SELECT extract(epoch FROM max(pause)) FROM (SELECT b.at - lag(b.at) OVER"
            f" (ORDER BY b.number) AS pause {BLOCKS} AND number >= %s) AS pauses",
            system,
            after,
        )
        return float(row[0] or 0)

    # --- waiting ----------------------------------------------------------------------------

    def wait(self, condition: Callable[[], Answer], what: str) -> Answer:
        """Wait with an eye on the processes; what ends unasked is started again, and said."""

        def looked_after() -> Answer:
            self._pause.wait(0.03)
            self.supervisor.look_after()
            return condition()

        return wait_until(looked_after, LONGEST_WAIT_S, what)

    def progress(self, more: int, after: int | None = None) -> int:
        """Wait until the orders are `more` entries longer than now (or than `after`)."""
        start = self.entries() if after is None else after
        self.wait(lambda: self.entries() >= start + more, f"{more} entries after {start}")
        return start

    def hear(self) -> None:
        """Wait until an intake committed what was journalled from now on: the broker's connection
        of now carries it. New entries alone do not say so, they may be of events heard before.
        """
        last_seqs = {
            (stream.system, stream.table, stream.boot): stream.last_seq
            for stream in journalled(self.journals)
        }
        self.wait(
            lambda: any(last > last_seqs.get(tuple(key), 0) for *key, last in self.rows(COMMITTED)),
            "an event of now to be committed",
        )

    def settle(self) -> None:
        """Hold, and wait until every journalled event and every decision has its place.

        Dealers who were held up first play what they must: the load is kept on average.
        """
        if self._plays_since is not None:
            self.wait(self._is_loaded, f"{self.least:.0f} events a second on average")
        self.hold()
        self.wait(self._people_rest, "the people to rest, every decision answered")
        deadline = time.monotonic() + LONGEST_WAIT_S
        missing = self.missing()
        while missing and time.monotonic() < deadline:
            self._pause.wait(_LOOK_S)
            self.wait(lambda: self.entries() >= 0, "the database")
            missing = self.missing()
        assert not missing, "Not covered by receipts, or without a place:\n" + "\n".join(missing)
        newest = self.rows("SELECT max(id) FROM tables_outboxmessage")[0][0]
        unsent = "SELECT id, topic FROM tables_outboxmessage WHERE id <= %s"
        self.wait(lambda: not self.rows(unsent, newest), "all messages to units and displays sent")

    def missing(self) -> list[str]:
        """What the units journalled and the console has not yet receipted and sequenced."""
        held = {
            (system, table, boot): (committed, placed)
            for system, table, boot, committed, placed in self.rows(HELD)
        }
        lines = []
        for stream in journalled(self.journals):
            committed, placed = held.get((stream.system, stream.table, stream.boot), (0, 0))
            if min(committed, stream.covered) < stream.last_seq or placed != stream.events:
                lines.append(
                    f"{stream.name}: journalled {stream.events} up to {stream.last_seq}, committed"
                    f" up to {committed}, receipted up to {stream.covered}, placed {placed}"
                )
        return lines

    def alarms(self) -> Sequence[tuple[Any, ...]]:
        """All alarms that were ever raised: kind, subject, message."""
        return self.rows("SELECT kind, subject, message FROM tables_alarm ORDER BY id")
