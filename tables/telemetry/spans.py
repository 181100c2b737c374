"""Spans: what they are called, whose they are, and the ids that follow from an event's identity."""

from __future__ import annotations

import functools
import hashlib
import random
from collections.abc import Mapping
from typing import NamedTuple

# Every span of an event, and the one that it belongs to.
PARENTS: Mapping[str, str | None] = {
    "press": None,  # from the unit's clock to the arrival at the intake
    "record": "press",  # to the commit in the inbox
    "receipt": "record",  # to the handing over of the receipt to the broker
    "sequence": "record",  # the writer's transaction, to its commit
    "number": "sequence",  # the receipt with the number, from its commit to the broker
    "display": "sequence",  # the first display message that shows the entry, to its commit
    "value": "display",  # that message, from its commit to the broker
    "stream": "display",  # the same in a web process, from reading it to the browsers
    "reading": "display",  # the table's display reads back that it shows the entry
}


class EventRef(NamedTuple):
    """The identity of an event: codes of system and table, and the unit's two counters."""

    system: str
    table: str
    boot: int
    seq: int


class Span(NamedTuple):
    """What was done, from when to when, in seconds since 1970; nothing personal, no amount.

    Of an event `name` is one of PARENTS; without one the span is a trace by itself.
    """

    name: str
    event: EventRef | None
    began_s: float
    ended_s: float
    attributes: Mapping[str, str | int] = {}


def trace_id(event: EventRef) -> int:
    """Of 128 bits, as the collector knows the event's way.

    >>> f"{trace_id(EventRef('main', 't7', 3, 1711)):032x}"
    '486572822065f8d3013c7bb87be830ac'
    """
    return _number(f"{event.system}/{event.table}/{event.boot}/{event.seq}", 16)


def span_id(event: EventRef, name: str) -> int:
    """Of 64 bits. Where others belong to a span it follows from the event, else it is its own."""
    if name not in PARENTS.values():
        return random.getrandbits(64) or 1
    return _number(f"{event.system}/{event.table}/{event.boot}/{event.seq}/{name}", 8)


@functools.lru_cache(maxsize=10_000)
def stream_number(system: str, table: str, boot: int) -> int:
    """Of 32 bits, of one boot of a table's unit."""
    return _number(f"{system}/{table}/{boot}", 4)


def _number(text: str, size: int) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=size).digest()) or 1
