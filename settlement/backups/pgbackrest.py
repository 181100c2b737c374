"""pgBackRest: repositories, their retention and where they are stand in its own configuration.

It runs where it may read PostgreSQL's files, or reaches its own server there; docs/operations.md.
"""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

from django.conf import settings

from settlement.backups import programs, wal
from settlement.backups.programs import BackupFault
from settlement.backups.tool import Backup


class PgBackRest:
    """Everything by `pgbackrest --stanza=PGBACKREST_STANZA`."""

    name = "pgbackrest"

    def back_up(self) -> Backup:
        """It removes what is outdated afterwards, by its own `repo-retention`."""
        _run("backup", "--type=full", "--start-fast")
        return self.backups()[-1]

    def backups(self) -> list[Backup]:
        rows = [_backup(each) for each in _stanza()["backup"] if not each.get("error")]
        return sorted(rows, key=lambda each: each.ended_at)

    def remove_outdated(self) -> list[str]:
        """By time, so that BACKUP_DAYS says it once for either tool."""
        before = {each.name for each in self.backups()}
        _run("expire", "--repo1-retention-full-type=time", f"--repo1-retention-full={_days()}")
        return sorted(before - {each.name for each in self.backups()})

    def newest_segment(self) -> str:
        """Of the newest cluster: after an upgrade the stanza has that of before, too."""
        archives = sorted(_stanza()["archive"], key=lambda each: int(each["database"]["id"]))
        return (archives[-1]["max"] or "") if archives else ""

    def restore(self, backup: Backup, into: Path) -> None:
        """It compares each file with its checksum. Whether the server archives is left as it was:
        after a disaster it must, and the trial's own settings say that it does not."""
        _run("restore", f"--pg1-path={into}", f"--set={backup.name}")

    def fetch_segment(self, name: str, data: Path) -> Path:
        """It asks the data directory which server's archive that is."""
        _run("archive-get", f"--pg1-path={data}", name, str(data.parent / name))
        return data.parent / name


def _days() -> int:
    return max(int(settings.BACKUP_DAYS), 1)


def _run(*arguments: str) -> str:
    program = programs.need("pgbackrest", "the package pgbackrest")
    return programs.run([program, f"--stanza={settings.PGBACKREST_STANZA}", *arguments])


def _stanza() -> dict[str, Any]:
    """What its repositories hold of this stanza. BackupFault where they have none."""
    stanzas: list[dict[str, Any]] = json.loads(_run("info", "--output=json"))
    for each in stanzas:
        if each["name"] == settings.PGBACKREST_STANZA and each["db"]:
            return each
    raise BackupFault(
        f"pgBackRest knows no stanza {settings.PGBACKREST_STANZA}: make it by"
        f" pgbackrest --stanza={settings.PGBACKREST_STANZA} stanza-create."
    )


def _backup(backup: dict[str, Any]) -> Backup:
    return Backup(
        backup["label"],
        dt.datetime.fromtimestamp(backup["timestamp"]["stop"], dt.UTC),
        backup["info"]["repository"]["size"],
        wal.lsn(backup["lsn"]["start"]),
        wal.lsn(backup["lsn"]["stop"]),
    )
