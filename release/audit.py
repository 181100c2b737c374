"""Known faults of the packages, by pip-audit: `python -m release.audit`, `make audit`.

Exit code 0: none is known; 1: some are, or nobody could be asked. With `--may-be-offline`, for CI,
that nobody could be asked is said loudly and ends with 0.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
FILES = ("requirements.txt", "requirements-parquet.txt", "requirements-demo.txt")
OFFLINE = "--may-be-offline"
WITHIN_S = 300


def ask(files: Sequence[str] = FILES) -> tuple[list[dict[str, Any]] | None, str]:
    """Every package of the files with its known faults, None where nobody answered; and what the
    tool said."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
    arguments = [part for file in files for part in ("--requirement", file)]
    try:
        process = subprocess.run(
            [
                *command,
                *arguments,
                "--format",
                "json",
                "--progress-spinner",
                "off",
                "--timeout",
                "15",
            ],
            cwd=PROJECT,
            check=False,
            capture_output=True,
            text=True,
            timeout=WITHIN_S,
        )
    except subprocess.TimeoutExpired:
        return None, f"no answer within {WITHIN_S} s"
    try:
        packages: list[dict[str, Any]] = json.loads(process.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        lines = process.stderr.strip().splitlines()
        return None, lines[-1] if lines else f"exit code {process.returncode}"
    return packages, process.stderr.strip()


def report(packages: list[dict[str, Any]] | None, words: str, *, may_be_offline: bool) -> int:
    """Say what is known; the exit code."""
    if packages is None:
        sys.stderr.write(f"NOT AUDITED: the database of known faults was not reached ({words}).\n")
        return 0 if may_be_offline else 1
    faulty = [each for each in packages if each.get("vulns")]
    for each in faulty:
        for fault in each["vulns"]:
            fixed = ", ".join(fault["fix_versions"]) or "no version yet"
            sys.stdout.write(f"{each['name']} {each['version']}: {fault['id']}, fixed in {fixed}\n")
    sys.stdout.write(f"{len(packages)} packages, {len(faulty)} with known faults.\n")
    return 1 if faulty else 0


def main(arguments: Sequence[str]) -> int:
    packages, words = ask()
    return report(packages, words, may_be_offline=OFFLINE in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
