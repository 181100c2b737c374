"""The archive of the write-ahead log: names of segments, and when their transactions committed."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from settlement.backups import programs

SEGMENT = re.compile(r"[0-9A-F]{24}")
# So many segments are looked through for the last commit: a server that works commits every second.
_LOOKED_THROUGH = 64
_COMMIT = re.compile(
    r"lsn: ([0-9A-F]+/[0-9A-F]+),.* desc: COMMIT (?:PREPARED )?"
    r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?) UTC"
)


@dataclass(frozen=True)
class Commit:
    """Where in the log a transaction committed, and when by the server's clock."""

    lsn: int
    at: dt.datetime


def lsn(text: str) -> int:
    """0/1A2B3C8 as a number."""
    high, low = text.split("/")
    return (int(high, 16) << 32) + int(low, 16)


def before(segment: str, size: int) -> str | None:
    """The segment before this one on its timeline, None at the beginning."""
    each_log = (1 << 32) // size
    number = int(segment[8:16], 16) * each_log + int(segment[16:], 16) - 1
    if number < 1:
        return None
    return f"{segment[:8]}{number // each_log:08X}{number % each_log:08X}"


def last_commit(newest: str, since: int, fetch: Callable[[str], Path], major: str) -> Commit | None:
    """The last commit behind the position `since` that the archive holds; None where it has none.

    `newest`: the newest segment; `fetch(name)` gives the file of one.
    """
    segment: str | None = newest
    for _ in range(_LOOKED_THROUGH):
        if segment is None:
            return None
        file = fetch(segment)
        size = file.stat().st_size
        commits = [each for each in _commits(file, major) if each.lsn > since]
        file.unlink()
        if commits:
            return max(commits, key=lambda each: each.at)
        if _start(segment, size) <= since:
            return None
        segment = before(segment, size)
    return None


def is_before(segment: str, position: int, size: int) -> bool:
    """Whether the segment ends by this position of the log, on whichever timeline."""
    return _start(segment, size) + size <= position


def _start(segment: str, size: int) -> int:
    return (int(segment[8:16], 16) << 32) + int(segment[16:], 16) * size


def _commits(file: Path, major: str) -> list[Commit]:
    # It ends with an error where a segment was closed before it was full, and has printed all.
    dumped = programs.run(
        [programs.postgres("pg_waldump", major), "--rmgr", "Transaction", file], is_judged=False
    )
    return [
        Commit(lsn(match[1]), dt.datetime.fromisoformat(match[2]).replace(tzinfo=dt.UTC))
        for match in map(_COMMIT.search, dumped.splitlines())
        if match
    ]
