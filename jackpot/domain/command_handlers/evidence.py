"""Evidence in the order, by hashes: a file that people attached to a claim, and what they recorded.

Neither moves anything. What they leave is a hash in a block: who changes the file and its row as
well has changed what an entry says. What people recorded is in the basis of every command
(`settlement.audit.recorded_rows`); `seal_records` is the one that says nothing else.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from jackpot.domain.command_handlers.basis import Body, hit_of
from jackpot.domain.state.books import Books
from jackpot.domain.state.entries import CommandEntry, Outcome


class AttachFile(Body, frozen=True, kw_only=True):
    """A file of `size` bytes with this SHA-256, in small hexadecimal digits."""

    hit: int
    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])")]
    size: Annotated[int, Meta(ge=1)]


class SealRecords(Body, frozen=True, kw_only=True):
    """Nothing: the command's basis says it."""


def attach_file(books: Books, _entry: CommandEntry, body: AttachFile) -> Outcome:
    """Somebody attached a file to a claim; nothing moves."""
    return {"hit": hit_of(books, body.hit).number}


def seal_records(_books: Books, _entry: CommandEntry, _body: SealRecords) -> Outcome:
    """The console takes in what people recorded since the last command; nothing moves."""
    return {}
