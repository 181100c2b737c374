"""What a release leaves in `build/`: a bill of materials, and the reference of its image."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from release.checks import NotReady, git

IMAGE = "jackpot-console"
BILL = [
    *("-m", "cyclonedx_py", "requirements", "requirements.txt"),
    *("--output-reproducible", "--spec-version", "1.6", "--output-format", "JSON"),
]


def write_bill(project: Path, version: str, build: Path) -> Path:
    """The packages of the image with their hashes, as CycloneDX 1.6. Needs no network.

    The same packages give the same bytes. NotReady where the tool refuses.
    """
    build.mkdir(exist_ok=True)
    file = build / f"{IMAGE}-{version}.cdx.json"
    process = subprocess.run(
        [sys.executable, *BILL, "--output-file", str(file.absolute())],
        cwd=project,
        check=False,
        capture_output=True,
        text=True,
    )
    if process.returncode:
        raise NotReady(f"The bill of materials was not written: {process.stderr.strip()}")
    bill: dict[str, Any] = json.loads(file.read_text())
    subject = {"type": "application", "bom-ref": IMAGE, "name": IMAGE, "version": version}
    bill.setdefault("metadata", {})["component"] = subject
    file.write_text(json.dumps(bill, indent=2, sort_keys=True) + "\n")
    return file


def build_command(project: Path, version: str) -> list[str]:
    """Builds the image with its version and commit as labels."""
    commit = git(project, "rev-parse", "HEAD")
    return [
        *("docker", "build", "--tag", f"{IMAGE}:{version}"),
        *("--build-arg", f"VERSION={version}", "--build-arg", f"REVISION={commit}", "."),
    ]


def build_image(project: Path, version: str, build: Path) -> str:
    """Build it where there is Docker; in words what was done. The reference is written down."""
    command = build_command(project, version)
    (build / "image").write_text(f"{IMAGE}:{version}\n")
    if shutil.which("docker") is None:
        return f"No Docker here, so no image was built. Elsewhere: {' '.join(command)}"
    subprocess.run(command, cwd=project, check=True)
    return f"Built {IMAGE}:{version}."
