"""Under which fold and rules an entry was folded: old entries are folded under theirs again.

A kind of entry or of terms that no order had before needs no new version: entries that were
recorded fold as they did. Whoever raises FOLD_VERSION or RULES_VERSION keeps the functions of the
version before and enters them here; blocks name the pair that they were written under.
"""

from __future__ import annotations

from collections.abc import Callable

from jackpot.books import Books
from jackpot.entries import AnyEntry, Outcome
from jackpot.fold import FOLD_VERSION, apply
from rules import RULES_VERSION

Version = tuple[int, int]  # of the fold, of the rules
Fold = Callable[[Books, AnyEntry], Outcome]

PRESENT: Version = (FOLD_VERSION, RULES_VERSION)


def _version_1(books: Books, entry: AnyEntry) -> Outcome:
    """What a void round had put into the reserve of a tier that was closed since came out of the
    heir's pool first; the reserve itself had gone to the heir's reserve."""
    books.reserves_follow = False
    try:
        return _version_2(books, entry)
    finally:
        books.reserves_follow = True


def _version_2(books: Books, entry: AnyEntry) -> Outcome:
    """An opening or a closing of a table that came late was taken as its newest."""
    books.newest_session_stands = False
    try:
        return apply(books, entry)
    finally:
        books.newest_session_stands = True


FOLDS: dict[Version, Fold] = {(1, 1): _version_1, (2, 1): _version_2, PRESENT: apply}
