"""The Pythons of this machine under which the console must run, each with packages of its own.

`make pythons` makes an environment for each that is found; tests take those that are there. A
Python is more than its version: Debian's comes without gdbm, one from source perhaps with no dbm
at all, and the demo has failed by that.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.servers.elsewhere import ELSEWHERE

PROJECT = Path(__file__).resolve().parent.parent
ENVIRONMENTS = PROJECT / ".venv-pythons"
DEBIAN = "debian"
VERSIONS = ("3.11", "3.12", "3.13")
NAMES = (DEBIAN, *VERSIONS)
_REQUIREMENTS = ("requirements.txt", "requirements-demo.txt")
_PROBE = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2], sys.base_prefix)"


def find(name: str) -> Path | None:
    """The interpreter of that name on this machine, if it can make environments."""
    return next((path for path in _places(name) if _version(path) in _versions_of(name)), None)


def others() -> list[str]:
    """Without the interpreter that runs the tests: with that one whole demos stop and start again
    in tests/demo/test_demo_command.py."""
    places = {name: find(name) for name in NAMES}
    return [
        name for name, place in places.items() if not place or _probed(place)[1] != sys.base_prefix
    ]


def prepared(name: str) -> Path:
    """Its Python with the console's packages; skips the test where there is none."""
    if find(name) is None:
        pytest.skip(f"{ELSEWHERE}no Python '{name}' was found")
    python = _environment(name) / "bin" / "python"
    if not _is_current(name):
        pytest.skip(f"Python '{name}' has no packages yet: make pythons")
    return python


def prepare(name: str) -> None:
    """Make its environment, unless there is one with the packages of today."""
    interpreter = find(name)
    if interpreter is None or _is_current(name):
        return
    place = _environment(name)
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run([interpreter, "-m", "venv", place], check=True)
    pip = ("-m", "pip", "--disable-pip-version-check", "--quiet", "--quiet")
    requirements = [part for file in _REQUIREMENTS for part in ("-r", file)]
    install = [str(place / "bin" / "python"), *pip, "install", "--require-hashes", *requirements]
    subprocess.run(install, check=True, cwd=PROJECT)
    _mark(name).write_text(_pins())


@cache
def can_make(python: Path, backend: str) -> bool:
    """Whether this Python has that backend of dbm."""
    with tempfile.TemporaryDirectory() as directory:
        return make_schedule(python, backend, Path(directory) / "schedule")


def make_schedule(python: Path, backend: str, path: Path) -> bool:
    """A schedule file as Celery's own beat keeps it, by that backend; False when it is missing."""
    lines = (
        f"import importlib, shelve; kind = importlib.import_module('dbm.{backend}')",
        f"kept = shelve.Shelf(kind.open({str(path)!r}, 'c'))",
        "kept['entries'] = {}; kept['__version__'] = '5.6.0'; kept.close()",
    )
    process = subprocess.run([python, "-c", "\n".join(lines)], capture_output=True, check=False)
    return process.returncode == 0


def _places(name: str) -> Iterator[Path]:
    if name == DEBIAN:
        yield Path("/usr/bin/python3")
        return
    if path := shutil.which(f"python{name}"):
        yield Path(path)
    yield Path(f"/usr/bin/python{name}")
    yield from sorted((Path.home() / ".pyenv" / "versions").glob(f"{name}.*/bin/python"))


def _versions_of(name: str) -> tuple[str, ...]:
    return VERSIONS if name == DEBIAN else (name,)


def _version(path: Path) -> str:
    return _probed(path)[0]


@cache
def _probed(path: Path) -> tuple[str, str]:
    """Its version and where it was installed; empty where it cannot make environments."""
    if not path.exists():
        return "", ""
    process = subprocess.run([path, "-c", _PROBE], capture_output=True, text=True, check=False)
    version, _, prefix = process.stdout.strip().partition(" ")
    return (version, prefix) if process.returncode == 0 else ("", "")


def _environment(name: str) -> Path:
    return ENVIRONMENTS / name


def _mark(name: str) -> Path:
    return _environment(name) / "installed"


def _is_current(name: str) -> bool:
    return _mark(name).exists() and _mark(name).read_text() == _pins()


@cache
def _pins() -> str:
    return "".join((PROJECT / file).read_text() for file in _REQUIREMENTS)


if __name__ == "__main__":
    for each in others():
        prepare(each)
        place = find(each) or "not here"
        sys.stdout.write(f"{each}: {place}\n")
