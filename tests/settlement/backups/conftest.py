"""An archived server for the tests of each tool: it starts once for all of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from settlement.backups import programs
from settlement.backups.programs import BackupFault
from tests.support.servers.archived_postgres import (
    Archived,
    archived_server,
    folder_of_account,
    pgbackrest_archive,
    plain_archive,
)


@pytest.fixture(scope="session")
def binaries() -> Path:
    """PostgreSQL's programs, with those for backups: the embedded one has none."""
    try:
        return programs.postgres("pg_basebackup").parent
    except BackupFault as reason:
        pytest.skip(f"NO BACKUP: {reason}")


@pytest.fixture(scope="module")
def archived(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, binaries: Path
) -> Iterator[Archived]:
    """A server that archives by deploy/archive_wal.sh."""
    with folder_of_account() as folder:
        command = plain_archive(folder)
        with archived_server(django_db_blocker, folder, command, str(binaries)) as server:
            yield server


@pytest.fixture(scope="module")
def archived_by_pgbackrest(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, binaries: Path
) -> Iterator[Archived]:
    """A server that archives by `pgbackrest archive-push`, with its stanza."""
    try:
        programs.need("pgbackrest", "the package pgbackrest")
    except BackupFault as reason:
        pytest.skip(f"NO PGBACKREST: {reason}")
    with (
        folder_of_account() as folder,
        pgbackrest_archive(folder) as command,
        archived_server(django_db_blocker, folder, command, str(binaries)) as server,
    ):
        yield server
