"""When backups are due, what is kept of them, the alarm, the page and the check-up."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone
from pytest_django import Settings

from config.celery import app
from jackpot.models import Entry
from settlement import tasks
from settlement.backups import runs, trial
from settlement.backups.basebackup import BaseBackup
from settlement.backups.programs import AtWorkError, BackupFault, is_ours, major_of
from settlement.backups.tool import Backup, Target, aim, outdated
from settlement.backups.trial import Trial
from settlement.backups.wal import before, is_before, lsn
from settlement.doctor import backups as check_up
from settlement.doctor.examination import State
from settlement.models import BackupRun
from tables.models import Alarm
from tests.support.pages.page_staff import logged_in, page_of, words
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as

DAY = dt.timedelta(days=1)
MEGABYTES_16 = 1 << 24
NOTHING: dict[str, Any] = {}


def backup(days_ago: float, name: str = "one") -> Backup:
    return Backup(name, timezone.now() - days_ago * DAY, 7_000_000, 100, 200)


def run(kind: str, days_ago: float, fault: str = "", **facts: Any) -> BackupRun:
    at = timezone.now() - days_ago * DAY
    return BackupRun.objects.create(
        kind=kind,
        tool="basebackup",
        backup="20261127T030000Z",
        started_at=at - dt.timedelta(minutes=3),
        ended_at=at,
        fault=fault,
        facts=facts,
    )


@pytest.fixture
def calls(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the task has done; the tool and the trial are tried on real servers elsewhere."""
    settings.BACKUP_TOOL = "basebackup"
    log: list[str] = []

    def make(_: BaseBackup) -> Backup:
        log.append("base")
        return backup(0)

    def try_it(tool: BaseBackup) -> Trial:
        log.append("trial")
        return Trial(tool.name, backup(0))

    monkeypatch.setattr(BaseBackup, "back_up", make)
    monkeypatch.setattr(BaseBackup, "remove_outdated", lambda _: [])
    monkeypatch.setattr(BaseBackup, "backups", lambda _: [backup(1), backup(0)])
    monkeypatch.setattr(trial, "carry_out", try_it)
    return log


@pytest.mark.django_db
def test_a_base_backup_is_due_each_day_and_a_trial_each_week(calls: list[str]) -> None:
    ClaimHouse()
    tasks.keep_backups()
    assert calls == ["base", "trial"]
    tasks.keep_backups()
    assert calls == ["base", "trial"], "neither is due again"


@pytest.mark.django_db
def test_the_processes_have_the_rights_that_they_need(calls: list[str]) -> None:
    ClaimHouse()
    browser = logged_in("hana")
    with acting_as("worker"):
        tasks.keep_backups()
        tasks.watch_safety()
    assert calls == ["base", "trial"]
    with acting_as("web"):
        assert "Good" in words(browser.get("/set-up/backups/"))
        assert check_up.look()["mode"] in ("on", "off")
        with pytest.raises(DatabaseError), transaction.atomic():
            run("restore", 0)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("base", "restore", "fault", "due"),
    [
        (0.9, 6.9, "", []),
        (1.1, 6.9, "", ["base"]),
        (0.9, 7.1, "", ["trial"]),
        (0.9, 0.5, "no room", []),
        (0.9, 0.9, "no room", ["trial"]),
    ],
)
def test_what_failed_is_tried_again_and_what_is_good_is_not(
    base: float, restore: float, fault: str, due: list[str], calls: list[str]
) -> None:
    ClaimHouse()
    run("base", base)
    run("restore", restore, fault)
    runs.keep()
    assert calls == due


@pytest.mark.django_db
def test_who_backs_up_by_other_means_is_left_alone(calls: list[str], settings: Settings) -> None:
    ClaimHouse()
    settings.BACKUP_EVERY_H = 0.0
    runs.keep()
    assert calls == ["trial"]
    settings.BACKUP_TOOL = "none"
    runs.keep()
    runs.raise_if_unproved()
    assert calls == ["trial"]
    with pytest.raises(BackupFault, match="BACKUP_TOOL is none"):
        runs.back_up()


@pytest.mark.django_db
def test_nothing_is_tried_before_there_is_an_order(calls: list[str]) -> None:
    runs.keep()
    assert calls == ["base"]
    assert not Entry.objects.exists()


@pytest.mark.django_db
def test_a_failure_raises_an_alarm_and_is_kept(
    calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: BaseBackup) -> Backup:
        raise BackupFault("the disk is full")

    monkeypatch.setattr(BaseBackup, "back_up", fails)
    assert runs.back_up().fault == "the disk is full"
    tried = Trial("basebackup", fault="Block 7 of main is another one in the restored order.")
    monkeypatch.setattr(trial, "carry_out", lambda _: tried)
    assert runs.prove().facts["size"] == 0
    alarms = Alarm.objects.filter(kind="backup_unproved").order_by("id")
    assert [each.subject for each in alarms] == ["base backup", "restore trial"]
    assert "Block 7 of main" in alarms[1].message


@pytest.mark.django_db
def test_a_full_disk_is_a_failure_too(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.BACKUP_TOOL = "basebackup"

    def fails(_: object, *_places: object) -> Backup:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(BaseBackup, "back_up", fails)
    monkeypatch.setattr(BaseBackup, "backups", fails)
    assert "No space left" in runs.back_up().fault
    assert "No space left" in runs.prove().fault


@pytest.mark.django_db
def test_a_backup_that_was_not_tidied_up_after_is_made(
    calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one each hour would fill the disk."""
    ClaimHouse()

    def fails(_: BaseBackup) -> list[str]:
        raise BackupFault("may not be removed")

    monkeypatch.setattr(BaseBackup, "remove_outdated", fails)
    runs.keep()
    runs.keep()
    assert calls == ["base", "trial"]
    (alarm,) = Alarm.objects.filter(kind="backup_unproved")
    assert "one was made, and what is outdated was not removed" in alarm.message


@pytest.mark.django_db
def test_a_task_that_meets_another_at_work_leaves_it_alone(
    calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(_: BaseBackup) -> Backup:
        raise AtWorkError("Another base backup is at work.")

    monkeypatch.setattr(BaseBackup, "back_up", busy)
    tasks.keep_backups()
    assert not BackupRun.objects.exists()
    assert not Alarm.objects.exists()


@pytest.mark.django_db
def test_an_alarm_comes_after_eight_days_without_a_good_restore(settings: Settings) -> None:
    settings.BACKUP_TOOL = "pgbackrest"
    tasks.watch_safety()
    run("restore", 7.9)
    run("restore", 1, "no room")
    tasks.watch_safety()
    assert not Alarm.objects.filter(kind="backup_unproved").exists()
    # Rows are never changed: of another installation, which stopped longer ago.
    with pytest.MonkeyPatch.context() as patch:
        later = timezone.now() + DAY / 2
        patch.setattr(timezone, "now", lambda: later)
        tasks.watch_safety()
    (alarm,) = Alarm.objects.filter(kind="backup_unproved")
    assert alarm.subject == "overdue"
    assert "No restore of a backup has succeeded for 8 days" in alarm.message


@pytest.mark.django_db
def test_what_was_tried_is_never_rewritten() -> None:
    run("restore", 1, "not good")
    for work in (
        lambda: BackupRun.objects.update(fault=""),
        lambda: BackupRun.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            work()


def test_the_task_has_a_queue_of_its_own() -> None:
    route = app.amqp.router.route({}, "settlement.tasks.keep_backups")
    assert route["queue"].name == "backups"


# --- retention and the log ----------------------------------------------------------------------


def test_the_newest_before_the_first_moment_stays() -> None:
    backups = [backup(days, str(days)) for days in (30, 20, 13, 1)]
    assert outdated(backups, timezone.now() - 14 * DAY) == backups[:1]
    assert outdated(backups[1:], timezone.now() - 14 * DAY) == []
    assert outdated([], timezone.now()) == []


def test_segments_are_counted() -> None:
    assert before("000000020000000100000000", MEGABYTES_16) == "0000000200000000000000FF"
    assert before("000000010000000000000002", MEGABYTES_16) == "000000010000000000000001"
    assert before("000000010000000000000001", MEGABYTES_16) is None
    assert lsn("1/2A") == (1 << 32) + 42
    assert is_before("000000070000000000000001", lsn("0/2000000"), MEGABYTES_16)
    assert not is_before("000000010000000000000001", lsn("0/1FFFFFF"), MEGABYTES_16)


def test_the_aim_of_an_earlier_restore_is_gone(tmp_path: Path) -> None:
    """A backup of a server that was restored itself says where that stopped."""
    file = tmp_path / "postgresql.auto.conf"
    file.write_text(
        "work_mem = '8MB'\nrecovery_target_time = '2026-01-01'\n"
        "recovery_target_inclusive = 'off'\nrestore_command = 'true'\n"
    )
    aim(tmp_path, Target())
    assert file.read_text().splitlines() == [
        "work_mem = '8MB'",
        "restore_command = 'true'",
        "recovery_target_timeline = 'latest'",
        "recovery_target_action = 'promote'",
    ]


def test_a_strange_folder_names_no_program(tmp_path: Path) -> None:
    """In /tmp somebody else may have made it."""
    (tmp_path / "PG_VERSION").write_text("../../../tmp/theirs\n")
    with pytest.raises(BackupFault, match="is no data directory"):
        major_of(tmp_path)
    assert is_ours(tmp_path)


# --- page and check-up --------------------------------------------------------------------------

FACTS: dict[str, Any] = {
    "made_at": "2026-11-27T03:00:00+00:00",
    "target": "2026-11-27T03:59:12+00:00",
    "size": 57_546_908,
    "steps": [{"step": "verify", "seconds": 12.34}],
    "systems": [{"system": "main", "live_block": 1234, "restored_block": 1231, "blocks_behind": 3}],
}


@pytest.mark.django_db
def test_the_page_says_what_is_missing(settings: Settings) -> None:
    ClaimHouse()
    page = page_of("hana", "/set-up/backups/")
    assert "The console makes no backups here" in page
    assert "No restore was tried yet" in page
    settings.BACKUP_TOOL = "basebackup"
    run("restore", 9)
    run("base", 0, "BACKUP_URL names no server")
    page = page_of("hana", "/set-up/backups/")
    assert "No restore has succeeded for more than eight days." in page
    assert "Of the last base backup: BACKUP_URL names no server" in page


@pytest.mark.django_db
def test_the_page_shows_trials_and_what_is_kept(settings: Settings) -> None:
    ClaimHouse()
    settings.BACKUP_TOOL = "basebackup"
    row = {"name": "20261127T030000Z", "ended_at": FACTS["made_at"], "size": 5_184_984}
    run("base", 0.2, kept=[row])
    run("restore", 8.5, "pg_verifybackup failed: checksum mismatch", **{**FACTS, "target": None})
    run("restore", 0.1, **FACTS)
    page = page_of("hana", "/set-up/backups/")
    for text in (
        "3 blocks",
        "54.9 MB",
        "3 min",
        "pg_verifybackup failed: checksum mismatch",
        "End of the base backup",
        "main 1,234 1,231 3",
        "Verifier 12.3",
        "4.9 MB",
    ):
        assert text in page, text
    assert "Backups" in page_of("hana", "/set-up/")


@pytest.mark.django_db
def test_only_who_sets_up_opens_the_page() -> None:
    ClaimHouse()
    for name in ("sione", "mere", "ines", "nobody"):
        assert logged_in(name).get("/set-up/backups/").status_code == 403


@pytest.mark.django_db
def test_the_check_up_says_what_is_wrong(settings: Settings) -> None:
    ClaimHouse()
    assert check_up.backup_tool(NOTHING).state == State.ATTENTION
    assert check_up.base_backup(NOTHING).state == State.UNSEEN
    assert check_up.restore(NOTHING).state == State.UNSEEN
    settings.BACKUP_TOOL = "basebackup"
    assert check_up.backup_tool(NOTHING).state == State.GOOD
    assert check_up.base_backup(NOTHING).state == State.WRONG
    assert check_up.restore(NOTHING).state == State.ATTENTION
    run("base", 1)
    run("restore", 1)
    assert check_up.base_backup(NOTHING).state == State.GOOD
    assert check_up.restore(NOTHING).state == State.GOOD
    run("restore", 0, "Block 7 of main is another one.")
    assert check_up.restore(NOTHING).state == State.WRONG
    assert "Block 7 of main" in check_up.restore(NOTHING).finding


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("mode", "archived_s", "failed_s", "state"),
    [
        ("off", None, None, State.WRONG),
        ("on", 30, None, State.GOOD),
        ("on", 30, 90, State.GOOD),
        ("on", 90, 30, State.WRONG),
        ("on", None, 30, State.WRONG),
        ("on", 3600, None, State.ATTENTION),
        ("on", None, None, State.ATTENTION),
    ],
)
def test_the_check_up_looks_at_the_archive(
    mode: str, archived_s: int | None, failed_s: int | None, state: State, settings: Settings
) -> None:
    settings.BACKUP_TOOL = "basebackup"

    def ago(seconds: int | None) -> dt.datetime | None:
        return None if seconds is None else timezone.now() - dt.timedelta(seconds=seconds)

    facts = {"mode": mode, "archived": ago(archived_s), "failed": ago(failed_s)}
    assert check_up.archive(facts).state == state
    assert check_up.look()["mode"] in ("on", "off")
