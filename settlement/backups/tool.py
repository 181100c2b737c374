"""What a backup tool does for the console."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class Backup:
    """A base backup that is complete. `start_lsn`, `stop_lsn`: positions in the write-ahead log
    between which it was made."""

    name: str
    ended_at: dt.datetime
    size: int  # bytes, as it is kept
    start_lsn: int
    stop_lsn: int


@dataclass(frozen=True)
class Target:
    """How far a restored server recovers: to just before the first commit of the moment `at`;
    without one to the end of the archive, or of the backup alone (`is_backup_alone`)."""

    at: dt.datetime | None = None
    is_backup_alone: bool = False


class Tool(Protocol):
    """Adapter of a backup tool. Each method raises BackupFault, with what to do."""

    name: str

    def back_up(self) -> Backup:
        """Make a base backup."""

    def backups(self) -> list[Backup]:
        """What is kept, the oldest first."""

    def remove_outdated(self) -> list[str]:
        """Remove what is not needed to restore any moment of the last BACKUP_DAYS; the names of the
        base backups that went."""

    def newest_segment(self) -> str:
        """The newest segment of the archive; empty where it has none."""

    def restore(self, backup: Backup, into: Path) -> None:
        """Make a data directory in the empty folder, each file checked against the backup's
        checksums; a server that starts on it recovers as far as the archive leads."""

    def fetch_segment(self, name: str, data: Path) -> Path:
        """One segment of the archive as a file beside this restored data directory."""


def aim(data: Path, target: Target) -> None:
    """Let the server that starts on a restored data directory stop there, and go on from there.
    What a restore before the backup aimed at does not hold any more."""
    recovery = {"recovery_target_timeline": "latest", "recovery_target_action": "promote"}
    if target.is_backup_alone:
        recovery["recovery_target"] = "immediate"
    elif target.at is not None:
        recovery["recovery_target_time"] = target.at.astimezone(dt.UTC).isoformat(" ")
        recovery["recovery_target_inclusive"] = "off"
    file = data / "postgresql.auto.conf"
    lines = [
        line for line in file.read_text().splitlines() if not line.startswith("recovery_target")
    ]
    lines += [f"{name} = '{value}'" for name, value in recovery.items()]
    file.write_text("\n".join(lines) + "\n")


def outdated(backups: list[Backup], keep_from: dt.datetime) -> list[Backup]:
    """Backups, the oldest first, that no moment since `keep_from` is restored from."""
    before = [each for each in backups if each.ended_at <= keep_from]
    return before[:-1]
