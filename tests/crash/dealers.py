"""Dealers who play as fast as they are asked to: `python -m tests.crash.dealers`.

Real units with their journals, in a process that may be killed at any moment and goes on from
them. What a unit's receipts said is written down beside its journal, one receipt a line: the
checker asks whether the database kept every word of it. Beside the journals stands, too,
how often a handset said NOT RECORDED, and how long a receipt took at most.
"""

import argparse
import json
import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import django

from tables.protocol.messages import Receipt, encoder
from tables.unit.receipts import NOT_RECORDED, ReceiptBook

if TYPE_CHECKING:
    from tables.unit.simulator import SimulatedTable

HANDS = 0.002  # of the rounds end with a reported hand
FAST = 1e9  # the simulated seconds of a round pass at once: only the rate counts
HANDSETS_EVERY_S = 0.1


class WrittenReceipts(ReceiptBook):
    """Writes down every receipt before the unit believes it, and how long events wait for one."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._awaited: dict[int, float] = {}  # since when, by seq
        self.longest_s = 0.0  # from the press to the receipt

    def begin(self, boot: int) -> None:
        with self._changed:
            self._awaited.clear()
            super().begin(boot)

    def note_sent(self, seq: int) -> None:
        with self._changed:
            self._awaited[seq] = time.monotonic()
            super().note_sent(seq)

    def enter(self, receipt: Receipt) -> None:
        os.write(self._file, encoder.encode(receipt) + b"\n")
        super().enter(receipt)
        now = time.monotonic()
        with self._changed:
            for seq in [seq for seq in self._awaited if self.result(seq) is not None]:
                self.longest_s = max(self.longest_s, now - self._awaited.pop(seq))

    def is_missed(self) -> bool:
        """Whether the handset says of any event that waits that it is not recorded."""
        with self._changed:
            return any(self.handset_text(seq) == NOT_RECORDED for seq in self._awaited)


def watch_handsets(books: "list[WrittenReceipts]", into: Path) -> None:
    """Look at all handsets of a process for ever; `into` says what they ever showed."""
    missed, pause = 0, threading.Event()
    while not pause.wait(HANDSETS_EVERY_S):
        missed += sum(book.is_missed() for book in books)
        longest_s = max((book.longest_s for book in books), default=0.0)
        fresh = into.with_suffix(".new")
        fresh.write_text(json.dumps({"not_recorded": missed, "longest_s": longest_s}))
        fresh.replace(into)


def main() -> None:
    options = _arguments()
    django.setup()
    from tables.models import GamingTable
    from tables.unit.play import HouseTerms
    from tables.unit.simulator import Simulator

    tables = GamingTable.objects.filter(system__code=options.system).select_related("system")
    simulator = Simulator(
        list(tables),
        journals=options.journals,
        seed=options.seed,
        speed=FAST,
        hands=HANDS,
        # As in the demo: its jackpot takes no drop, and what is taken for it all the same alarms.
        terms={"vip": HouseTerms(drop_steps={0: 0})},
    )
    books: list[WrittenReceipts] = []
    for table in simulator.tables:
        unit = table.unit
        path = options.journals / f"{unit.system}--{unit.table}.receipts.jsonl"
        unit.receipts = WrittenReceipts(path)
        unit.receipts.begin(unit.boot)
        books.append(unit.receipts)
    # A dealer each: while one waits for the disk, the others go on.
    for table in simulator.tables:
        threading.Thread(target=play, args=(table, options), daemon=True).start()
    # Until somebody kills us.
    watch_handsets(books, options.journals / f"{options.system}.handsets")


def play(table: "SimulatedTable", options: argparse.Namespace) -> None:
    """Play at one table for ever, or lay the hands down while `asked.hold` is there."""
    unit = table.unit
    unit.start()
    pause = threading.Event()
    due = time.monotonic()
    for _ in table.play():
        due += 1 / options.rate  # what could not be played in time is played as soon as it can
        pause.wait(max(0.0, due - time.monotonic()))
        while options.hold.exists() or not unit.boot:  # the console names a new unit's boot
            pause.wait(0.02)
            due = time.monotonic()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--system", required=True)
    parser.add_argument("--journals", type=Path, required=True)
    parser.add_argument("--hold", type=Path, required=True, help="nobody plays while it is there")
    parser.add_argument("--rate", type=float, required=True, help="moves a second, by table")
    parser.add_argument("--seed", required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
