"""Base backups by pg_basebackup, and the archive that deploy/archive_wal.sh fills.

    BACKUP_DIR/base/20261127T030000Z/   base.tar.gz, pg_wal.tar.gz, backup_manifest
    BACKUP_DIR/wal/                     000000010000000000000042.gz

A base backup is named after its end, which a copy of the folder keeps. What has `.part` in its
name, or no manifest, is not complete.
"""

from __future__ import annotations

import datetime as dt
import gzip
import json
import shlex
import shutil
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.utils import timezone

from settlement.backups import programs, wal
from settlement.backups.programs import BackupFault
from settlement.backups.tool import Backup, outdated
from tables.process.secret_files import with_files

_NAME = "%Y%m%dT%H%M%SZ"
_UNFINISHED = ".part"
_SECOND = dt.timedelta(seconds=1)  # names leave out what is less


class BaseBackup:
    """PostgreSQL's own programs."""

    name = "basebackup"

    def back_up(self) -> Backup:
        folder = _folder("base")
        with programs.alone(folder / ".lock", "base backup"):
            return self._back_up(folder)

    def _back_up(self, folder: Path) -> Backup:
        for left in folder.glob(f"*{_UNFINISHED}"):  # of one that was broken off
            shutil.rmtree(left)
        unfinished = folder / f"new{_UNFINISHED}"
        address, secret = _source()
        programs.run(
            [
                *(programs.postgres("pg_basebackup"), "--dbname", address, "--no-password"),
                *("--pgdata", unfinished, "--format", "tar", "--gzip", "--wal-method", "stream"),
                *("--checkpoint", "fast", "--manifest-checksums", "SHA256"),
            ],
            secret,
        )
        path = folder / (timezone.now() + _SECOND).strftime(_NAME)
        unfinished.rename(path)
        return _backup(path)

    def backups(self) -> list[Backup]:
        folders = sorted(each.parent for each in _folder("base").glob("*/backup_manifest"))
        return [_backup(each) for each in folders if each.suffix != _UNFINISHED]

    def remove_outdated(self) -> list[str]:
        backups = self.backups()
        going = outdated(backups, timezone.now() - dt.timedelta(days=settings.BACKUP_DAYS))
        for each in going:
            folder = _folder("base") / each.name
            shutil.rmtree(folder.rename(folder.with_suffix(_UNFINISHED)))
        if backups:
            _remove_segments_before(backups[len(going)])
        return [each.name for each in going]

    def newest_segment(self) -> str:
        names = (each.name.removesuffix(".gz") for each in _folder("wal").glob("*.gz"))
        return max((name for name in names if wal.SEGMENT.fullmatch(name)), default="")

    def restore(self, backup: Backup, into: Path) -> None:
        folder = _folder("base") / backup.name
        for archive, place in (("base", into), ("pg_wal", into / "pg_wal")):
            file = folder / f"{archive}.tar.gz"
            programs.run(["tar", "--extract", "--gzip", "--file", file, "--directory", place])
        major = programs.major_of(into)
        programs.run(
            [
                *(programs.postgres("pg_verifybackup", major), "--no-parse-wal"),
                *("--manifest-path", folder / "backup_manifest", into),
            ]
        )
        (into / "standby.signal").unlink(missing_ok=True)  # of a backup of a standby
        with (into / "postgresql.auto.conf").open("a") as settings_file:
            settings_file.write(f"restore_command = '{_restore_command()}'\n")
        (into / "recovery.signal").touch()
        programs.give(into / "recovery.signal")

    def fetch_segment(self, name: str, data: Path) -> Path:
        file = _folder("wal") / f"{name}.gz"
        if not file.is_file():
            raise BackupFault(f"The archive lacks {name}: nothing behind it can be restored.")
        segment = data.parent / name
        try:
            with gzip.open(file) as source, segment.open("wb") as target:
                shutil.copyfileobj(source, target)
        except (OSError, EOFError, zlib.error) as fault:
            raise BackupFault(f"{name} of the archive cannot be read: {fault}") from fault
        return segment


def _restore_command() -> str:
    """For PostgreSQL; `test` lets it know what is missing from what is broken."""
    file = shlex.quote(str(_folder("wal"))).replace("%", "%%") + "/%f.gz"
    return f'test -f {file} && gzip -dc {file} > "%p"'.replace("'", "''")


def _folder(name: str) -> Path:
    """base/ or wal/ of BACKUP_DIR; made where it is missing."""
    if not settings.BACKUP_DIR:
        raise BackupFault("BACKUP_DIR names no folder: set it, best on another machine's disk.")
    folder = Path(settings.BACKUP_DIR).absolute() / name
    if not folder.is_dir():
        try:
            programs.make_folder(folder)
        except OSError as fault:
            raise BackupFault(f"{folder} cannot be made: {fault}") from fault
    return folder


def _source() -> tuple[str, dict[str, str]]:
    """Where the server is, without the password, and the password for its environment: arguments of
    programs can be read by everybody on the machine."""
    names = ("BACKUP_URL", "BACKUP_URL_FILE")
    address = with_files({each: getattr(settings, each) for each in names}, names[:1])["BACKUP_URL"]
    if not address:
        raise BackupFault(
            "BACKUP_URL names no server: postgresql://jackpot_backup:password@host:5432, a role"
            " with REPLICATION (deploy/roles.sh makes it)."
        )
    url = urlsplit(address)
    host = url.netloc.rpartition("@")[2]
    open_address = url._replace(netloc=f"{url.username or ''}@{host}").geturl()
    return open_address, {"PGPASSWORD": unquote(url.password or "")}


def _backup(folder: Path) -> Backup:
    try:
        manifest: dict[str, Any] = json.loads((folder / "backup_manifest").read_bytes())
        ranges = manifest["WAL-Ranges"]
        start, stop = wal.lsn(ranges[0]["Start-LSN"]), wal.lsn(ranges[-1]["End-LSN"])
        ended_at = dt.datetime.strptime(folder.name, _NAME).replace(tzinfo=dt.UTC)
    except (OSError, ValueError, LookupError) as fault:
        raise BackupFault(f"{folder} is no base backup: {fault}") from fault
    size = sum(each.stat().st_size for each in folder.iterdir())
    return Backup(folder.name, ended_at, size, start, stop)


def _remove_segments_before(oldest: Backup) -> None:
    """Segments of any timeline that end before the oldest base backup begins."""
    for file in _folder("wal").glob("*.gz"):
        name = file.name.removesuffix(".gz")
        if wal.SEGMENT.fullmatch(name) and wal.is_before(name, oldest.start_lsn, _size(file)):
            file.unlink()


def _size(archive: Path) -> int:
    """Of the segment in it: gzip writes that at the end."""
    with archive.open("rb") as file:
        file.seek(-4, 2)
        return int.from_bytes(file.read(4), "little")
