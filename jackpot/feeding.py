"""What the rounds of a system add to its prizes, by the terms of their first entry.

Rounds that are alike ask for it again and again: it is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable

from jackpot.contributions import Contribution, Figures, at_completion, at_start
from jackpot.played import Round
from jackpot.terms import JackpotTerms

KEPT = 4096
_Start = tuple[int, str, str | None, int, int | None]

TermsAt = Callable[[int], list[JackpotTerms]]  # every jackpot's at a number


class Feeding:
    """Asked of the terms of every jackpot that a round's table takes part in."""

    def __init__(self, terms_at: TermsAt) -> None:
        self._terms_at = terms_at
        self._starts: dict[_Start, tuple[bool, list[Contribution]]] = {}
        self._taking: dict[tuple[int, str, str | None], list[JackpotTerms]] = {}

    def taking(self, table: str, found: Round) -> list[JackpotTerms]:
        """The jackpots that the round takes part in."""
        key = (found.terms, table, found.game)
        known = self._taking.get(key)
        if known is None:
            if len(self._taking) >= KEPT:
                self._taking.clear()
            terms = self._terms_at(found.terms)
            known = self._taking[key] = [t for t in terms if t.takes_part(table, found.game)]
        return known

    def at_start(self, table: str, found: Round) -> tuple[bool, list[Contribution]]:
        """Whether a round takes part in a jackpot, and what its commencement adds (19.3).

        Jackpots by whose terms it is held get nothing of it meanwhile.
        """
        pace = found.pace if found.is_held else None
        key = (found.terms, table, found.game, found.dealt or 0, pace)
        known = self._starts.get(key)
        if known is None:
            taking = self.taking(table, found)
            free = (terms for terms in taking if not terms.holds(pace))
            parts = [part for terms in free for part in at_start(terms, found.dealt or 0)]
            if len(self._starts) >= KEPT:
                self._starts.clear()
            known = self._starts[key] = (bool(taking), parts)
        return known

    def awaits(self, table: str, found: Round) -> bool:
        """Whether the completion of such a round adds anything, by its figures (19.10)."""
        return any(terms.is_fed_by_players for terms in self.taking(table, found))

    def at_completion(
        self, table: str, found: Round, figures: Figures
    ) -> tuple[list[Contribution], list[str]]:
        """What a round's figures add by its terms (19.10), and flags for what is odd in them.

        As at the start: jackpots by whose terms it is held get nothing meanwhile.
        """
        parts: list[Contribution] = []
        flags: list[str] = []
        pace = found.pace if found.figures_are_held else None
        for terms in self.taking(table, found):
            more, odd = at_completion(terms, figures)
            parts += more if not terms.holds(pace) else []
            flags += [flag for flag in odd if flag not in flags]
        return parts, flags
