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

_SIZES = re.compile(r"^\S+\n(\d+)\n\S+\n\n— ", re.MULTILINE)


def write_out(system: JackpotSystem) -> int:
    """Add the checkpoints that the folder does not have yet; how many. Nothing where none is set.

    Safe to run twice: what is there says where to go on.
    """
    if not settings.CHECKPOINT_DIR:
        return 0
    folder = Path(settings.CHECKPOINT_DIR) / system.code
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _add(folder, system)


def _add(folder: Path, system: JackpotSystem) -> int:
    files = sorted(folder.glob("*.txt"))
    sizes = _SIZES.findall(files[-1].read_text()) if files else []
    rows = Checkpoint.objects.filter(system=system, size__gt=int(sizes[-1]) if sizes else 0)
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
