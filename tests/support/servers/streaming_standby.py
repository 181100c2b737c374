"""A private PostgreSQL with the tests' tables, and standbys that stream from it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile, rmtree
from typing import Any

import psycopg
import pytest
from psycopg import sql
from pytest_django import DjangoDbBlocker

from demo.servers import account
from demo.servers.postgres import PrivatePostgres
from settlement.backups import programs
from settlement.backups.programs import BackupFault
from tables.process.read_standby import PLACE, Place, place_of
from tests.support.servers.archived_postgres import copy_tables
from tests.support.suite.databases import server_used_by_django
from tests.support.suite.waiting import wait_until

_SENDS = {"wal_level": "replica", "max_wal_senders": "8", "hot_standby": "on"}


@dataclass(frozen=True)
class Primary:
    """The server that Django uses; below `folder` standbys have their files."""

    server: PrivatePostgres
    folder: Path

    @property
    def url(self) -> str:
        return self.server.url

    def let_in(self, *roles: str) -> None:
        """Roles of the console log in with a password of their own."""
        with psycopg.connect(self.url, autocommit=True) as owner:
            for role in roles:
                owner.execute(
                    sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(
                        sql.Identifier(role), sql.Literal(self.server.password_of(role))
                    )
                )

    @contextmanager
    def clears_nothing(self) -> Iterator[None]:
        """Versions of rows stay that somebody at a standby may still read. A page that is full is
        cleared of others by whoever writes there, and then the standby waits for its readers, and
        ends them after half a minute."""
        with psycopg.connect(self.url) as reader:
            reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            reader.execute("SELECT 1 FROM pg_class LIMIT 1")
            yield

    @contextmanager
    def standby(self, name: str) -> Iterator[Standby]:
        """A copy of all it has, which follows from there on."""
        with standby_of(self.server, self.folder / name) as standby:
            yield standby


@dataclass(frozen=True)
class Standby:
    """A server that takes no writes, and follows another one."""

    server: PrivatePostgres
    home: Path

    @contextmanager
    def follower(self) -> Iterator[Standby]:
        """One that follows this one."""
        with standby_of(self.server, self.home.with_name(f"{self.home.name}-follower")) as follower:
            yield follower

    @property
    def url(self) -> str:
        return self.server.url

    def ask(self, statement: str) -> Any:
        return ask(self.server, statement)

    def wait_for(self, primary: PrivatePostgres) -> None:
        """All that was committed there is here when this returns."""
        place = _place(primary).log or 0
        wait_until(lambda: (_place(self.server).log or 0) >= place, what="the standby to follow")

    def pause(self) -> None:
        """It receives, and shows nothing new until `resume`."""
        self.ask("SELECT pg_wal_replay_pause()")
        is_paused = "SELECT pg_get_wal_replay_pause_state() = 'paused'"
        wait_until(lambda: self.ask(is_paused), what="the standby to stand still")

    def resume(self) -> None:
        self.ask("SELECT pg_wal_replay_resume()")

    def waits_for_nobody(self) -> None:
        """It ends what is read as soon as that keeps it from following."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET max_standby_streaming_delay = 0")
            connection.execute("SELECT pg_reload_conf()")
        is_read = "SELECT current_setting('max_standby_streaming_delay') = '0'"
        wait_until(lambda: self.ask(is_read), what="the standby to read its settings")

    def promote(self) -> None:
        """It is a primary of its own from here on."""
        assert self.ask("SELECT pg_promote()")


def ask(server: PrivatePostgres, statement: str) -> Any:
    """The one value of a query, as the server's owner."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        (value,) = connection.execute(statement.encode()).fetchone() or (None,)
        return value


def _place(server: PrivatePostgres) -> Place:
    with psycopg.connect(server.url, autocommit=True) as connection:
        (row,) = connection.execute(PLACE).fetchall()
        return place_of(row)


@contextmanager
def standby_of(server: PrivatePostgres, home: Path) -> Iterator[Standby]:
    """pg_basebackup -R of a running server, which has all of it when this begins."""
    home.mkdir()
    programs.give(home)
    programs.run(
        [
            *(programs.postgres("pg_basebackup"), "--pgdata", home / "data", "--dbname"),
            *(server.url_of(""), "--wal-method", "stream", "--checkpoint", "fast", "--no-sync"),
            "--write-recovery-conf",
        ]
    )
    copyfile(server.home / "password", home / "password")
    follower = PrivatePostgres(
        home, durable=False, settings=_SENDS, binaries=str(programs.postgres("postgres").parent)
    )
    with follower:
        standby = Standby(follower, home)
        standby.wait_for(server)
        yield standby
    rmtree(home)


@contextmanager
def streaming_primary(blocker: DjangoDbBlocker) -> Iterator[Primary]:
    """A server with the tests' tables and roles, at which Django looks. Skips where PostgreSQL's
    programs are those of the wheel, without pg_basebackup."""
    try:
        binaries = programs.postgres("pg_basebackup").parent
    except BackupFault as reason:
        pytest.skip(f"NO STANDBY: {reason}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(programs, "ACCOUNTS", (account.NAME,))
        # Below that of the tests' own servers, which goes at the end, whatever becomes of this
        # process: pytest's folder is closed to every other account.
        folder = Path(tempfile.mkdtemp("-standby", dir=os.environ["JACKPOT_TEST_DIRECTORY"]))
        programs.give(folder)
        try:
            home = folder / "primary"
            home.mkdir()
            server = PrivatePostgres(home, durable=False, settings=_SENDS, binaries=str(binaries))
            with server:
                copy_tables(blocker, server.url)
                with server_used_by_django(server.url, blocker):
                    yield Primary(server, folder)
        finally:
            rmtree(folder)
