"""A private PostgreSQL on a restored data directory: nobody but this process reaches it.

It listens on a socket in a folder that is closed to everybody else, archives nothing and knows no
other server; what it runs on is thrown away.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg

from settlement.backups import programs
from settlement.backups.programs import BackupFault

_MOST_S = 24 * 3600.0  # that a recovery may take
_LOOK_S = 0.1
_SETTINGS = """\
listen_addresses = ''
unix_socket_directories = '{home}'
unix_socket_permissions = 0700
hba_file = '{home}/pg_hba.conf'
timezone = 'UTC'
hot_standby = off
max_connections = 20
archive_mode = off
autovacuum = off
fsync = off
log_min_error_statement = panic
log_error_verbosity = terse
"""
_OF_RECOVERY = ("restore_command", "recovery_target")


@contextmanager
def running(home: Path, owner: str, database: str) -> Iterator[str]:
    """Start it on `home/data`, wait until it has recovered, and stop it at the end.

    Gives the address of its database, as this role. BackupFault with the server's last words where
    it did not come up.
    """
    data = home / "data"
    (home / "pg_hba.conf").write_text("local all all trust\n")
    (home / "postgresql.conf").write_text(_SETTINGS.format(home=home))
    _keep_settings_of_recovery(data / "postgresql.auto.conf")
    control: list[str | Path] = [_control(data), "--pgdata", data]
    log = home / "server.log"
    options = ["--log", str(log), "--options", f"-c config_file={home}/postgresql.conf"]
    url = f"postgresql://{quote(owner)}@/{quote(database)}?host={quote(str(home), safe='')}"
    try:
        programs.run([*control, "--wait", *options, "start"])
        until = time.monotonic() + _MOST_S
        while not _is_up(url):  # to pg_ctl a server that still recovers has started
            programs.run([*control, "status"])
            if time.monotonic() > until:
                raise BackupFault(f"PostgreSQL recovers for more than {_MOST_S} s.")
            time.sleep(_LOOK_S)
    except BackupFault as fault:
        text = log.read_text(errors="replace") if log.is_file() else str(fault)
        raise BackupFault(f"PostgreSQL did not recover: {programs.last_words(text)}") from fault
    try:
        yield url
    finally:
        stop(data)


def _is_up(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


def _control(data: Path) -> Path:
    return programs.postgres("pg_ctl", programs.major_of(data))


def stop(data: Path) -> None:
    """Stop a server on this data directory, if one runs."""
    if (data / "PG_VERSION").is_file():
        control = _control(data)
        programs.run([control, "--pgdata", data, "--mode", "fast", "stop"], is_judged=False)


def _keep_settings_of_recovery(file: Path) -> None:
    """What ALTER SYSTEM said on the server of old is about that server."""
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(each for each in lines if each.startswith(_OF_RECOVERY)))
