"""Under which fold and rules an entry was folded: old entries are folded under theirs again.

A kind of entry or of terms that no order had before needs no new version: entries that were
recorded fold as they did. Whoever raises FOLD_VERSION or RULES_VERSION keeps the functions of the
version before and enters them here; blocks name the pair that they were written under. Versions
before the first release are not kept: no order of them exists (decision 0065).

In an update both versions of the console write for a while. An order goes on under the version of
its last block until every writer that is there knows a later one; the first entry behind that block
hands it over, and who does not know the version of the last block writes no more (decision 0140).
"""

from __future__ import annotations

from collections.abc import Callable

from jackpot.domain import fold
from jackpot.domain.state.books import Books
from jackpot.domain.state.entries import AnyEntry, Outcome
from rules import RULES_VERSION

Version = tuple[int, int]  # of the fold, of the rules
Fold = Callable[[Books, AnyEntry], Outcome]

PRESENT: Version = (fold.FOLD_VERSION, RULES_VERSION)

FOLDS: dict[Version, Fold] = {PRESENT: fold.apply}


class TooOldError(Exception):
    """An order is folded by a version that this program does not have."""


def apply(books: Books, entry: AnyEntry, version: Version) -> Outcome:
    """Fold an entry that is new."""
    return FOLDS[version](books, entry)


def next_version(last: Version | None, known_to_all: Version | None) -> Version:
    """Under which to write the next block: the last one's, or a later one that every writer knows.

    `last`: of the last block, None before the first; `known_to_all`: the latest that all writers
    know, None where one of them does not say. TooOldError where this program does not have it.
    """
    if last is None:
        version = known_to_all or PRESENT
    else:
        version = last if known_to_all is None else max(last, known_to_all)
    if version not in FOLDS:
        raise TooOldError(
            f"The order is folded by version {version[0]} under rules {version[1]}, which this"
            " version of the console does not have. Start the one that wrote it, or a later one."
        )
    return version
