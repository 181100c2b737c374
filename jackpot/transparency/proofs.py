"""Proofs as files: that a block stands in the log, and that the log has only grown.

An inclusion proof is a c2sp.org/tlog-proof@v1 file, its line `extra` the leaf itself. For growth
there is no such form: two checkpoints under the hashes that lead from one to the other. Both are
checked by `python -m verifier proof`.
"""

from __future__ import annotations

import base64
import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

from jackpot.models import Block, Checkpoint, WitnessAnswer, WitnessContact
from jackpot.transparency import merkle
from jackpot.transparency.checkpoints import latest
from jackpot.transparency.leaves import Leaf, leaf_of
from jackpot.transparency.tree import Tree
from tables.models import JackpotSystem

INCLUSION = "c2sp.org/tlog-proof@v1"
GROWTH = "log-growth@v1"
_COSIGNATURE = re.compile(r"— \S+ [A-Za-z0-9+/=]+\n\Z")
COSIGNED = 200  # the status with which a witness answers with its line


class NoProof(Exception):
    """There is nothing to be shown; the message says why."""


@dataclass(frozen=True)
class Inclusion:
    """A leaf under a checkpoint, with the path between them and the lines of witnesses."""

    checkpoint: Checkpoint
    leaf: Leaf
    path: list[bytes]
    cosignatures: dict[str, str]  # by the name of the witness

    def to_text(self) -> str:
        """The file."""
        return "\n".join(
            [
                INCLUSION,
                f"extra {_base64(self.leaf.to_bytes())}",
                f"index {self.leaf.block - 1}",
                *map(_base64, self.path),
                "",
                self.checkpoint.note + "".join(self.cosignatures.values()),
            ]
        )


def of_newest_block(system: JackpotSystem) -> Inclusion:
    """The newest block of the newest checkpoint. NoProof before there is one."""
    checkpoint = _newest(system)
    block = Block.objects.only("hash").get(system=system, number=checkpoint.size)
    leaf = Leaf(system.code, checkpoint.size, bytes(block.hash), checkpoint.pools)
    return _inclusion(checkpoint, leaf)


def of_block(system: JackpotSystem, number: int, size: int | None = None) -> Inclusion:
    """A block under the checkpoint of so many blocks, or the newest one. NoProof where that does
    not cover it."""
    checkpoint = _newest(system) if size is None else _of_size(system, size)
    if not 1 <= number <= checkpoint.size:
        raise NoProof(f"The checkpoint covers blocks 1 to {checkpoint.size}.")
    return _inclusion(checkpoint, leaf_of(system.code, system.block_set.get(number=number)))


def growth(system: JackpotSystem, old: int, size: int | None = None) -> str:
    """The file that shows how the log of `old` blocks became that of `size`, or the newest.

    NoProof where there is no checkpoint of such a size, or it is no growth.
    """
    before = _of_size(system, old)
    after = _newest(system) if size is None else _of_size(system, size)
    if before.size > after.size:
        raise NoProof(f"From {before.size} to {after.size} blocks is no growth.")
    path = merkle.consistency_proof(before.size, after.size, Tree(after).find)
    notes = [with_cosignatures(each) for each in (before, after)]
    return "\n".join([GROWTH, *map(_base64, path), "", *notes])


def with_cosignatures(checkpoint: Checkpoint) -> str:
    """The note as it is published: with the lines of the witnesses that cosigned it."""
    return checkpoint.note + "".join(cosignatures_of(checkpoint).values())


def cosignatures_of(checkpoint: Checkpoint) -> dict[str, str]:
    """The lines with which witnesses cosigned a checkpoint, by the names in them.

    A witness with two keys has two lines.
    """
    answers = WitnessAnswer.objects.filter(checkpoint=checkpoint, status=COSIGNED).order_by("pk")
    cosigned: dict[str, str] = {}
    for text in answers.values_list("text", flat=True):
        for name, line in _lines(text):
            cosigned[name] = cosigned.get(name, "") + line
    return cosigned


def last_cosigned(system: JackpotSystem) -> list[tuple[str, int, dt.datetime]]:
    """Of each witness its name, the largest log that it cosigned, and when by its own word."""
    sizes = WitnessContact.objects.filter(system=system, size__gt=0).values_list("size", flat=True)
    cosigned_sizes = list(sizes)
    if not cosigned_sizes:
        return []
    answers = WitnessAnswer.objects.filter(
        checkpoint__system=system, checkpoint__size__in=cosigned_sizes, status=COSIGNED
    ).order_by("checkpoint__size")
    newest = {}
    for text, size in answers.values_list("text", "checkpoint__size"):
        for name, line in _lines(text):
            if (at := cosigned_at(line)) is not None:
                newest[name] = (name, size, at)
    return list(newest.values())


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """The lines of cosignatures in an answer, each behind the name in it."""
    for line in text.splitlines(keepends=True):
        if _COSIGNATURE.match(line):
            yield line.split(" ")[1], line


def cosigned_at(line: str) -> dt.datetime | None:
    """When a witness says that it cosigned; None where the line does not say so."""
    try:
        signature = base64.b64decode(line.split()[2], validate=True)
        return dt.datetime.fromtimestamp(int.from_bytes(signature[4:12], "big"), dt.UTC)
    except (ValueError, OverflowError, OSError, IndexError):
        return None


def _newest(system: JackpotSystem) -> Checkpoint:
    checkpoint = latest(system)
    if checkpoint is None:
        raise NoProof(f"{system.name} has no checkpoint yet.")
    return checkpoint


def _of_size(system: JackpotSystem, size: int) -> Checkpoint:
    checkpoint = Checkpoint.objects.filter(system=system, size=size).first()
    if checkpoint is None:
        raise NoProof(f"{system.name} has no checkpoint of {size} blocks.")
    return checkpoint


def _inclusion(checkpoint: Checkpoint, leaf: Leaf) -> Inclusion:
    path = merkle.inclusion_proof(leaf.block - 1, checkpoint.size, Tree(checkpoint).find)
    return Inclusion(checkpoint, leaf, path, cosignatures_of(checkpoint))


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()
