"""What the rounds of a system add to its prizes, by the terms of their first entry.

Rounds that are alike ask for it again and again: it is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jackpot.domain.state.played_rounds import Round
from jackpot.terms.contributions import (
    TO_RETURN,
    Contribution,
    Feeds,
    Figures,
    at_completion,
    at_start,
    feeds,
)
from jackpot.terms.document import JackpotTerms
from jackpot.terms.fed_by import Deal

CACHE_SIZE = 4096
_Kind = tuple[int, str, str | None, int | None, str | None, int]

TermsAt = Callable[[int], list[JackpotTerms]]  # every jackpot's at a number


@dataclass(frozen=True, slots=True)
class _Fed:
    """What one kind of round does for each jackpot that it takes part in."""

    jackpots: tuple[Feeds, ...]
    start: tuple[list[Contribution], ...]  # likewise
    takes_drop: bool  # one of them takes a part of the drop


class Feeding:
    """Asked of the terms of every jackpot that a round's table takes part in."""

    def __init__(self, terms_at: TermsAt) -> None:
        self._terms_at = terms_at
        self._known: dict[_Kind, _Fed] = {}

    def taking(self, table: str, round_: Round) -> list[JackpotTerms]:
        """The jackpots that the round takes part in."""
        return [jackpot.terms for jackpot in self._fed(table, round_).jackpots]

    def _fed(self, table: str, round_: Round, counted: int | None = None) -> _Fed:
        players = (round_.dealt if counted is None else counted) or 0
        key = (round_.terms, table, round_.game, round_.deck, round_.stakes, players)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= CACHE_SIZE:
                self._known.clear()
            deal = Deal(round_.game, round_.deck, round_.stakes, players)
            terms = [t for t in self._terms_at(round_.terms) if t.takes_part(table, round_.game)]
            jackpots = tuple(feeds(each, deal) for each in terms)
            drops = (
                part.source == "drop" for t in terms for tier in t.tiers for part in tier.increments
            )
            start = tuple(at_start(each, deal) for each in terms)
            known = self._known[key] = _Fed(jackpots, start, any(drops))
        return known

    def at_start(self, table: str, round_: Round) -> tuple[bool, list[Contribution]]:
        """Whether a round takes part in a jackpot, and what its commencement adds (19.3).

        Jackpots by whose terms it is held get nothing of it meanwhile.
        """
        pace, fed = round_.pace if round_.is_held else None, self._fed(table, round_)
        both = zip(fed.jackpots, fed.start, strict=True)
        parts = [part for each, some in both if not each.terms.holds(pace) for part in some]
        return bool(fed.jackpots), parts

    def is_in_play(self, table: str, round_: Round) -> bool:
        """Whether game and deck of the round can win a prize of the jackpots it takes part in."""
        return any(each.winnable for each in self._fed(table, round_).jackpots)

    def awaits(self, table: str, round_: Round) -> bool:
        """Whether the completion of such a round adds anything, by its figures (19.10)."""
        return any(each.awaits_figures for each in self._fed(table, round_).jackpots)

    def at_completion(
        self, table: str, round_: Round, figures: Figures
    ) -> tuple[list[Contribution], list[str]]:
        """What a round's figures add by its terms (19.10), and flags for what is odd in them.

        As at the start: jackpots by whose terms it is held get nothing meanwhile. A drop that was
        taken although no jackpot of the round has a part of it is to be returned.
        """
        parts: list[Contribution] = []
        flags: list[str] = []
        pace = round_.pace if round_.figures_are_held else None
        fed = self._fed(table, round_, round_.counted)
        for jackpot in fed.jackpots:
            more, odd = at_completion(jackpot, figures)
            parts += more if not jackpot.terms.holds(pace) else []
            flags += [flag for flag in odd if flag not in flags]
        if figures.drop and not fed.takes_drop:
            parts.append(Contribution(TO_RETURN, "pool", "drop", figures.drop))
        if any(part.tier == TO_RETURN for part in parts):
            flags.append(TO_RETURN)
        return parts, flags
