"""What must hold before a version is tagged."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from release import baseline

SHAPE = re.compile(r"\d+\.\d+\.\d+(-rc\.\d+)?")
VERSION_FILE = "config/version.py"
CHANGELOG = "CHANGELOG.md"


class NotReady(Exception):
    """The release is not made; the message says what to do."""


def git(project: Path, *arguments: str) -> str:
    """What git says. NotReady where it refuses."""
    process = subprocess.run(
        ["git", *arguments], cwd=project, check=False, capture_output=True, text=True
    )
    if process.returncode:
        raise NotReady(f"git {' '.join(arguments)}: {process.stderr.strip()}")
    return process.stdout.strip()


def faults(project: Path, version: str) -> Iterator[str]:
    """Everything that keeps this version from being released, with what to do."""
    if not SHAPE.fullmatch(version):
        yield f"{version!r} is no version: name one such as 1.0.0 or 1.0.0-rc.1."
        return
    if git(project, "status", "--porcelain"):
        yield "The tree has changes: commit them, or take them back."
    if git(project, "tag", "--list", tag(version)):
        yield f"The tag {tag(version)} exists: a release is made once; take the next number."
    if f'VERSION = "{version}"' not in (project / VERSION_FILE).read_text():
        yield f"{VERSION_FILE} names another version: set VERSION = {version!r} there, and commit."
    if baseline.released(project) != baseline.present(project):
        yield (
            f"{baseline.FILE} has not the migrations of this release: run python -m"
            " release.baseline, and commit. Those that come later must let it go on working."
        )
    if not notes(project, version):
        yield (
            f"{CHANGELOG} has no entry: make the heading ## [{version}] - YYYY-MM-DD from what"
            " stands under Unreleased, and commit."
        )


def notes(project: Path, version: str) -> str:
    """What the changelog says of a version; nothing where it has no entry."""
    text = (project / CHANGELOG).read_text()
    match = re.search(
        rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |\Z)",
        text,
        re.MULTILINE | re.DOTALL,
    )
    return match[1].strip() if match else ""


def tag(version: str) -> str:
    """The name of its tag."""
    return f"v{version}"
