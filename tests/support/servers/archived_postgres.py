"""A private PostgreSQL whose log is archived, with the tests' tables, at which Django looks."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.utils import timezone
from psycopg import sql
from pytest_django import DjangoDbBlocker

from demo.servers import account
from demo.servers.postgres import DATABASE, PrivatePostgres
from settlement.backups import programs, runs
from settlement.backups.tool import Tool
from tests.support.suite.databases import server_used_by_django, url_of
from tests.support.suite.waiting import wait_until

_SCRIPT = Path(__file__).resolve().parents[3] / "deploy" / "archive_wal.sh"
REPLICATOR = "jackpot_backup"
STANZA = "jackpot"


@dataclass(frozen=True)
class Archived:
    """The server, and a folder that its account may write into."""

    server: PrivatePostgres
    folder: Path

    @property
    def replication_url(self) -> str:
        """For the role that may copy the server's files, and nothing else."""
        return self.server.url_as(REPLICATOR).removesuffix(f"/{DATABASE}")

    def ask(self, statement: str) -> Any:
        with psycopg.connect(self.server.url, autocommit=True) as connection:
            (value,) = connection.execute(statement.encode()).fetchone() or (None,)
            return value

    def archive(self) -> None:
        """All that was committed is in the archive when this returns, and one commit more."""
        with psycopg.connect(self.server.url, autocommit=True) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS last_commit (at timestamptz)")
            connection.execute("INSERT INTO last_commit VALUES (now())")
        self._archive()

    def _archive(self) -> None:
        segment = self.ask("SELECT pg_walfile_name(pg_switch_wal())")
        wait_until(
            lambda: (self.ask("SELECT last_archived_wal FROM pg_stat_archiver") or "") >= segment,
            what=f"{segment} to be archived",
        )


@contextmanager
def folder_of_account() -> Iterator[Path]:
    """A folder that the account of PostgreSQL's programs reaches and owns; removed at the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(programs, "ACCOUNTS", (account.NAME,))  # that of our servers
        # Not below pytest's folder, which is closed to every other account.
        folder = Path(tempfile.mkdtemp(prefix="jackpot-backups-"))
        programs.give(folder)
        try:
            yield folder
        finally:
            shutil.rmtree(folder)


@contextmanager
def archived_server(
    blocker: DjangoDbBlocker, folder: Path, archive_command: str, binaries: str
) -> Iterator[Archived]:
    """Start it with the tests' tables and the role that makes backups, and let Django use it."""
    home = folder / "server"
    home.mkdir()
    settings = {
        "archive_mode": "on",
        "archive_command": archive_command,
        "wal_level": "replica",
        "full_page_writes": "on",
    }
    with ExitStack() as stack:
        postgres = stack.enter_context(
            PrivatePostgres(home, durable=False, settings=settings, binaries=binaries)
        )
        archived = Archived(postgres, folder)
        with psycopg.connect(postgres.url) as connection:
            connection.execute(
                sql.SQL("CREATE ROLE {} LOGIN REPLICATION PASSWORD {}").format(
                    sql.Identifier(REPLICATOR), sql.Literal(postgres.password_of(REPLICATOR))
                )
            )
        copy_tables(blocker, postgres.url)
        stack.enter_context(server_used_by_django(postgres.url, blocker))
        yield archived


def plain_archive(folder: Path) -> str:
    """Make BACKUP_DIR, `backups` below this folder; the archive_command for it."""
    script = folder / "archive_wal.sh"
    shutil.copy(_SCRIPT, script)  # where the server's account reaches it
    script.chmod(0o755)
    backups = folder / "backups"
    for each in (backups, backups / "wal"):
        programs.make_folder(each)
    return f"sh {script} %p %f {backups}/wal"


@contextmanager
def pgbackrest_archive(folder: Path) -> Iterator[str]:
    """Make a repository below this folder, and the configuration that every pgbackrest of this
    process finds; the archive_command for it."""
    repository, configuration = folder / "repository", folder / "pgbackrest.conf"
    programs.make_folder(repository)
    programs.make_folder(folder / "log")
    configuration.write_text(
        f"[global]\nrepo1-path={repository}\nlog-path={folder}/log\nlock-path={folder}\nspool-path={folder}\n"
        f"log-level-file=off\nlog-level-console=warn\ncompress-type=lz4\n\n"
        f"[{STANZA}]\npg1-path={folder}/server/data\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PGBACKREST_CONFIG", str(configuration))
        yield f"pgbackrest --config={configuration} --stanza={STANZA} archive-push %p"


def copy_tables(blocker: DjangoDbBlocker, url: str) -> None:
    """Make the tests' tables in the database of another server, without rows or rights."""
    with blocker.unblock():
        from django.db import connection

        source = url_of(connection.settings_dict["NAME"])
    environment = {**os.environ, "LC_ALL": "C"}
    dump = subprocess.run(
        [programs.postgres("pg_dump"), "--no-owner", "--no-privileges", source],
        env=environment,
        capture_output=True,
        check=True,
    ).stdout
    subprocess.run(
        [
            programs.postgres("psql"),
            "--quiet",
            "--set",
            "ON_ERROR_STOP=1",
            "--output",
            os.devnull,
            url,
        ],
        env=environment,
        input=dump,
        check=True,
    )


def make_backups(tool: Tool, least: int = 1) -> None:
    """So many are there, of earlier tests or made now: tests of a file run on any worker."""
    while len(backups := tool.backups()) < least:
        # Named by the second: the next one ends in a later one.
        wait_until(lambda: not backups or timezone.now() > backups[-1].ended_at)
        run = runs.back_up()
        assert not run.fault, run.fault
