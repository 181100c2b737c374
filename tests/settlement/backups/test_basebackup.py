"""PostgreSQL's own programs: a base backup, its archive, and what a restore of them proves."""

import datetime as dt
import fcntl
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from jackpot.models import Block, Head
from settlement.backups import programs, runs, trial
from settlement.backups.basebackup import BaseBackup
from settlement.backups.programs import BackupFault
from settlement.models import BackupRun
from tables.models import Alarm, EraBegun
from tests.support.people.cast import ClaimHouse
from tests.support.servers.archived_postgres import Archived, make_backups
from tests.support.suite.waiting import wait_until

MEGABYTES_16 = 1 << 24
Connection = psycopg.Connection[tuple[object, ...]]
pytestmark = [pytest.mark.postgres, pytest.mark.slow]


@pytest.fixture(scope="module")
def house(archived: Archived) -> ClaimHouse:
    house = ClaimHouse()
    house.open("t3")
    house.post()
    return house


@pytest.fixture(autouse=True)
def tool(archived: Archived, settings: Settings) -> BaseBackup:
    settings.BACKUP_TOOL = "basebackup"
    settings.BACKUP_DIR = str(archived.folder / "backups")
    settings.BACKUP_URL = archived.replication_url
    settings.BACKUP_WORK_DIR = str(archived.folder)
    return BaseBackup()


@pytest.fixture
def archive(archived: Archived, tool: BaseBackup) -> Path:
    """With a segment in it: tests of a file run on any worker, in any order."""
    if not tool.newest_segment():
        archived.archive()
    return archived.folder / "backups" / "wal"


def play(house: ClaimHouse) -> int:
    """A round; the block that holds it."""
    house.press("t3")
    house.post()
    return Head.objects.get(system=house.system).block_number


def restored_systems(run: BackupRun) -> list[tuple[str, int, int, int]]:
    names = ("system", "live_block", "restored_block", "blocks_behind")
    return [tuple(each[name] for name in names) for each in run.facts["systems"]]


def test_a_backup_is_restored_to_the_last_moment_of_the_archive(
    archived: Archived, house: ClaimHouse
) -> None:
    (archived.folder / "jackpot-restore-left" / "data").mkdir(parents=True)  # of a trial that died
    tool = BaseBackup()
    broken_off = archived.folder / "backups" / "base" / "20000101T000000Z"  # while it was removed
    if not broken_off.parent.is_dir():  # unless an earlier test made it
        programs.make_folder(broken_off.parent)
    programs.make_folder(broken_off)
    first_run = runs.back_up()
    assert not first_run.fault, first_run.fault
    assert [each["name"] for each in first_run.facts["kept"]] == [first_run.backup]
    (backup,) = tool.backups()
    assert first_run.started_at < backup.ended_at <= first_run.ended_at + dt.timedelta(seconds=1)
    held = play(house)
    archived.archive()
    lost = play(house) - held
    run = runs.prove()
    assert not run.fault, run.fault
    assert run.backup == first_run.backup
    assert restored_systems(run) == [("main", held + lost, held, lost)]
    steps = [each["step"] for each in run.facts["steps"]]
    assert steps == ["look", "restore", "recover", "compare", "verify", "begin_era"]
    assert dt.datetime.fromisoformat(run.facts["target"]) < run.started_at
    assert not EraBegun.objects.exists(), "the era begins on the copy alone"
    assert not list(archived.folder.glob("jackpot-restore-*/")), "what was restored is gone"
    assert not Alarm.objects.exists()
    with pytest.raises(psycopg.Error, match="append-only"), _connected(archived) as connection:
        connection.execute("UPDATE settlement_backuprun SET fault = ''")


def _connected(archived: Archived) -> Connection:
    return psycopg.connect(archived.server.url)


@contextmanager
def changed_manifest(archived: Archived, tool: BaseBackup) -> Iterator[None]:
    """One file of the newest base backup is not as its manifest says."""
    newest = archived.folder / "backups" / "base" / tool.backups()[-1].name
    manifest = newest / "backup_manifest"
    before = manifest.read_text()
    manifest.write_text(before.replace('"Size": 8192', '"Size": 8191', 1))
    try:
        yield
    finally:
        manifest.write_text(before)


def test_a_quiet_server_is_restored_to_the_end_of_its_backup(
    archived: Archived, house: ClaimHouse
) -> None:
    assert not runs.back_up().fault
    run = runs.prove()
    assert not run.fault, run.fault
    assert run.facts["target"] is None
    ((_, live, restored, _),) = restored_systems(run)
    assert live == restored


def test_a_trial_waits_for_the_first_segment_behind_a_new_backup(
    archived: Archived, house: ClaimHouse, tool: BaseBackup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house that just switched its backups on gets no alarm because PostgreSQL is still at it."""
    assert not runs.back_up().fault
    wait_until(tool.newest_segment, what="the backup's end to be archived")
    answers = iter(["", "", tool.newest_segment()])
    monkeypatch.setattr(BaseBackup, "newest_segment", lambda _tool: next(answers))
    assert not runs.prove().fault
    assert next(answers, None) is None


def test_an_archive_that_stays_empty_is_named(
    archived: Archived, house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not runs.back_up().fault
    monkeypatch.setattr(trial, "FIRST_SEGMENT_WITHIN", -dt.timedelta(minutes=1))
    monkeypatch.setattr(BaseBackup, "newest_segment", lambda _tool: "")
    assert "The archive is empty" in runs.prove().fault


def test_what_the_archive_lost_is_named(
    archived: Archived, house: ClaimHouse, tool: BaseBackup, archive: Path
) -> None:
    runs.back_up()
    play(house)
    archived.archive()
    play(house)
    archived.archive()
    *_, segment, _newest = sorted(each for each in archive.glob("*.gz") if len(each.name) == 27)
    aside = segment.rename(archive.parent / segment.name)
    run = runs.prove()
    aside.rename(segment)
    assert "did not recover" in run.fault
    alarm = Alarm.objects.get(kind="backup_unproved", subject="restore trial")
    assert run.fault in alarm.message


def test_one_trial_is_at_work_at_a_time(archived: Archived, tool: BaseBackup) -> None:
    with (archived.folder / "jackpot-restore-lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BackupFault, match="Another restore trial is at work"):
            trial.carry_out(tool)


def test_one_base_backup_is_made_at_a_time(archived: Archived, tool: BaseBackup) -> None:
    """The second one would remove what the first one has so far."""
    make_backups(tool)
    base = archived.folder / "backups" / "base"
    part = base / "new.part"
    part.mkdir(exist_ok=True)  # a backup that failed in an earlier test leaves it
    with (base / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(programs.AtWorkError, match="Another base backup is at work"):
            runs.back_up()
    assert part.is_dir()
    shutil.rmtree(part)
    assert not Alarm.objects.filter(subject="base backup").exists()


def test_an_archive_that_lags_is_named(
    archived: Archived, house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it leads to is whole, and a disaster now would take too much."""
    runs.back_up()
    held = play(house)
    archived.archive()
    play(house)
    monkeypatch.setattr(trial, "ARCHIVED_WITHIN", dt.timedelta())
    run = runs.prove()
    assert f"ends at block {held}," in run.fault
    assert "the archive lags" in run.fault


def test_a_segment_that_is_cut_short_is_named(
    archived: Archived, tool: BaseBackup, archive: Path
) -> None:
    make_backups(tool)
    archived.archive()
    newest = archive / f"{tool.newest_segment()}.gz"
    whole = newest.read_bytes()
    newest.write_bytes(whole[: len(whole) // 2])
    result = trial.carry_out(tool)
    newest.write_bytes(whole)
    assert f"{tool.newest_segment()} of the archive cannot be read" in result.fault


def test_files_that_changed_are_named(archived: Archived, tool: BaseBackup) -> None:
    make_backups(tool)
    archived.archive()
    with changed_manifest(archived, tool):
        result = trial.carry_out(tool)
    assert "pg_verifybackup failed" in result.fault


def test_what_no_moment_needs_goes(
    archived: Archived, tool: BaseBackup, archive: Path, settings: Settings
) -> None:
    make_backups(tool, 3)
    backups = tool.backups()
    base = archived.folder / "backups" / "base"
    names = []
    for days, backup in zip((40, 30, 20), backups, strict=False):
        then = dt.datetime.now(dt.UTC) - dt.timedelta(days=days)
        names.append(f"{then:%Y%m%dT%H%M%SZ}")
        (base / backup.name).rename(base / names[-1])
    settings.BACKUP_DAYS = 25
    segments = set(archive.iterdir())
    assert tool.remove_outdated() == [names[0]]
    assert tool.backups()[0].name == names[1]
    assert not list(base.glob("*.part"))
    left = {each.name for each in archive.iterdir()}
    assert {each.name for each in segments} - left, "segments before it go, too"
    first = f"00000001{'0' * 8}{backups[1].start_lsn // MEGABYTES_16:08X}.gz"
    assert min(name for name in left if len(name) == len(first)) == first, "it leads from there"


def test_what_is_missing_is_said(archived: Archived, tool: BaseBackup, settings: Settings) -> None:
    settings.BACKUP_URL = ""
    with pytest.raises(BackupFault, match="BACKUP_URL names no server"):
        tool.back_up()
    settings.BACKUP_URL = archived.server.url.replace("jackpot:", "nobody:")
    with pytest.raises(BackupFault, match="pg_basebackup failed: "):
        tool.back_up()
    settings.BACKUP_PG_BIN = str(archived.folder)
    with pytest.raises(BackupFault, match="BACKUP_PG_BIN"):
        tool.back_up()
    settings.BACKUP_DIR = ""
    with pytest.raises(BackupFault, match="BACKUP_DIR"):
        tool.backups()


def test_the_archive_takes_a_segment_twice_and_no_other(archived: Archived, archive: Path) -> None:
    newest = max(each for each in archive.glob("*.gz") if len(each.name) == 27)
    name = newest.name.removesuffix(".gz")
    segment = archived.folder / name
    with segment.open("wb") as file:
        subprocess.run(["gzip", "-dc", newest], stdout=file, check=True)
    script: list[str | Path] = ["sh", archived.folder / "archive_wal.sh", segment, name, archive]
    subprocess.run(script, check=True)
    segment.write_bytes(b"another server's")
    refused = subprocess.run(script, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "is there already" in refused.stderr


def test_a_backup_is_restored_for_good(
    archived: Archived, tool: BaseBackup, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command for a disaster makes what the trial tries."""
    make_backups(tool)
    into = archived.folder / "restored"
    call_command("restore_backup", "--into", str(into))
    assert (into / "recovery.signal").is_file()
    assert tool.backups()[-1].name in capsys.readouterr().out
    with pytest.raises(CommandError, match="is there already"):
        call_command("restore_backup", "--into", str(into))
    shutil.rmtree(into)
    with (
        changed_manifest(archived, tool),
        pytest.raises(CommandError, match="pg_verifybackup failed"),
    ):
        call_command("restore_backup", "--into", str(into))
    assert not into.exists(), "a server on it would come up without what it lacks"
    with pytest.raises(CommandError, match="no base backup of before"):
        call_command("restore_backup", "--into", str(into), "--before", "2001-01-01T00:00:00+00:00")


@pytest.fixture
def unguarded(archived: Archived, house: ClaimHouse) -> Iterator[Connection]:
    """Somebody with the superuser's password, who rewrites what is recorded."""
    with psycopg.connect(archived.server.url, autocommit=True) as connection:
        for table in ("jackpot_block", "jackpot_entry"):
            connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL".encode())
        yield connection


def test_an_order_that_was_rewritten_since_is_named(
    archived: Archived,
    house: ClaimHouse,
    tool: BaseBackup,
    unguarded: Connection,
) -> None:
    tool.back_up()
    last = Block.objects.get(system=house.system, number=Head.objects.get().block_number)
    unguarded.execute("UPDATE jackpot_block SET hash = %s WHERE number = %s", [b"x", last.number])
    result = trial.carry_out(tool)
    unguarded.execute(
        "UPDATE jackpot_block SET hash = %s WHERE number = %s", [last.hash, last.number]
    )
    assert result.fault == f"Block {last.number} of main is another one in the restored order."


def test_what_the_verifier_finds_is_named(
    archived: Archived,
    house: ClaimHouse,
    tool: BaseBackup,
    unguarded: Connection,
) -> None:
    unguarded.execute("UPDATE jackpot_entry SET outcome = outcome || '{\"x\": 1}' WHERE seq = 1")
    tool.back_up()
    result = trial.carry_out(tool)
    unguarded.execute("UPDATE jackpot_entry SET outcome = outcome - 'x' WHERE seq = 1")
    assert result.fault.startswith("The verifier finds faults in the restored copy: ")
