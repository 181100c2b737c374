"""`python -m release 1.0.0`: check, write what belongs to it, tag. It pushes nothing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from release import artifacts, audit, checks

PROJECT = Path(__file__).resolve().parent.parent


def main(arguments: Sequence[str], project: Path = PROJECT) -> int:
    """Exit code 1, and nothing is tagged, where anything is missing."""
    if len(arguments) != 1:
        sys.stderr.write("Name the version: make release VERSION=1.0.0\n")
        return 1
    (version,) = arguments
    build = project / "build"
    try:
        faults = list(checks.faults(project, version))
        for each in faults:
            sys.stderr.write(f"{each}\n")
        if faults or audit.main([]):
            return 1
        bill = artifacts.write_bill(project, version, build)
        (build / "notes.md").write_text(checks.notes(project, version) + "\n")
        words = artifacts.build_image(project, version, build)
        tag = checks.tag(version)
        checks.git(project, "tag", "--annotate", tag, "--message", f"Version {version}")
    except checks.NotReady as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    sys.stdout.write(f"Tagged {tag}; {bill.name} and notes.md are in build/. {words}\n")
    sys.stdout.write(f"Push it: git push origin {tag}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
