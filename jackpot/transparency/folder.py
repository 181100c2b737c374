"""Checkpoints in a folder outside the database, so that a rewritten one can be told.

A file for each system and day, to which notes are added; each ends with an empty line.
"""

from __future__ import annotations

import fcntl
import os
import re
from pathlib import Path

from django.conf import settings

from jackpot.models import Checkpoint
from tables.models import JackpotSystem

_NOTES = re.compile(rb"^\S+\n(\d+)\n\S+\n\n(?:\xe2\x80\x94 [^\n]*\n)+\n", re.MULTILINE)
_END = 128 * 1024  # bytes in which the last checkpoint of a file stands
_LONGEST = 16 * 1024  # of a checkpoint
_FILES = "????-??-??.txt"
_sizes: dict[Path, int] = {}  # what this process has seen written


def last_size(system: JackpotSystem) -> int | None:
    """Up to which size the folder has checkpoints; None where this process does not see it."""
    folder = Path(settings.CHECKPOINT_DIR) / system.code
    try:
        if not settings.CHECKPOINT_DIR or not folder.is_dir():
            return None
        return _size(sorted(folder.glob(_FILES)))
    except OSError:
        return None


def write_out(system: JackpotSystem, newest: int | None = None) -> int:
    """Add the checkpoints that the folder does not have yet; how many. Nothing where none is set.

    Safe to run twice: what is there says where to go on. `newest`: the size of the last one;
    whoever has written it knows so, and does not look.
    """
    if not settings.CHECKPOINT_DIR:
        return 0
    folder = Path(settings.CHECKPOINT_DIR) / system.code
    if newest is not None and _sizes.get(folder) == newest:
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        count = _add(folder, system)
    if newest is not None:
        _sizes[folder] = newest
    return count


def _add(folder: Path, system: JackpotSystem) -> int:
    files = sorted(folder.glob(_FILES))
    # A full disk or a power cut left a part of one: no checkpoint yet.
    if files and (torn := _last(files[-1])[1]):
        os.truncate(files[-1], files[-1].stat().st_size - torn)
    rows = Checkpoint.objects.filter(system=system, size__gt=_size(files)).only("at", "note")
    count = 0
    for row in rows.order_by("size").iterator():
        # Not before the last file there: names are in the order of sizes.
        name = max(f"{row.at:%Y-%m-%d}.txt", files[-1].name if files else "")
        with (folder / name).open("a") as file:
            file.write(row.note + "\n")
            file.flush()
            os.fsync(file.fileno())
        count += 1
    return count


def _size(files: list[Path]) -> int:
    """Of the last checkpoint in them; a file may have none yet."""
    return next((size for path in reversed(files) if (size := _last(path)[0])), 0)


def _last(path: Path) -> tuple[int, int]:
    """The size of the last whole checkpoint, and how many bytes of a torn one stand behind it.

    OSError where the file has something else.
    """
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - _END))
        end = file.read()
    size = whole = 0
    for match in _NOTES.finditer(end):
        size, whole = int(match[1]), match.end()
    if len(end) - whole > _LONGEST:
        raise OSError(f"{path} ends with something that is no checkpoint")
    return size, len(end) - whole
