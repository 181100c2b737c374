"""A power cut: what a machine's disk was not told to keep is gone.

`tests/ha/unsynced.c` runs inside PostgreSQL and notes what stood where something is written, until
the file is synchronised. A cut puts back what is noted, of each page or of some of them by seeded
dice, since disks write in an order of their own.
"""

import os
import random
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_name("unsynced.c")
_NOTE = struct.Struct("=IIQqq")
PAGE = 4096


def compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc")


class _Note(NamedTuple):
    kind: str
    inode: int
    offset: int
    size: int
    before: bytes


@dataclass
class Disk:
    """The files of one folder, and the log of what is not yet safe there."""

    folder: Path
    log: Path
    library: Path = field(init=False)

    def __post_init__(self) -> None:
        self.library = self.log.with_suffix(".so")

    def prepare(self) -> dict[str, str]:
        """Compile the library; what the environment of a program needs that writes there."""
        program = compiler()
        assert program is not None
        subprocess.run([program, "-O2", "-shared", "-fPIC", "-o", self.library, SOURCE], check=True)
        self.library.chmod(0o755)
        return {
            "LD_PRELOAD": str(self.library),
            "UNSYNCED_DIR": f"{self.folder.resolve()}/",
            "UNSYNCED_LOG": str(self.log),
        }

    def cut(self, dice: random.Random | None = None) -> int:
        """Take back what is not safe, when nobody writes there any more; how many pages.

        With `dice` each page of them stays as written or goes, by chance.
        """
        pending: dict[int, list[_Note]] = {}
        for note in self._notes():
            if note.kind == "W":
                pending.setdefault(note.inode, []).append(note)
            elif note.kind == "S":
                pending.clear()
            else:
                pending.pop(note.inode, None)
        files = {path.stat().st_ino: path for path in self.folder.rglob("*") if path.is_file()}
        self.log.unlink(missing_ok=True)
        return sum(
            _take_back(files[inode], notes, dice)
            for inode, notes in pending.items()
            if inode in files
        )

    def _notes(self) -> Iterator[_Note]:
        with self.log.open("rb") as file:
            while len(head := file.read(_NOTE.size)) == _NOTE.size:
                kind, length, inode, offset, size = _NOTE.unpack(head)
                yield _Note(chr(kind), inode, offset, size, file.read(length))


def _take_back(path: Path, notes: list[_Note], dice: random.Random | None) -> int:
    """The file as it was before the first of these writes, page by page; how many differ."""
    after = path.read_bytes()
    was = bytearray(after)
    for note in reversed(notes):
        if len(was) > note.size:
            del was[note.size :]
        if len(was) < note.size:
            was.extend(bytes(note.size - len(was)))
        was[note.offset : note.offset + len(note.before)] = note.before
    stays = dice is not None and dice.random() < 0.5  # the file's length is written at once
    result = bytearray(after if stays else was)
    pages = 0
    for begin in range(0, len(result), PAGE):
        old, new = bytes(was[begin : begin + PAGE]), after[begin : begin + PAGE]
        if old == new:
            continue
        pages += 1
        goes = dice is None or dice.random() < 0.5
        page = (old if goes else new)[: len(result) - begin]
        page = page.ljust(min(PAGE, len(result) - begin), b"\0")
        result[begin : begin + PAGE] = page
    with path.open("r+b") as file:
        file.write(result)
        file.truncate(len(result))
        os.fsync(file.fileno())
    return pages
