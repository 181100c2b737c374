"""Under which fold and rules an entry was folded: old entries are folded under theirs again.

A kind of entry or of terms that no order had before needs no new version: entries that were
recorded fold as they did. Whoever raises FOLD_VERSION or RULES_VERSION keeps the functions of the
version before and enters them here; blocks name the pair that they were written under. Versions
before the first release are not kept: no order of them exists (decision 0065).
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

FOLDS: dict[Version, Fold] = {PRESENT: apply}
