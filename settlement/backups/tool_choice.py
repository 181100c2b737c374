"""The backup tool that the settings name."""

from __future__ import annotations

from django.conf import settings

from settlement.backups.basebackup import BaseBackup
from settlement.backups.pgbackrest import PgBackRest
from settlement.backups.programs import BackupFault
from settlement.backups.tool import Tool

_TOOLS: dict[str, type[Tool]] = {"basebackup": BaseBackup, "pgbackrest": PgBackRest}


def is_chosen() -> bool:
    """Whether the console makes or proves backups at all."""
    return settings.BACKUP_TOOL in _TOOLS


def tool() -> Tool:
    """BackupFault where none is chosen."""
    if not is_chosen():
        raise BackupFault(
            "BACKUP_TOOL is none: set it to basebackup or pgbackrest, as docs/operations.md says."
        )
    return _TOOLS[settings.BACKUP_TOOL]()
