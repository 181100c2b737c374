"""The unprivileged account that servers run under when the installation is run by root.

PostgreSQL refuses to run as root, and a broker need not. Everybody else runs the servers
under their own account, and nothing here applies.
"""

import hashlib
import os
import pwd
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

NAME = "nobody"
_STAND_INS = Path("/var/tmp")  # noqa: S108 - only ever used with an owner check, see stand_in


class AccountError(RuntimeError):
    """The unprivileged account cannot be used; the message says what to do."""


@dataclass(frozen=True)
class Account:
    """A user and group of this machine, by number."""

    uid: int
    gid: int


def service_account() -> Account | None:
    """The account servers must be switched to, or None when we are not root."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(NAME)
    except KeyError:
        raise AccountError(
            f"PostgreSQL does not run as root, and this machine has no user '{NAME}' to run it"
            " under. Run as an ordinary user, or name a running server in DATABASE_URL."
        ) from None
    return Account(entry.pw_uid, entry.pw_gid)


def can_enter(account: Account, directory: Path) -> bool:
    """Whether the account can reach this directory, found out by trying."""
    tried = subprocess.run(
        ["/bin/sh", "-c", 'cd -- "$1"', "sh", str(directory)],
        user=account.uid,
        group=account.gid,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        check=False,
    )
    return tried.returncode == 0


def home_for(directory: Path, account: Account | None) -> Path:
    """The directory in which a server's files live: the given one where that can work.

    A project below a private directory such as /root cannot be reached by the unprivileged
    account. Opening the parents to the world would be wrong, so then a stand-in is used:
    `/var/tmp/jackpot-<hash of the wanted path>`, always the same for the same path.
    """
    directory = directory.resolve()
    directory.mkdir(parents=True, exist_ok=True)
    if account is None:
        directory.chmod(0o700)
        return directory
    directory.chmod(0o711)  # the account passes through, and cannot list
    return directory if can_enter(account, directory) else stand_in(directory)


def stand_in(directory: Path) -> Path:
    """The stand-in for a directory that the account cannot reach, made if missing."""
    path = _stand_in_of(directory)
    path.mkdir(mode=0o711, exist_ok=True)
    status = path.lstat()
    # Anybody may create names in there: use nothing that somebody else put in our way.
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        raise AccountError(f"{path} belongs to somebody else: remove it and start again.")
    path.chmod(0o711)
    return path


def forget(directory: Path) -> None:
    """Remove a stand-in of this directory, if there is one and it is ours."""
    path = _stand_in_of(directory)
    if path.is_dir() and not path.is_symlink() and path.stat().st_uid == os.geteuid():
        shutil.rmtree(path)


def _stand_in_of(directory: Path) -> Path:
    digest = hashlib.sha256(str(directory.resolve()).encode()).hexdigest()[:16]
    return _STAND_INS / f"jackpot-{digest}"
