"""Blocks: what one transaction of the writer wrote of a system, as canonical bytes under a chain of
hashes.

The bytes are made of column values alone, so that anybody with the rows can compute them
again: one JSON array a line, in the order of entries, then of transfers, after a header.
No surrogate id enters; tables and accounts stand under their codes.
"""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
import json
from collections.abc import Iterable
from typing import Any

import msgspec

from jackpot.domain.state.books import Transfer


class EntryLine(msgspec.Struct, frozen=True, array_like=True, tag_field="line", tag="entry"):
    """An entry's columns in the order in which they are hashed."""

    seq: int
    at: str
    kind: str
    type: str
    table: str | None
    boot: int | None
    event_seq: int | None
    command: int | None
    round: int | None
    hit: int | None
    body_hash: str
    body: Any
    outcome: Any


class Header(msgspec.Struct, frozen=True, array_like=True, tag_field="line", tag="block"):
    """A block's own columns in the order in which they are hashed."""

    system: str
    number: int
    first_seq: int
    last_seq: int
    first_transfer: int
    last_transfer: int
    fold_version: int
    rules_version: int
    at: str
    previous: str


# Each line is an array of its kind ("block", "entry", "transfer") and its columns, in the bytes of
# `canonical`: what these types hold (text, integers, no floats) both write alike.
_lines = msgspec.json.Encoder(order="sorted")


@functools.lru_cache(maxsize=8)  # all entries of a batch have the same
def instant(at: dt.datetime) -> str:
    """A time as it is hashed: UTC, microseconds."""
    return at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def canonical(value: Any) -> bytes:
    """JSON with sorted keys and no spaces: the same bytes for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def body_hash(body: Any) -> bytes:
    """SHA-256 of an event's bytes as sent, or of the canonical form of a command or a fact."""
    return hashlib.sha256(source_bytes(body)).digest()


def block_hash(
    header: Header, entries: Iterable[EntryLine], transfers: Iterable[Transfer]
) -> bytes:
    """The hash of a block; `header.previous` chains it to the one before."""
    return hashlib.sha256(block_bytes(header, entries, transfers)).digest()


def block_bytes(
    header: Header, entries: Iterable[EntryLine], transfers: Iterable[Transfer]
) -> bytes:
    """What is hashed: lines joined by line feeds, none at the end."""
    lines: bytes = _lines.encode_lines([header, *entries, *transfers])
    return lines[:-1]


def command_source(
    kind: str | None, body: Any, first: str | None, second: str | None, basis: bytes | None
) -> list[Any]:
    """A command as it is hashed; without a basis where nothing was recorded for it."""
    source = [kind, body, first, second]
    return source if basis is None else [*source, bytes(basis).hex()]


def source_bytes(body: Any) -> bytes:
    """An event as sent, or the canonical form of a command or a fact."""
    return body if isinstance(body, bytes) else canonical(body)
