"""The power cut of these tests takes back what was not synchronised, and nothing else."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ha.power import Disk, compiler

pytestmark = pytest.mark.skipif(
    compiler() is None, reason="POWER CUTS NOT TESTED: no C compiler (apt install gcc libc6-dev)"
)
PROGRAM = """
import os, sys
folder = sys.argv[1]
def file(name):
    return os.open(os.path.join(folder, name), os.O_RDWR | os.O_CREAT)
kept, lost, both, new = map(file, ("kept", "lost", "both", "new"))
os.write(kept, b"k" * 9000); os.fsync(kept)
os.pwrite(lost, b"LOST", 2); os.ftruncate(lost, 8192)
os.pwrite(both, b"safe", 0); os.fdatasync(both); os.pwrite(both, b"gone", 2)
os.pwrite(both, b"more", 5000)
os.write(new, b"never")
"""


def _disk_with_files(tmp_path: Path) -> Disk:
    folder = tmp_path / "disk"
    folder.mkdir()
    (folder / "lost").write_bytes(b"as it was")
    disk = Disk(folder, tmp_path / "log")
    environment = {**os.environ, **disk.prepare()}
    subprocess.run([sys.executable, "-c", PROGRAM, folder], env=environment, check=True)
    return disk


def test_what_was_synchronised_stays_and_the_rest_is_as_before(tmp_path: Path) -> None:
    disk = _disk_with_files(tmp_path)
    assert (disk.folder / "lost").read_bytes().startswith(b"asLOST")
    assert disk.cut() > 0
    assert {path.name: path.read_bytes() for path in disk.folder.iterdir()} == {
        "kept": b"k" * 9000,
        "lost": b"as it was",
        "both": b"safe",
        "new": b"",
    }


@pytest.mark.parametrize("seed", range(5))
def test_by_chance_each_page_is_the_old_or_the_new(tmp_path: Path, seed: int) -> None:
    disk = _disk_with_files(tmp_path)
    contents = {path.name: path.read_bytes() for path in disk.folder.iterdir()}
    disk.cut(random.Random(seed))
    assert (disk.folder / "kept").read_bytes() == contents["kept"]
    both = (disk.folder / "both").read_bytes()
    assert both[:4] in (b"safe", b"sago")
    assert len(both) in (4, len(contents["both"]))
