"""Checkpoints of a system's log: signed statements of its size and root, made by the worker.

Each is made from the one before and the blocks since: its cost is that of the new leaves.
"""

from __future__ import annotations

from django.db import IntegrityError
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from jackpot.models import Checkpoint, Entry, Head
from jackpot.models.transparency import CheckpointCause
from jackpot.storage.snapshot import snapshot
from jackpot.transparency import merkle, notes, tree
from jackpot.transparency.leaves import Leaf, leaves_of
from tables.models import JackpotSystem

MOST_LEAVES = 4096  # of one checkpoint: a long order is taken in by several
_CLOSES = ("close_day", "close_month")


def latest(system: JackpotSystem) -> Checkpoint | None:
    """The newest checkpoint of a system; None before its first block was taken in."""
    return Checkpoint.objects.filter(system=system).order_by("-size").first()


def statement(system: JackpotSystem) -> Checkpoint | None:
    """The same without what the next one goes on from: to be named on paper."""
    rows = Checkpoint.objects.filter(system=system).only("system", "size", "root", "note")
    return rows.order_by("-size").first()


def first_of(system: JackpotSystem, block: int) -> Checkpoint | None:
    """The first checkpoint that covers a block; None while none does."""
    rows = Checkpoint.objects.filter(system=system, size__gte=block).only("system", "size", "root")
    return rows.order_by("size").first()


def sizes() -> list[tuple[JackpotSystem, int, int]]:
    """Every system, its blocks, and how many of them checkpoints cover: one look for all."""
    newest = Checkpoint.objects.filter(system=OuterRef("pk")).order_by("-size").values("size")[:1]
    rows = JackpotSystem.objects.annotate(
        blocks=Coalesce("head__block_number", 0), size=Coalesce(Subquery(newest), 0)
    )
    return [(system, system.blocks, system.size) for system in rows]


def make(system: JackpotSystem, cause: str = CheckpointCause.INTERVAL) -> Checkpoint | None:
    """Take in all blocks since the last checkpoint; None where there are none, or no key.

    Safe to run twice and by two workers at once: of two with one size the database takes the first.
    """
    keys = notes.keys()
    last_step = None
    try:
        while keys and (step := _step(system, cause, keys)) is not None:
            last_step = step
    except IntegrityError:  # another worker was faster
        return None
    return last_step


def _newest(system: JackpotSystem) -> Checkpoint | None:
    """What the next one goes on from: without what was new in it."""
    rows = Checkpoint.objects.filter(system=system).only("size", "peaks", "pools")
    return rows.order_by("-size").first()


def _step(system: JackpotSystem, cause: str, keys: list[notes.LogKey]) -> Checkpoint | None:
    with snapshot():
        head = Head.objects.filter(system=system).only("block_number").first()
        last = _newest(system)
        size = last.size if last else 0
        if head is None or head.block_number <= size:
            return None
        end = min(head.block_number, size + MOST_LEAVES)
        leaves = leaves_of(system.pk, system.code, last.pools if last else {}, size, end)
        if _closes(system, size, end):
            cause = CheckpointCause.CLOSE
        return _store(system, last, leaves, cause, keys)


def _store(
    system: JackpotSystem,
    last: Checkpoint | None,
    leaves: list[Leaf],
    cause: str,
    keys: list[notes.LogKey],
) -> Checkpoint:
    before = last.size if last else 0
    hashes = [merkle.leaf_hash(leaf.to_bytes()) for leaf in leaves]
    tree.add_tiles(system.pk, before, tree.tail_of(system.pk, before), hashes)
    peaks = merkle.append(list(map(bytes.fromhex, last.peaks)) if last else [], before, hashes)
    size, root = before + len(hashes), merkle.root_of(peaks)
    return Checkpoint.objects.create(
        system=system,
        size=size,
        root=root,
        at=timezone.now(),
        cause=cause,
        note=notes.signed(notes.origin_of(system.code), size, root, keys),
        leaves=b"".join(hashes),
        peaks=[peak.hex() for peak in peaks],
        pools=leaves[-1].pools,
    )


def _closes(system: JackpotSystem, after: int, end: int) -> bool:
    """Whether a day or month is closed in blocks `after` + 1 to `end`."""
    blocks = system.block_set.filter(number__gt=after, number__lte=end).order_by("number")
    first = blocks.values_list("first_seq", flat=True).first()
    last = blocks.values_list("last_seq", flat=True).last()
    closes = Entry.objects.filter(system=system, type__in=_CLOSES)
    return closes.filter(seq__gte=first, seq__lte=last).exists()
