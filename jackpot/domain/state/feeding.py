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
class RoundContributions:
    """What one kind of round does for the jackpots that it takes part in.

    `is_in_play`: it can win a prize of theirs; `awaits`: its completion adds something by its
    figures; `takes_drop`: one of them takes a part of the drop; `is_limited`: one of them takes
    only so many presses.
    """

    jackpots: tuple[Feeds, ...]
    start: tuple[list[Contribution], ...]  # of each
    takes_drop: bool
    is_in_play: bool
    awaits: bool
    is_limited: bool

    def at_start(self, round_: Round) -> list[Contribution]:
        """What the commencement of the round adds (19.3): jackpots by whose terms it is held get
        nothing of it meanwhile."""
        if not round_.is_held:
            return [part for some in self.start for part in some]
        both = zip(self.jackpots, self.start, strict=True)
        return [part for each, some in both if not each.terms.holds(round_.pace) for part in some]


class Feeding:
    """Asked of the terms of every jackpot that a round's table takes part in."""

    def __init__(self, terms_at: TermsAt) -> None:
        self._terms_at = terms_at
        self._by_kind: dict[_Kind, RoundContributions] = {}

    def of(self, table: str, round_: Round, counted: int | None = None) -> RoundContributions:
        """What the round is for the jackpots of its table, with so many players counted."""
        players = (round_.dealt if counted is None else counted) or 0
        key = (round_.terms, table, round_.game, round_.deck, round_.stakes, players)
        contributions = self._by_kind.get(key)
        if contributions is None:
            if len(self._by_kind) >= CACHE_SIZE:
                self._by_kind.clear()
            deal = Deal(round_.game, round_.deck, round_.stakes, players)
            terms = [t for t in self._terms_at(round_.terms) if t.takes_part(table, round_.game)]
            jackpots = tuple(feeds(each, deal) for each in terms)
            drops = (
                part.source == "drop" for t in terms for tier in t.tiers for part in tier.increments
            )
            contributions = self._by_kind[key] = RoundContributions(
                jackpots,
                tuple(at_start(each, deal) for each in terms),
                takes_drop=any(drops),
                is_in_play=any(each.winnable for each in jackpots),
                awaits=any(each.awaits_figures for each in jackpots),
                is_limited=any(each.presses_a_minute for each in terms),
            )
        return contributions

    def at_start(self, table: str, round_: Round) -> tuple[bool, list[Contribution]]:
        """Whether a round takes part in a jackpot, and what its commencement adds."""
        fed = self.of(table, round_)
        return bool(fed.jackpots), fed.at_start(round_)

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
        fed = self.of(table, round_, round_.counted)
        for jackpot in fed.jackpots:
            more, odd = at_completion(jackpot, figures)
            parts += more if not jackpot.terms.holds(pace) else []
            flags += [flag for flag in odd if flag not in flags]
        if figures.drop and not fed.takes_drop:
            parts.append(Contribution(TO_RETURN, "pool", "drop", figures.drop))
        if any(part.tier == TO_RETURN for part in parts):
            flags.append(TO_RETURN)
        return parts, flags
