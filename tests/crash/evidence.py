"""What the units know, read from their files: journals, and receipts as they were sent."""

import contextlib
import json
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

# A pause this long in all journals of a system is none that its dealers make.
HELD_UP_S = 0.5


@dataclass(frozen=True)
class Journalled:
    """One boot of one unit as its journal has it, and how far receipts cover it."""

    system: str
    table: str
    boot: int
    events: int
    last_seq: int
    covered: int  # the highest committed_seq that a receipt of the unit named lately

    @property
    def name(self) -> str:
        return f"{self.system}/{self.table} boot {self.boot}"


def journalled(journals: Path) -> list[Journalled]:
    """All that the units have journalled, boot by boot."""
    streams = []
    for path in _journals(journals):
        system, _, table = path.stem.partition("--")
        receipt_seqs = _receipt_seqs(path.with_suffix(".receipts.jsonl"))
        for boot, events, last in _boots(path):
            streams.append(Journalled(system, table, boot, events, last, receipt_seqs.get(boot, 0)))
    return streams


@dataclass(frozen=True)
class Load:
    """What the units of a system really played, by their own journals."""

    system: str
    events: int
    seconds: float  # in which they were to play
    held_up_s: float  # of these, in which none of them wrote anything down: killed, or starved

    @property
    def rate(self) -> float:
        """Events a second of the time in which they played."""
        return self.events / max(self.seconds - self.held_up_s, HELD_UP_S)

    def __str__(self) -> str:
        return (
            f"{self.system}: {self.events} events in {self.seconds:.0f} s, of which the units"
            f" were held up for {self.held_up_s:.0f} s; {self.rate:.0f} a second"
        )


@dataclass(frozen=True)
class Handsets:
    """What the handsets of a process of units showed since it was started."""

    not_recorded: int  # looks at a handset that said so
    longest_s: float  # from the press to the receipt


def handsets(journals: Path, system: str) -> Handsets:
    """Of the units of a system."""
    return Handsets(**json.loads((journals / f"{system}.handsets").read_text()))


def load(journals: Path, system: str, played: Sequence[tuple[float, float]]) -> Load:
    """What the units of a system played in these times (of the machine's clock)."""
    written_s: list[float] = []
    since = min(begin for begin, _ in played)
    for path in _journals(journals):
        if path.stem.partition("--")[0] == system:
            query = "SELECT written_at FROM event WHERE written_at >= ?"
            written_s += (row[0] for row in _rows(path, query, since))
    written_s.sort()
    count, held_up_s = 0, 0.0
    for begin, end in played:
        times = written_s[bisect_left(written_s, begin) : bisect_right(written_s, end)]
        pauses = (after - before for before, after in pairwise([begin, *times, end]))
        count += len(times)
        held_up_s += sum(pause for pause in pauses if pause > HELD_UP_S)
    return Load(system, count, sum(end - begin for begin, end in played), held_up_s)


def events(journals: Path) -> int:
    """How many events all units have journalled."""
    return sum(events for path in _journals(journals) for _, events, _ in _boots(path))


def _journals(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sqlite3"))


def _boots(journal: Path) -> list[tuple[int, int, int]]:
    """Each boot, its events, and the seq of the last one."""
    return _rows(journal, "SELECT boot, count(*), max(seq) FROM event GROUP BY boot")


def _rows(journal: Path, query: str, *values: float) -> list[Any]:
    with contextlib.closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
        return database.execute(query, values).fetchall()


def _receipt_seqs(path: Path) -> dict[int, int]:
    """By boot how far the last receipt covers it."""
    receipt_seqs: dict[int, int] = {}
    for receipt in _receipts(_end_of(path)):
        receipt_seqs[receipt["boot"]] = max(
            receipt_seqs.get(receipt["boot"], 0), receipt["committed_seq"]
        )
    return receipt_seqs


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
