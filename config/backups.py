"""Settings of backups: which tool makes and restores them, where, how often, and for how long."""

import environ

env = environ.Env()
# basebackup: PostgreSQL's own programs; pgbackrest; none: the house backs up by other means.
BACKUP_TOOL = env("BACKUP_TOOL", default="none")
if BACKUP_TOOL not in ("none", "basebackup", "pgbackrest"):
    raise environ.ImproperlyConfigured(
        f"BACKUP_TOOL is basebackup, pgbackrest or none, not {BACKUP_TOOL!r}."
    )
# Of basebackup: folder with base backups in base/ and the archive in wal/, on another machine.
BACKUP_DIR = env("BACKUP_DIR", default="")
# Who may copy the server's files, or a file with it: postgresql://jackpot_backup:...@host:5432
BACKUP_URL = env("BACKUP_URL", default="")
BACKUP_URL_FILE = env("BACKUP_URL_FILE", default="")
BACKUP_EVERY_H = env.float("BACKUP_EVERY_H", default=24.0)  # 0: somebody else makes them
BACKUP_DAYS = env.int("BACKUP_DAYS", default=14)  # so far back any moment can be restored
# Where a restore is tried: room for the whole database once more.
BACKUP_WORK_DIR = env("BACKUP_WORK_DIR", default="")
BACKUP_PG_BIN = env("BACKUP_PG_BIN", default="")  # PostgreSQL's programs, where they are not found
PGBACKREST_STANZA = env("PGBACKREST_STANZA", default="jackpot")

__all__ = [
    "BACKUP_DAYS",
    "BACKUP_DIR",
    "BACKUP_EVERY_H",
    "BACKUP_PG_BIN",
    "BACKUP_TOOL",
    "BACKUP_URL",
    "BACKUP_URL_FILE",
    "BACKUP_WORK_DIR",
    "PGBACKREST_STANZA",
]
