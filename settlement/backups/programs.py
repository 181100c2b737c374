"""PostgreSQL's and pgBackRest's programs: where they are, and how they are run."""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings

_LAST_LINES = 12
# Of the environment they get these and what the caller adds: none of the console's secrets.
_PASSED_ON = ("PATH", "HOME", "PGHOST", "PGPORT", "PGUSER", "PGPASSFILE", "PGSSLROOTCERT")
ACCOUNTS = ("postgres", "nobody")


class BackupFault(Exception):
    """A backup could not be made, read or restored; the message says why, and what to do."""


class AtWorkError(BackupFault):
    """Another process does the same just now."""


def postgres(name: str, major: str = "") -> Path:
    """One of PostgreSQL's programs, of this major version where one is named."""
    places = [Path(settings.BACKUP_PG_BIN)] if settings.BACKUP_PG_BIN else _places(major)
    for place in places:
        if os.access(place / name, os.X_OK):
            return place / name
    raise BackupFault(
        f"There is no {name}{f' of PostgreSQL {major}' if major else ''} here: install"
        " PostgreSQL's server and client programs, or let BACKUP_PG_BIN name their folder."
    )


def major_of(data: Path) -> str:
    """Of which major version of PostgreSQL a data directory is."""
    text = (data / "PG_VERSION").read_text().strip()
    if not text.isdecimal():
        raise BackupFault(f"{data} is no data directory: its PG_VERSION says {text[:20]!r}.")
    return text


def _places(major: str) -> list[Path]:
    debian = sorted(
        Path("/usr/lib/postgresql").glob(f"{major or '*'}/bin"),
        key=lambda each: int(each.parent.name) if each.parent.name.isdigit() else 0,
        reverse=True,
    )
    return [*debian, *map(Path, os.get_exec_path())]


def run(
    argv: Sequence[str | Path], env: Mapping[str, str] | None = None, *, is_judged: bool = True
) -> str:
    """What the program printed. BackupFault with its last words where it failed and
    `is_judged`."""
    name = Path(argv[0]).name
    try:
        process = subprocess.run(
            [str(each) for each in argv],
            env=environment(env),
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            **identity(),
        )
    except OSError as fault:
        raise BackupFault(f"{name} cannot be run: {fault}") from fault
    if is_judged and process.returncode != 0:
        raise BackupFault(f"{name} failed: {last_words(process.stdout + process.stderr)}")
    return process.stdout


def environment(added: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a program gets: its words in English, its times in UTC."""
    passed_on = {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED_ON or name.startswith("PGBACKREST_")
    }
    return {**passed_on, "LC_ALL": "C", "TZ": "UTC", **(added or {})}


def account() -> pwd.struct_passwd | None:
    """PostgreSQL does not run as root: under whom its programs run then, else None."""
    if os.geteuid() != 0:
        return None
    for name in ACCOUNTS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise BackupFault("PostgreSQL does not run as root: run this as another user.")


def identity() -> dict[str, Any]:
    """How subprocess is notified of the account."""
    entry = account()
    if entry is None:
        return {}
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def make_folder(path: Path) -> None:
    """A new folder that is the programs' own, closed to everybody else."""
    path.mkdir(mode=0o700)
    give(path)


def give(path: Path) -> None:
    """Let a file or folder that root made be the account's."""
    if (entry := account()) is not None:
        os.chown(path, entry.pw_uid, entry.pw_gid)


def is_ours(path: Path) -> bool:
    """Whether this process or the account of PostgreSQL's programs made it."""
    entry = account()
    return path.lstat().st_uid in {os.geteuid(), os.geteuid() if entry is None else entry.pw_uid}


@contextmanager
def alone(lock: Path, work: str) -> Iterator[None]:
    """Hold this file, so that nobody on the machine does the same. AtWorkError where one does."""
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            raise AtWorkError(f"Another {work} is at work.") from fault
        yield


def last_words(text: str) -> str:
    """The end of what a program said, as one line."""
    return " / ".join(line.strip() for line in text.splitlines()[-_LAST_LINES:] if line.strip())


def need(program: str, package: str) -> str:
    """A program of this machine. BackupFault, with the package that has it, where there is none."""
    if path := shutil.which(program):
        return path
    raise BackupFault(f"There is no {program} here: install {package}.")
