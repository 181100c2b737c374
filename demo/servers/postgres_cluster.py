"""The files of a private PostgreSQL: made once, and found again after a crash."""

import os
import shutil
import subprocess
from pathlib import Path

from demo.servers.account import Account
from demo.servers.postgres_binaries import Binaries

# Nothing of our own environment, and messages in English for whoever reads the log.
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "LANG": "C"}


class PostgresError(RuntimeError):
    """The private PostgreSQL cannot be used; the message says why and what to do."""


def create(
    home: Path, binaries: Binaries, account: Account | None, user: str, password: str
) -> None:
    """Make the cluster `home/data`, unless it is there.

    Raises PostgresError when it was made by another major version.
    """
    data = home / "data"
    if data.exists():
        made_by = int((data / "PG_VERSION").read_text())
        if made_by != binaries.major:
            raise PostgresError(
                f"{data} was made by PostgreSQL {made_by}, and {binaries.bin} is"
                f" {binaries.major}. Set JACKPOT_PG_BIN to a PostgreSQL {made_by},"
                " or `make demo-reset` starts afresh."
            )
        return
    # Under another name until it is complete: a killed initdb leaves nothing that is believed.
    unfinished, password_file = home / "data.unfinished", home / "initial-password"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    password_file.unlink(missing_ok=True)
    password_file.touch(mode=0o600, exist_ok=False)
    password_file.write_text(password)
    if account is not None:
        os.chown(unfinished, account.uid, account.gid)
        os.chown(password_file, account.uid, account.gid)
    try:
        _initdb(home, binaries, account, user, unfinished, password_file)
    finally:
        password_file.unlink()
    unfinished.rename(data)


def _initdb(
    home: Path,
    binaries: Binaries,
    account: Account | None,
    user: str,
    data: Path,
    password_file: Path,
) -> None:
    initdb = subprocess.run(
        [
            *(binaries.initdb, "--pgdata", data, "--username", user),
            *("--pwfile", password_file, "--auth", "scram-sha-256"),
            *("--encoding", "UTF8", "--locale", "C", "--data-checksums"),
            "--no-sync",  # nothing is lost when a machine dies during its first seconds
        ],
        env=ENVIRONMENT,
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )
    if initdb.returncode != 0:
        raise PostgresError(f"initdb failed:\n{initdb.stdout}{initdb.stderr}")


def clear_the_way(home: Path) -> None:
    """Take away a lock file that a crash left and that PostgreSQL itself would believe.

    PostgreSQL sees that the process named in it is gone, but takes any other process that
    has got its number since for a server. Raises PostgresError when a server really runs.
    """
    lock = home / "data" / "postmaster.pid"
    try:
        lines = lock.read_text().splitlines()
    except FileNotFoundError:
        return
    pid = int(lines[0]) if lines and lines[0].strip().isdigit() else 0
    if pid and _is_server_of(pid, home / "data"):
        port = lines[3].strip() if len(lines) > 3 else "unknown"
        raise PostgresError(
            f"A PostgreSQL already runs on {home / 'data'}: process {pid}, port {port}."
            " Stop the demo that started it (Ctrl-C in its terminal) first."
        )
    if pid and _exists(pid):
        lock.unlink(missing_ok=True)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _is_server_of(pid: int, data: Path) -> bool:
    """Whether this process is a PostgreSQL server on these files."""
    process = Path("/proc") / str(pid)
    try:
        if not Path("/proc/self").exists():  # macOS
            listing = subprocess.run(
                ["/bin/ps", "-p", str(pid), "-o", "command="],
                capture_output=True,
                text=True,
                check=False,
            )
            return "postgres" in listing.stdout and str(data) in listing.stdout
        words = (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False  # it is gone
    return b"postgres" in Path(os.fsdecode(words[0])).name.encode() and (
        os.fsencode(str(data)) in words
    )
