"""Which event is taken next: the order of arrival, never against a table's own order.

Pure. A gap in a table's counter holds back its later rounds for a short time; hands are never
held (19.11, 19.14(b)). Other tables go on. What arrives after its gap was released is taken
at once and is late.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Literal

import msgspec

HANDS = frozenset({"hand_called", "hand_reported"})

StreamKey = tuple[int, int]  # table id, boot

_seq = attrgetter("seq")


class Candidate(msgspec.Struct, frozen=True):
    """An event of the inbox that has no place yet. `arrival` rises in order of arrival."""

    arrival: int
    stream: StreamKey
    seq: int
    type: str
    waited_s: float


@dataclass(slots=True)
class Cursor:
    """How far a stream has been taken, and how far intake holds it without a gap.

    `ahead`: hands beyond `through` that were taken ahead of a gap.
    """

    through: int
    committed: int
    ahead: set[int] = field(default_factory=set)

    def holes(self, start: int, before: int) -> list[tuple[int, int]]:
        """The ranges from `start` to `before` (left out) of which nothing was taken ahead."""
        ranges = []
        for number in sorted(seq for seq in self.ahead if start <= seq < before):
            if number > start:
                ranges.append((start, number - 1))
            start = number + 1
        return [*ranges, (start, before - 1)] if start < before else ranges


class Take(msgspec.Struct, frozen=True):
    """Give this event the next number.

    `passed`: seqs before it that intake holds without an event (quarantined, declared lost);
    should one arrive after all, it is late.
    """

    candidate: Candidate
    how: Literal["in order", "ahead", "late"]
    passed: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Release:
    """The gap is waited for no longer: it stands as missed events."""

    stream: StreamKey
    from_seq: int
    to_seq: int


Step = Take | Release


def plan(
    candidates: Iterable[Candidate], cursors: dict[StreamKey, Cursor], gap_wait_s: float
) -> list[Step]:
    """The steps that these candidates allow now; `cursors` is moved along.

    Events that must still wait for a gap are left out and come again.
    """
    by_stream: dict[StreamKey, list[Candidate]] = {}
    for candidate in candidates:
        by_stream.setdefault(candidate.stream, []).append(candidate)
    runs = [
        _of_stream(key, sorted(of_stream, key=_seq), cursors[key], gap_wait_s)
        for key, of_stream in by_stream.items()
    ]
    # Each stream's steps stay in their order; between streams the earlier arrival goes first.
    if len(runs) == 1:
        return runs[0]
    heads = [(_arrival(run, 0), number, 0) for number, run in enumerate(runs) if run]
    heapq.heapify(heads)
    merged: list[Step] = []
    while heads:
        _, number, index = heads[0]
        run = runs[number]
        merged.append(run[index])
        index += 1
        if index < len(run):
            heapq.heapreplace(heads, (_arrival(run, index), number, index))
        else:
            heapq.heappop(heads)
    return merged


def _arrival(run: list[Step], index: int) -> int:
    step = run[index]
    while isinstance(step, Release):  # a release goes with the event that it lets through
        index += 1
        step = run[index]
    return step.candidate.arrival


def _of_stream(
    key: StreamKey, candidates: list[Candidate], cursor: Cursor, gap_wait_s: float
) -> list[Step]:
    steps: list[Step] = []
    waiting = False
    for candidate in candidates:
        if candidate.seq == cursor.through + 1 <= cursor.committed and not waiting:
            steps.append(Take(candidate, "in order"))  # nothing is missing: nearly always
            cursor.through = candidate.seq
            continue
        if candidate.seq <= cursor.through:
            steps.append(Take(candidate, "late"))
            continue
        held_up_to = max(cursor.through, cursor.committed)
        missing = cursor.holes(held_up_to + 1, candidate.seq)
        waiting = waiting or (bool(missing) and candidate.waited_s < gap_wait_s)
        if waiting:
            if candidate.type in HANDS:
                steps.append(Take(candidate, "ahead"))
                cursor.ahead.add(candidate.seq)
            continue
        steps.extend(Release(key, *hole) for hole in missing)
        passed = cursor.holes(cursor.through + 1, min(candidate.seq, held_up_to + 1))
        steps.append(Take(candidate, "in order", tuple(passed)))
        cursor.through = candidate.seq
    return steps
