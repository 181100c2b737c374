"""Which migrations the last release has: those that come after it must let it go on working.

`python -m release.baseline` writes the list, just before a release.
"""

from __future__ import annotations

import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
FILE = "release/migrations.txt"
APPS = ("tables", "jackpot", "settlement")


def present(project: Path = PROJECT) -> list[str]:
    """Every migration of the console now, `app name`."""
    return [
        f"{app} {path.stem}"
        for app in APPS
        for path in sorted((project / app / "migrations").glob("[0-9]*.py"))
    ]


def released(project: Path = PROJECT) -> list[str] | None:
    """Those of the last release; None: there was none."""
    file = project / FILE
    return file.read_text().split("\n")[:-1] if file.exists() else None


def main(project: Path = PROJECT) -> None:
    names = present(project)
    (project / FILE).write_text("".join(f"{name}\n" for name in names))
    sys.stdout.write(f"{len(names)} migrations stand in {FILE}: commit it.\n")


if __name__ == "__main__":
    main()
