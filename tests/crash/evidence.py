"""What the units know, read from their files: journals, and receipts as they were told."""

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Journalled:
    """One boot of one unit as its journal has it, and how far receipts cover it."""

    system: str
    table: str
    boot: int
    events: int
    last_seq: int
    covered: int  # the highest committed_seq that the unit was told lately

    @property
    def name(self) -> str:
        return f"{self.system}/{self.table} boot {self.boot}"


def journalled(journals: Path) -> list[Journalled]:
    """All that the units have journalled, boot by boot."""
    found = []
    for path in _journals(journals):
        system, _, table = path.stem.partition("--")
        told = _told(path.with_suffix(".receipts.jsonl"))
        for boot, events, last in _boots(path):
            found.append(Journalled(system, table, boot, events, last, told.get(boot, 0)))
    return found


def events(journals: Path) -> int:
    """How many events all units have journalled."""
    return sum(events for path in _journals(journals) for _, events, _ in _boots(path))


def _journals(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sqlite3"))


def _boots(journal: Path) -> list[tuple[int, int, int]]:
    """Each boot, its events, and the seq of the last one."""
    with contextlib.closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
        return database.execute(
            "SELECT boot, count(*), max(seq) FROM event GROUP BY boot"
        ).fetchall()


def _told(path: Path) -> dict[int, int]:
    """By boot how far the last receipt covers it."""
    told: dict[int, int] = {}
    for receipt in _receipts(_end_of(path)):
        told[receipt["boot"]] = max(told.get(receipt["boot"], 0), receipt["committed_seq"])
    return told


def _receipts(lines: bytes) -> Iterator[dict[str, Any]]:
    """A line that a kill cut short is left out."""
    for line in lines.splitlines():
        with contextlib.suppress(ValueError):
            yield json.loads(line)


def _end_of(path: Path, length: int = 100_000) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - length))
            return file.read()
    except FileNotFoundError:
        return b""
