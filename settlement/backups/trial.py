"""A restore trial: the newest backup is restored beside the house and must hold what it should.

It asks the live database what to compare and speaks to nobody else: no broker, no queue. What is
restored lives in a folder of its own, which is thrown away.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from django.utils import timezone

from jackpot.models import Block, Head
from settlement.backups import programs, restored_database, wal
from settlement.backups.programs import BackupFault
from settlement.backups.tool import Backup, Target, Tool, aim
from tables.models import JackpotSystem

# What stood in the order so long before the moment that is restored was committed by then, too.
COMMITTED_WITHIN = dt.timedelta(seconds=60)
# And what is older than this must be in the archive: a disaster takes what is not.
ARCHIVED_WITHIN = dt.timedelta(minutes=15)
# PostgreSQL archives a base backup's end some moments after it; before that a new archive is empty.
FIRST_SEGMENT_WITHIN = dt.timedelta(seconds=60)
BY = "restore trial"  # who begins the era, on the copy
_PREFIX = "jackpot-restore-"
_FINDINGS_NAMED = 5
_HEADS = """
    SELECT s.code, h.block_number, h.block_hash FROM tables_jackpotsystem s
    JOIN jackpot_head h ON h.system_id = s.id
"""
_ERAS = "SELECT count(*) FROM tables_erabegun WHERE begun_by = %s"


@dataclass
class Trial:
    """What was done, and what it showed. `fault`: what does not hold, in words; empty if all does.

    `steps`: name and seconds, in their order. `systems`: of each the code, at which block the live
    order stood and at which the restored one does, and how many seconds lie between them.
    """

    tool: str
    backup: Backup | None = None
    target: dt.datetime | None = None  # None: as far as the backup alone leads
    size: int = 0  # bytes, restored
    steps: list[tuple[str, float]] = field(default_factory=list)
    systems: list[dict[str, Any]] = field(default_factory=list)
    fault: str = ""
    began_at: dt.datetime = field(default_factory=lambda: timezone.now())

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self.steps.append((name, round(time.monotonic() - began, 2)))


def carry_out(tool: Tool) -> Trial:
    """Restore the newest backup up to the last moment that the archive leads to, and look at it.

    What does not hold is in the result. AtWorkError where another trial is at work.
    """
    trial = Trial(tool.name)
    with _folder() as home:
        try:
            _restore_and_look(trial, tool, home)
        except (BackupFault, OSError, psycopg.Error) as fault:
            trial.fault = str(fault).strip()
    return trial


def _restore_and_look(trial: Trial, tool: Tool, home: Path) -> None:
    with trial.step("look"):
        backups = tool.backups()
        if not backups:
            raise BackupFault("There is no base backup yet: make one by manage.py back_up.")
        trial.backup = backups[-1]
        # Before the heads: what came between counts as lost.
        segment = _newest_segment(tool, trial.backup)
        heads = {each.system.code: each for each in Head.objects.select_related("system")}
    if not segment:
        raise BackupFault(
            "The archive is empty: see that archive_mode is on, and what PostgreSQL's log says of"
            " archive_command."
        )
    data = home / "data"
    programs.make_folder(data)
    with trial.step("restore"):
        tool.restore(trial.backup, data)
        trial.size = sum(each.stat().st_size for each in data.rglob("*") if each.is_file())
        trial.target = _last_moment(tool, trial.backup, segment, data)
        aim(data, Target(trial.target, is_backup_alone=trial.target is None))
    with ExitStack() as stack:
        with trial.step("recover"):
            database = str(connection.settings_dict["NAME"])
            url = stack.enter_context(restored_database.running(home, _owner(), database))
        with trial.step("compare"):
            _compare(trial, heads, url)
        with trial.step("verify"):
            _verify(url)
        with trial.step("begin_era"):
            _begin_era(url)


def _newest_segment(tool: Tool, backup: Backup) -> str:
    """Empty where the archive is, although PostgreSQL had time to begin it."""
    while not (segment := tool.newest_segment()):
        if timezone.now() > backup.ended_at + FIRST_SEGMENT_WITHIN:
            break
        time.sleep(0.1)
    return segment


def _last_moment(tool: Tool, backup: Backup, newest: str, data: Path) -> dt.datetime | None:
    """When the last transaction committed of which the archive tells; None where none did behind
    the backup."""
    commit = wal.last_commit(
        newest,
        backup.stop_lsn,
        lambda name: tool.fetch_segment(name, data),
        programs.major_of(data),
    )
    return commit.at if commit else None


def _compare(trial: Trial, live: dict[str, Head], url: str) -> None:
    """Each system's restored order ends with a block of the live one, and misses only what was not
    in the archive yet."""
    with psycopg.connect(url) as copy:
        restored_heads = {code: (number, digest) for code, number, digest in copy.execute(_HEADS)}
    for code, head in sorted(live.items()):
        number, digest = restored_heads.get(code, (0, bytes(32)))
        trial.systems.append(_stand(head, number))
        if (
            number
            and not Block.objects.filter(system=head.system, number=number, hash=digest).exists()
        ):
            raise BackupFault(f"Block {number} of {code} is another one in the restored order.")
        ends = f"The restored order of {code} ends at block {number}, and block"
        if trial.target and (missed := _last_block(head, trial.target - COMMITTED_WITHIN)) > number:
            raise BackupFault(
                f"{ends} {missed} was written a minute before the moment that was restored."
            )
        if (missed := _last_block(head, trial.began_at - ARCHIVED_WITHIN)) > number:
            raise BackupFault(
                f"{ends} {missed} is older than {ARCHIVED_WITHIN.seconds // 60} minutes: the"
                " archive lags. See what PostgreSQL's log says of archive_command, and set"
                " archive_timeout to 60."
            )


def _last_block(head: Head, moment: dt.datetime) -> int:
    """The last block from before this moment; 0 where there is none."""
    before = Block.objects.filter(system=head.system, at__lt=moment)
    return before.order_by("-number").values_list("number", flat=True).first() or 0


def _stand(head: Head, restored_block: int) -> dict[str, Any]:
    """Where live and restored order stand, and what a disaster now would take away."""
    numbers = [head.block_number, restored_block]
    times = dict(
        Block.objects.filter(system=head.system, number__in=numbers).values_list("number", "at")
    )
    behind: float | None = None
    if head.block_number in times and restored_block in times:
        behind = (times[head.block_number] - times[restored_block]).total_seconds()
    return {
        "system": head.system.code,
        "live_block": head.block_number,
        "restored_block": restored_block,
        "blocks_behind": head.block_number - restored_block,
        "seconds_behind": behind,
    }


def _verify(url: str) -> None:
    """The independent verifier, a program of its own, which finds nothing."""
    program = _python(["-m", "verifier", "--database", url, "--running", "--json"], is_judged=False)
    try:
        report = json.loads(program.stdout)
    except ValueError:
        raise BackupFault(f"The verifier: {programs.last_words(program.stderr)}") from None
    findings = report["findings"]
    if program.returncode != 0 or findings:
        sentences = "; ".join(each["says"] for each in findings[:_FINDINGS_NAMED])
        raise BackupFault(f"The verifier finds faults in the restored copy: {sentences}")


def _begin_era(url: str) -> None:
    """As after a disaster, on the copy alone: it asks no broker."""
    arguments = ["manage.py", "begin_era", "--copy", "--by", BY, "--reason", "rehearsal"]
    _python(arguments, {"DATABASE_URL": url})
    with psycopg.connect(url) as copy:
        ((eras,),) = copy.execute(_ERAS, [BY]).fetchall()
    if eras < JackpotSystem.objects.count():
        raise BackupFault("begin_era did not begin an era of every system of the restored copy.")


def _python(
    arguments: list[str], env: dict[str, str] | None = None, *, is_judged: bool = True
) -> subprocess.CompletedProcess[str]:
    """A program of the console's own, in the console's environment."""
    process = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **(env or {})},
        cwd=settings.BASE_DIR,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if is_judged and process.returncode != 0:
        raise BackupFault(f"{' '.join(arguments[:2])}: {programs.last_words(process.stderr)}")
    return process


def _owner() -> str:
    """Whose the database is: the role that restores and begins the era."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()"
        )
        (name,) = cursor.fetchone()
    return str(name)


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder for one trial at a time; what an earlier one left is stopped and removed."""
    place = Path(settings.BACKUP_WORK_DIR or tempfile.gettempdir())
    with programs.alone(place / f"{_PREFIX}lock", "restore trial"):
        for left in place.glob(f"{_PREFIX}*/"):
            if programs.is_ours(left):  # in /tmp anybody may make such a folder
                _remove(left)
        home = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
        programs.give(home)
        try:
            yield home
        finally:
            _remove(home)


def _remove(home: Path) -> None:
    restored_database.stop(home / "data")
    shutil.rmtree(home)
