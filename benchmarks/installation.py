"""What is measured runs here: private Mosquitto and PostgreSQL, the console's own processes.

Every measurement gets a database and a broker of its own, so that nothing of the one before is
in the way; PostgreSQL runs with fsync on and its own defaults, Mosquitto as in production.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from benchmarks.meter import Meter
from demo.servers.broker import PrivateBroker
from demo.servers.child import Child
from demo.servers.postgres import PrivatePostgres

PROJECT = Path(__file__).resolve().parent.parent
TEMPLATE = "seed_data"
_STOP = [(signal.SIGTERM, 20.0)]
_READY_S = 60.0
CONSOLE: dict[str, list[str]] = {
    "intake": ["manage.py", "run_intake"],
    "poster": ["manage.py", "run_poster"],
    "worker": [
        *("-m", "celery", "-A", "config", "worker", "--concurrency", "1"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"),
    ],
}
PROGRAMS = {**CONSOLE, "second intake": [*CONSOLE["intake"], "--instance", "intake-2"]}
# Under which role of the database each works, as in production: guards ask who somebody is.
_ROLES = {"run_intake": "intake", "run_poster": "poster", "celery": "worker"}


class StageError(RuntimeError):
    """Something on the stage did not start or ended early; the message names its log."""


class Stage:
    """PostgreSQL for all measurements, and whatever else one needs; a context manager."""

    def __init__(self, directory: Path | None = None) -> None:
        """`directory` is kept, history included; without one a temporary one is removed."""
        self._stack = ExitStack()
        self._home = directory
        self._number = 0

    def __enter__(self) -> Self:
        if self._home:
            self._home.mkdir(parents=True, exist_ok=True)
            self.directory = self._home.resolve()
        else:
            self.directory = Path(tempfile.mkdtemp(prefix="jackpot-bench-", dir="/var/tmp"))
            self._stack.callback(shutil.rmtree, self.directory, ignore_errors=True)
        self.directory.chmod(0o755)  # the servers may run under an account of their own
        self.postgres = PrivatePostgres(self.directory / "postgres", durable=True)
        self._stack.enter_context(self.postgres)
        return self

    def __exit__(self, *_fault: object) -> None:
        self._stack.close()

    @contextmanager
    def broker(self) -> Iterator[PrivateBroker]:
        """A Mosquitto with nothing in it."""
        self._number += 1
        directory = self.directory / f"broker-{self._number}"
        with PrivateBroker(directory, kind="mosquitto", persistent=True) as broker:
            yield broker
        shutil.rmtree(directory, ignore_errors=True)

    @contextmanager
    def database(self, template: str | None = None) -> Iterator[str]:
        """The address of a new database, gone afterwards."""
        self._number += 1
        name = f"bench_{os.getpid()}_{self._number}"
        creation = "CREATE DATABASE {} TEMPLATE {}" if template else "CREATE DATABASE {}"
        self.administer(creation, *([name, template] if template else [name]))
        try:
            yield self.url_of(name)
        finally:
            self.administer("DROP DATABASE {} WITH (FORCE)", name)

    def url_of(self, database: str) -> str:
        return urlunsplit(urlsplit(self.postgres.url)._replace(path=f"/{database}"))

    def has(self, database: str) -> bool:
        """Whether there is a database of that name."""
        with psycopg.connect(self.url_of("postgres"), autocommit=True) as connection:
            return bool(
                connection.execute(
                    "SELECT FROM pg_database WHERE datname = %s", [database]
                ).rowcount
            )

    def meter(self, pids: Mapping[str, int]) -> Meter:
        """Processor time of these processes and of the backends that serve them."""
        return Meter(self.url_of("postgres"), self.postgres.pid or 0, pids)

    def administer(self, statement: str, *names: str) -> None:
        with psycopg.connect(self.url_of("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

    def environment(
        self, database_url: str, mqtt_url: str = "mqtt://127.0.0.1:1"
    ) -> dict[str, str]:
        """In which the console's processes run."""
        return {
            **os.environ,
            "DATABASE_URL": database_url,
            "MQTT_URL": mqtt_url,
            "CELERY_BROKER_URL": "filesystem://",
            "CELERY_QUEUE_DIR": str(self.directory / "celery"),
            "SECRET_KEY": "only-for-benchmarks-and-known-to-everybody",
            "UNIT_KEYS_KEY": "ab" * 32,
            "BUNDLE_SIGNING_KEY": "22" * 32,  # written down by grant_roles
            "UNIT_EVENTS_PER_MINUTE": "0",  # units here press as none does
            "DEMO": "0",
            "SECOND_FACTOR_DEMANDED": "0",  # log-ins are not what is measured
            "LOG_LEVEL": "WARNING",
            "PYTHONPATH": str(PROJECT),
        }

    def create_seed_data(
        self, name: str, systems: int = 1, tables: int = 20, key: str = ""
    ) -> None:
        """Make a database with all migrations, so many systems (`main`, `s2`, ...) with so many
        tables each, and their terms in the queue. `key`: of every unit, hexadecimal."""
        self.administer("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
        self.administer("CREATE DATABASE {}", name)
        environment = self.environment(self.url_of(name))
        run = [sys.executable, "-m", "benchmarks.seed_data", str(systems), str(tables), key]
        subprocess.run(run, env=environment, cwd=PROJECT, check=True)

    def migrate(self, name: str) -> None:
        """Bring a database that was kept up to what is here now."""
        for command in (["migrate", "--verbosity", "0"], ["grant_roles"]):
            run = [sys.executable, "manage.py", *command]
            environment = self.environment(self.url_of(name))
            subprocess.run(run, env=environment, cwd=PROJECT, check=True, stdout=subprocess.DEVNULL)

    def start(
        self,
        name: str,
        argv: Sequence[str],
        environment: Mapping[str, str],
        python: str = sys.executable,
    ) -> Child:
        """A Python process of ours; its PostgreSQL backends carry its name."""
        log = self.directory / f"{name}.log"
        log.unlink(missing_ok=True)
        environment = {**environment, "PGAPPNAME": name}
        for program in _ROLES.keys() & set(argv):
            environment["DATABASE_URL"] += f"?options=-c%20role%3Djackpot_{_ROLES[program]}"
        return Child([python, *argv], log, env=environment, cwd=PROJECT)

    @contextmanager
    def console(self, database_url: str, *names: str) -> Iterator["Console"]:
        """The console's processes of these names (all of CONSOLE if none) on a new broker."""
        programs = {name: PROGRAMS[name] for name in names or CONSOLE}
        with self.broker() as broker:
            environment = self.environment(database_url, broker.url)
            with self.running(programs, environment) as children:
                yield Console(self, broker, environment, children)

    @contextmanager
    def running(
        self, programs: Mapping[str, Sequence[str]], environment: Mapping[str, str]
    ) -> Iterator[dict[str, Child]]:
        """These programs, stopped afterwards; one that ended by itself is an error."""
        children: dict[str, Child] = {}
        try:
            for name, argv in programs.items():
                children[name] = self.start(name, argv, environment)
            yield children
            for name, child in children.items():
                if not child.is_running:
                    raise StageError(f"{name} ended by itself:\n{child.last_words()}")
        finally:
            for child in reversed(children.values()):
                child.stop(_STOP)


@dataclass
class Console:
    """The running console of one measurement."""

    stage: Stage
    broker: PrivateBroker
    environment: dict[str, str]
    children: dict[str, Child]

    def stop(self, name: str) -> None:
        """Stop one of its processes in order."""
        self.children.pop(name).stop(_STOP)

    def start(self, name: str) -> None:
        """Start one that is not running."""
        self.children[name] = self.stage.start(name, PROGRAMS[name], self.environment)

    def pids(self) -> dict[str, int]:
        """Its processes and the broker, by name."""
        pids = {name: child.pid for name, child in self.children.items()}
        return {**pids, "Mosquitto": self.broker.pid or 0}

    def meter(self, **others: int) -> Meter:
        """A meter over all of it and over `others`."""
        return self.stage.meter({**self.pids(), **others})


class LoadProcess:
    """`python -m benchmarks.load` with its markers and its report."""

    def __init__(self, mqtt_url: str, **wishes: Any) -> None:
        """`wishes` are the options of that command: `per_second=500`, `displays=True`."""
        argv = [sys.executable, "-m", "benchmarks.load", "--mqtt", mqtt_url]
        for name, value in wishes.items():
            option = "--" + name.replace("_", "-")
            if value is True:
                argv.append(option)
            elif isinstance(value, list):
                argv += [part for each in value for part in (option, str(each))]
            elif value is not None and value is not False:
                argv += [option, str(value)]
        self.process = subprocess.Popen(
            argv, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    @property
    def pid(self) -> int:
        return self.process.pid

    def wait(self, mark: str) -> dict[str, Any]:
        """The next line with this marker."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message: dict[str, Any] = json.loads(line)
            if message["mark"] == mark:
                return message
        raise StageError(f"The load ended before it said '{mark}'.")

    def begin(self) -> None:
        """The word that it waits for with `on_word=True`."""
        assert self.process.stdin is not None
        self.process.stdin.write("begin\n")
        self.process.stdin.flush()

    def end(self) -> dict[str, Any]:
        """Let it send no more; its report, when all that was sent has its receipts."""
        self.process.send_signal(signal.SIGTERM)
        return self.report()

    def report(self) -> dict[str, Any]:
        """The report, when the process is over."""
        message = self.wait("report")
        self.process.wait()
        return message

    def stop(self) -> None:
        """End it, whatever it was doing."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def until(condition: Any, what: str, timeout_s: float = _READY_S) -> None:
    """Wait for a condition; StageError names `what` did not come."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            raise StageError(f"{what}: not within {timeout_s:.0f} s.")
        time.sleep(0.05)
