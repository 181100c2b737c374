"""A private PostgreSQL server for the demo and the tests.

It listens on the loopback interface only, wants a password, lives in a directory of its own
and stops with the process that started it.
"""

import contextlib
import hmac
import os
import secrets
import shutil
import signal
import time
from collections.abc import Mapping
from pathlib import Path

import psycopg
from psycopg import sql

from demo.servers import postgres_binaries, postgres_cluster
from demo.servers.account import home_for, service_account
from demo.servers.child import Child
from demo.servers.ports import LOOPBACK, free_port
from demo.servers.postgres_cluster import PostgresError
from demo.servers.server import PrivateServer

__all__ = ["DATABASE", "PostgresError", "PrivatePostgres"]

USER = "jackpot"
DATABASE = "jackpot"
_READY_SECONDS = 60.0
_POLL_SECONDS = 0.01
_ATTEMPTS = 20
_PORT_TAKEN = "could not create any TCP/IP sockets"
_STILL_DYING = "pre-existing shared memory block"  # the last processes of one that was killed
_NOT_DURABLE = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    # It would come to some tables of some runs, in the middle of a test, and change a plan there.
    "autovacuum": "off",
}


class PrivatePostgres(PrivateServer):
    """A PostgreSQL server of our own; a context manager, or start() and stop().

    `directory` is where its files live: `data`, the log and the password. Run by root, the
    server runs under an unprivileged account; where that cannot reach `directory`, `home` is
    a stand-in (see `demo.servers.account`).

    `durable=False` trades safety at a power cut for speed: for tests. A process that is
    killed loses nothing either way.
    """

    def __init__(
        self,
        directory: Path | str,
        port: int | None = None,
        *,
        durable: bool = True,
        binaries: str | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        """Nothing is started yet.

        `port` None takes a free one at every start; `binaries` is explained at
        `postgres_binaries.find`; `settings` of PostgreSQL are added to ours.
        """
        super().__init__()
        self._directory = Path(directory)
        self._fixed_port = port
        self._port: int | None = None
        self._durable = durable
        self._choice = binaries
        self._settings = settings or {}
        self._account = service_account()

    @property
    def home(self) -> Path:
        """Where the files really are; made if missing."""
        return home_for(self._directory, self._account)

    @property
    def url(self) -> str:
        """`postgresql://user:password@127.0.0.1:port/database` of the running server."""
        return self.url_of(DATABASE)

    def url_of(self, database: str) -> str:
        """The address of another database of the running server."""
        if self._port is None:
            raise PostgresError("This PostgreSQL has not been started.")
        password = (self.home / "password").read_text()
        return f"postgresql://{USER}:{password}@{LOOPBACK}:{self._port}/{database}"

    def url_as(self, role: str) -> str:
        """The address for a lesser role, which must have been made with `password_of` it."""
        if self._port is None:
            raise PostgresError("This PostgreSQL has not been started.")
        return f"postgresql://{role}:{self.password_of(role)}@{LOOPBACK}:{self._port}/{DATABASE}"

    def password_of(self, role: str) -> str:
        """The password of a lesser role: made from the owner's, which it does not tell."""
        owner = (self.home / "password").read_bytes()
        return hmac.new(owner, role.encode(), "sha256").hexdigest()

    @property
    def pids(self) -> set[int]:
        """The same as a set, empty when it has not been started."""
        return set() if self.pid is None else {self.pid}

    def start(self) -> None:
        """Make the cluster if there is none, start the server, wait until it takes queries.

        Raises PostgresError when that fails, above all when another server already runs on
        the same files.
        """
        if self.is_running:
            raise PostgresError("This PostgreSQL is already running.")
        home = self.home
        binaries = postgres_binaries.find(self._choice)
        if self._account is not None:
            binaries = postgres_binaries.readable_by(self._account, binaries, home)
        password = _password(home)
        postgres_cluster.create(home, binaries, self._account, USER, password)
        postgres_cluster.clear_the_way(home)
        for attempt in range(_ATTEMPTS):
            self._port = self._fixed_port or free_port()
            self._child = self._launch(home, binaries.postgres)
            if self._wait_until_ready(self._child):
                break
            words = self._child.last_words()
            passing = _STILL_DYING in words or (_PORT_TAKEN in words and not self._fixed_port)
            if not passing or attempt == _ATTEMPTS - 1:
                raise PostgresError(f"PostgreSQL did not start. Its log ends:\n{words}")
            time.sleep(0.1 * attempt)
        self._create_database()

    def stop(self) -> None:
        """Stop the server: connections are ended, what was committed is on disk."""
        if self._child is not None and self._is_ours:
            self._child.stop([(signal.SIGINT, 20.0), (signal.SIGQUIT, 5.0)])
        self._child = None
        self._port = None

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        """End it as a crash would, for tests of what survives that: nothing is written any more.

        SIGKILL ends the server's first process, and the others as soon as they notice; SIGQUIT
        is PostgreSQL's immediate stop.
        """
        if self._child is not None:
            self._child.stop([(number, 5.0)])
        self._child = None

    def remove(self) -> None:
        """Delete all files of the stopped server, wherever they are."""
        if self.is_running:
            raise PostgresError("Stop this PostgreSQL before its files are removed.")
        home = self.home
        postgres_cluster.clear_the_way(home)
        for path in {home, self._directory.resolve()}:
            shutil.rmtree(path)

    def _launch(self, home: Path, program: Path) -> Child:
        options = {
            "listen_addresses": LOOPBACK,
            "port": str(self._port),
            "unix_socket_directories": "",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "max_connections": "200",
            **({} if self._durable else _NOT_DURABLE),
            **self._settings,
        }
        argv: list[str | Path] = [program, "-D", home / "data"]
        for name, value in options.items():
            argv += ["-c", f"{name}={value}"]
        return Child(
            argv,
            home / "server.log",
            env=postgres_cluster.ENVIRONMENT,
            cwd=home,
            account=self._account,
            # "Fast shutdown" to PostgreSQL; SIGTERM would wait for clients to leave.
            death_signal=signal.SIGINT,
        )

    def _wait_until_ready(self, child: Child) -> bool:
        """True when it takes queries, False when it ended instead."""
        deadline = time.monotonic() + _READY_SECONDS
        while child.is_running:
            with contextlib.suppress(psycopg.OperationalError):
                psycopg.connect(self.url_of("postgres"), connect_timeout=5).close()
                return True
            if time.monotonic() > deadline:
                raise PostgresError(
                    f"PostgreSQL was not ready within {_READY_SECONDS:.0f} s."
                    f" Its log ends:\n{child.last_words()}"
                )
            time.sleep(_POLL_SECONDS)
        return False

    def _create_database(self) -> None:
        with psycopg.connect(self.url_of("postgres"), autocommit=True) as connection:
            row = connection.execute(
                "SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]
            ).fetchone()
            if row is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def _password(home: Path) -> str:
    """The password of this server, made at its first start; only the owner can read it."""
    path = home / "password"
    if not path.exists():
        if (home / "data").exists():
            raise PostgresError(
                f"{path} is missing, so nobody can log in to the data beside it."
                " `make demo-reset` starts afresh."
            )
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(24))
    return path.read_text()
