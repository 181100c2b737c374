"""Folding the stored order again: from the recorded bodies to what the rows should say.

Each block is met twice: its hash is computed from the column values, and its entries are
folded again and compared with the outcomes and transfers that were written (`recorded`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from jackpot.audit.checkpoint import Checkpoint, empty
from jackpot.audit.recorded_blocks import fold_again, sealed_blocks
from jackpot.domain.state.books import Books
from jackpot.models import Head
from tables.models import JackpotSystem
from tables.process.gc_tuning import searching_rarely

ROUNDS_IN_MEMORY = 1000  # of each table
FORGOTTEN_EVERY = 200  # blocks


class NotCovered(Exception):
    """An entry reaches behind what the fold remembers of the past."""


@dataclass(slots=True)
class ReplayCheck:
    """Where the recorded order leads to, and where the rows say otherwise."""

    end: Checkpoint
    entries: int = 0
    transfers: int = 0
    blocks: int = 0
    differences: list[str] = field(default_factory=list)

    @property
    def books(self) -> Books:
        return self.end.books


def check_replay(system: JackpotSystem, since: Checkpoint | None = None) -> ReplayCheck:
    """Fold the blocks of a system from `since`, or from its first entry on, in bounded memory.

    Call it inside a snapshot. NotCovered where an entry reaches behind `since`.
    """
    with searching_rarely():
        if since is not None:
            return _fold(system, since, ROUNDS_IN_MEMORY)
        try:
            return _fold(system, _start(system), ROUNDS_IN_MEMORY)
        except NotCovered:  # something very late: once more, remembering every round
            return _fold(system, _start(system), None)


def _start(system: JackpotSystem) -> Checkpoint:
    return empty(system.code, system.casino.minor_digits)


def _fold(system: JackpotSystem, end: Checkpoint, retention: int | None) -> ReplayCheck:
    report, hits_through = ReplayCheck(end), end.books.hit_number
    for sealed in sealed_blocks(system.pk, system.code, after=end.block):
        if not end.covers(sealed, hits_through):
            raise NotCovered(f"block {sealed.block.number}")
        report.blocks += 1
        report.entries += len(sealed.entries)
        report.transfers += len(sealed.transfers)
        report.differences += fold_again(end.books, sealed, end.hash)
        _forget_changes(end.books)
        end.block, end.hash = sealed.block.number, bytes(sealed.block.hash)
        if report.differences:
            report.differences.append(f"what follows block {end.block} was not looked at")
            break
        if retention is not None and report.blocks % FORGOTTEN_EVERY == 0:
            end.forget_rounds(retention)
    else:
        head = Head.objects.get(system=system)
        if bytes(head.block_hash) != end.hash:
            report.differences.append("the head does not name the hash of the last block")
    return report


def _forget_changes(books: Books) -> None:
    """What a block changed was compared; nobody writes it."""
    for changed in (books.dirty_sessions, books.dirty_rounds, books.dirty_hits):
        changed.clear()
    books.transfers.clear()
    books.new_steps.clear()
