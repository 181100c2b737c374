"""What a round adds to the pools. Pure functions over frozen values; amounts in micros.

Operator money is added at the commencement of a round (19.9), pot, commission and drop money
at its completion (19.10). Player money is credited as it was taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

import msgspec

from jackpot.money import share_of
from jackpot.terms import (
    FromCommission,
    FromDrop,
    FromPot,
    Into,
    JackpotTerms,
    PerRound,
    expected_drop,
)


class Contribution(msgspec.Struct, frozen=True):
    """`amount` micros from a source account into a tier's pool or reserve."""

    tier: str
    into: Into
    source: str  # operator, pot, commission or drop
    amount: int


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a completed round, in micros; None where the dealer gave none."""

    pot: int | None = None
    uncalled: int | None = None
    commission: int | None = None
    drop: int | None = None
    blinds_only: bool = False
    tied_alone: bool = False

    @property
    def called_pot(self) -> int | None:
        """The pot less what nobody called (8.5)."""
        if self.pot is None:
            return None
        return max(0, self.pot - (self.uncalled or 0))

    def over(self, before: Figures) -> Figures:
        """These, and where they are silent those from before."""
        return replace(self, **{n: getattr(before, n) for n in SAID if getattr(self, n) is None})

    def beside(self, before: Figures) -> dict[str, list[int | None]]:
        """Those that were something else before: what they were, and are."""
        pairs = {name: [getattr(before, name), getattr(self, name)] for name in SAID}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    def contradict(self, before: Figures) -> bool:
        """Whether one of them was said otherwise before."""
        pairs = ((getattr(self, name), getattr(before, name)) for name in SAID)
        return any(None not in pair and pair[0] != pair[1] for pair in pairs)


SAID = ("pot", "uncalled", "commission", "drop")


def net(
    before: Iterable[Contribution], due: Iterable[Contribution]
) -> dict[tuple[str, str, Into], int]:
    """How far what is due differs from what was credited, by tier, source and account."""
    change: dict[tuple[str, str, Into], int] = defaultdict(int)
    for sign, parts in ((1, due), (-1, before)):
        for part in parts:
            change[part.tier, part.source, part.into] += sign * part.amount
    return {key: amount for key, amount in change.items() if amount}


def beyond(before: Iterable[Contribution], due: Iterable[Contribution]) -> list[Contribution]:
    """What is due beyond what was credited."""
    change = net(before, due).items()
    return [Contribution(tier, into, s, amount) for (tier, s, into), amount in change if amount > 0]


def at_start(terms: JackpotTerms, players: int) -> list[Contribution]:
    """The operator's contribution for a round with that many players dealt in (19.3)."""
    return [
        Contribution(tier.code, part.into, "operator", part.amount)
        for tier in terms.tiers
        if tier.code not in terms.suspended
        for part in tier.increments
        if isinstance(part, PerRound) and players >= part.players_min and part.amount
    ]


def at_completion(terms: JackpotTerms, figures: Figures) -> tuple[list[Contribution], list[str]]:
    """Contributions of a completed round, and flags for figures that are missing or odd.

    What the posted terms need and the dealer did not give is flagged, never guessed: a
    supervisor supplies it by an adjustment.
    """
    found: list[Contribution] = []
    flags: list[str] = []
    for tier in terms.tiers:
        for part in tier.increments:
            if tier.code in terms.suspended and not isinstance(part, FromDrop):
                continue
            match part:
                case PerRound():
                    continue
                case FromPot():
                    base, source = figures.called_pot, "pot"
                case FromCommission():
                    base, source = figures.commission, "commission"
                case FromDrop():
                    base, source = figures.drop, "drop"
            if base is None:
                flags.append(f"{source}_missing")
                continue
            amount = share_of(base, part.basis_points)
            if not isinstance(part, FromDrop) and part.cap is not None:
                amount = min(amount, part.cap)
            if amount:
                found.append(Contribution(tier.code, part.into, source, amount))
    return found, sorted({*flags, *_odd(terms, figures)})


def _odd(terms: JackpotTerms, figures: Figures) -> list[str]:
    """Figures that contradict the posted terms or rule 8: for a person to look at."""
    flags = []
    if (figures.uncalled or 0) > (figures.pot or 0) and figures.pot is not None:
        flags.append("uncalled_above_pot")
    known = figures.drop is not None and figures.called_pot is not None
    if terms.drop_steps and known and figures.drop != _expected(terms, figures):
        flags.append("drop_variance")
    if figures.drop and not terms.drop_steps:
        flags.append("drop_not_posted")
    if figures.commission and figures.blinds_only:
        flags.append("commission_on_blinds_only")  # 8.6
    if figures.commission and figures.tied_alone:
        flags.append("commission_on_tie")  # 8.8
    return flags


def _expected(terms: JackpotTerms, figures: Figures) -> int:
    return expected_drop(terms.drop_steps, figures.called_pot or 0)
