"""Evidence in the order: a file that people attached to a claim, by its hash.

It moves nothing. What it leaves is the hash in a block: who changes the file and its row as well
has changed what an entry says.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from jackpot.books import Books
from jackpot.decisions.basis import Body, hit_of
from jackpot.entries import CommandEntry, Outcome


class AttachFile(Body, frozen=True, kw_only=True):
    """A file of `size` bytes with this SHA-256, in small hexadecimal digits."""

    hit: int
    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])")]
    size: Annotated[int, Meta(ge=1)]


def attach_file(books: Books, _entry: CommandEntry, body: AttachFile) -> Outcome:
    """Somebody attached a file to a claim; nothing moves."""
    return {"hit": hit_of(books, body.hit).number}
