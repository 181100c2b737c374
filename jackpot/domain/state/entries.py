"""What the fold takes: the elements of a system's order. Frozen values, no I/O."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

import msgspec

from tables.protocol.messages import AnyEvent


class EventEntry(msgspec.Struct, frozen=True):
    """A device's event at its place. `how` says whether it came in order, ahead or late.

    `body`: what the writer put beside it, of a hand its clock
    (`jackpot.domain.play.clock_disputes`). `without_verdict`: of one that is folded again, see
    `jackpot.domain.state.verdicts`.
    """

    seq: int
    at: dt.datetime
    table: str
    event: AnyEvent
    how: str = "in order"
    body: dict[str, Any] | None = None
    without_verdict: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """What people decided on the console. `first` and `second` are user names."""

    seq: int
    at: dt.datetime
    number: int
    kind: str
    body: dict[str, Any]
    first: str
    second: str | None = None
    without_verdict: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class FactEntry:
    """What the writer recorded itself, for instance that a gap was released."""

    seq: int
    at: dt.datetime
    kind: str
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SkippedEntry:
    """An event or a command that two people skipped: it has its place and moves nothing."""

    seq: int
    at: dt.datetime
    kind: str  # event, command
    first: str
    second: str
    reason: str
    how: str = "in order"


AnyEntry = EventEntry | CommandEntry | FactEntry | SkippedEntry
Outcome = dict[str, Any]  # flags, hit, refused, ...: JSON, part of the block's hash
