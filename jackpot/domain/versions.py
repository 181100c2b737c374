"""Under which fold and rules an entry was folded: old entries are folded under theirs again.

A kind of entry or of terms that no order had before needs no new version: entries that were
recorded fold as they did. Whoever raises FOLD_VERSION or RULES_VERSION keeps the functions of the
version before and enters them here; blocks name the pair that they were written under. Versions
before the first release are not kept: no order of them exists (decision 0065).
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


def apply(books: Books, entry: AnyEntry) -> Outcome:
    """Fold an entry that is new: under the present version."""
    return FOLDS[PRESENT](books, entry)
