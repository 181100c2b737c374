"""pgBackRest: a full backup, its archive, what a restore of them proves, and what goes."""

import datetime as dt
import shutil
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from pytest_django import Settings

from jackpot.models import Head
from settlement.backups import programs, runs
from settlement.backups.pgbackrest import PgBackRest
from settlement.backups.programs import BackupFault
from tests.support.people.cast import ClaimHouse
from tests.support.servers.archived_postgres import STANZA, Archived, make_backups

pytestmark = [pytest.mark.postgres, pytest.mark.slow]


@pytest.fixture
def tool(
    archived_by_pgbackrest: Archived, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> PgBackRest:
    """It asks the server as its superuser."""
    settings.BACKUP_TOOL = "pgbackrest"
    settings.PGBACKREST_STANZA = STANZA
    settings.BACKUP_WORK_DIR = str(archived_by_pgbackrest.folder)
    address = urlsplit(archived_by_pgbackrest.server.url)
    passwords = archived_by_pgbackrest.folder / "pgpass"
    passwords.write_text(f"*:*:*:*:{address.password}\n")
    passwords.chmod(0o600)
    programs.give(passwords)
    for name, value in {
        "PGHOST": address.hostname,
        "PGPASSFILE": passwords,
        "PGBACKREST_PG1_PORT": address.port,
        "PGBACKREST_PG1_USER": address.username,
    }.items():
        monkeypatch.setenv(name, str(value))
    return PgBackRest()


def create_stanza() -> None:
    """Nothing is changed where it is there."""
    programs.run(["pgbackrest", f"--stanza={STANZA}", "stanza-create"])


def test_a_backup_is_restored_to_the_last_moment_of_the_archive(
    archived_by_pgbackrest: Archived, tool: PgBackRest, settings: Settings
) -> None:
    archived = archived_by_pgbackrest
    house = ClaimHouse()
    house.open("t3")
    house.post()
    with pytest.raises(BackupFault, match=f"no stanza {STANZA}"):
        tool.backups()
    create_stanza()
    backup = runs.back_up()
    assert not backup.fault, backup.fault
    house.press("t3")
    house.post()
    held = Head.objects.get().block_number
    archived.archive()
    house.press("t3")
    house.post()
    run = runs.prove()
    assert not run.fault, run.fault
    assert run.backup == backup.backup
    (system,) = run.facts["systems"]
    assert (system["live_block"], system["restored_block"]) == (held + 1, held)
    assert dt.datetime.fromisoformat(run.facts["target"]) < run.started_at
    assert [each["name"] for each in backup.facts["kept"]] == [backup.backup]
    settings.PGBACKREST_STANZA = "another"
    with pytest.raises(BackupFault, match="no stanza another"):
        tool.backups()


def test_a_server_that_is_restored_for_good_archives(
    archived_by_pgbackrest: Archived, tool: PgBackRest
) -> None:
    create_stanza()
    make_backups(tool)
    into = archived_by_pgbackrest.folder / "restored"
    call_command("restore_backup", "--into", str(into))
    settings = (into / "postgresql.auto.conf").read_text()
    shutil.rmtree(into)
    assert "restore_command = " in settings
    assert "archive_mode" not in settings


def test_what_changed_in_the_repository_is_named(
    archived_by_pgbackrest: Archived, tool: PgBackRest
) -> None:
    create_stanza()
    make_backups(tool)
    backup = tool.backups()[-1]
    repository = archived_by_pgbackrest.folder / "repository"
    file = next((repository / "backup" / STANZA / backup.name).rglob("pg_control.lz4"))
    before = file.read_bytes()
    file.write_bytes(before[:100] + b"another" + before[107:])
    run = runs.prove()
    file.write_bytes(before)
    assert run.fault.startswith("pgbackrest failed: ")
