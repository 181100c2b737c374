"""What a round adds to the pools. Pure functions over frozen values; amounts in micros.

Operator money is added at the commencement of a round (19.9), pot, commission and drop money
at its completion (19.10). Player money is credited as it was taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec

from jackpot.terms.commission import PercentageFee, PostedCommission, rule_of
from jackpot.terms.document import (
    FromCommission,
    FromDrop,
    FromPot,
    Into,
    JackpotTerms,
    PerRound,
    TierTerms,
)
from jackpot.terms.fed_by import Deal, can_win, is_its_play, meets
from jackpot.terms.money import share_of
from rules.commission import RoundMoney, most_taken

PlayerSource = Literal["pot", "commission", "drop"]
OfPlayers = FromPot | FromCommission | FromDrop
# The account of what was taken of players at a table that can win nothing; no code of a tier.
TO_RETURN = "to_return"


class Contribution(msgspec.Struct, frozen=True):
    """`amount` micros from a source account into a tier's pool or reserve, or to TO_RETURN."""

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
    flop: bool | None = field(default=None, compare=False)  # whether one was dealt

    @property
    def called_pot(self) -> int | None:
        """The pot less what nobody called (8.5)."""
        if self.pot is None:
            return None
        return max(0, self.pot - (self.uncalled or 0))

    def over(self, before: Figures) -> Figures:
        """These, and where they are silent those from before."""
        silent = [name for name in (*FIGURE_NAMES, "flop") if getattr(self, name) is None]
        return replace(self, **{name: getattr(before, name) for name in silent})

    def beside(self, before: Figures) -> dict[str, list[int | None]]:
        """Those that were something else before: what they were, and are."""
        pairs = {name: [getattr(before, name), getattr(self, name)] for name in FIGURE_NAMES}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    def contradict(self, before: Figures) -> bool:
        """Whether one of them was said otherwise before."""
        pairs = ((getattr(self, name), getattr(before, name)) for name in FIGURE_NAMES)
        return any(None not in pair and pair[0] != pair[1] for pair in pairs)


FIGURE_NAMES = ("pot", "uncalled", "commission", "drop")


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


def at_start(terms: JackpotTerms, deal: Deal) -> list[Contribution]:
    """The operator's contribution for such a round (19.3)."""
    return [
        Contribution(tier.code, part.into, "operator", part.amount)
        for tier in terms.tiers
        if tier.code not in terms.suspended and meets(tier, deal) and is_its_play(tier, deal)
        for part in tier.increments
        if isinstance(part, PerRound) and deal.players >= part.players_min and part.amount
    ]


@dataclass(frozen=True, slots=True)
class Feeds:
    """The tiers of a jackpot in view of one kind of round: `posted_tiers` get what is posted, if it
    is their play (`own`); `winnable`: the highest first."""

    terms: JackpotTerms
    posted_tiers: frozenset[str]
    own: frozenset[str]
    winnable: tuple[TierTerms, ...]

    @property
    def awaits_figures(self) -> bool:
        """Whether something is to be taken of the round's figures."""
        return any(tier.code in self.posted_tiers for tier, _ in _of_players(self.terms))

    def is_required(self, tier: TierTerms, figures: Figures) -> bool:
        """Whether something is to be taken of the round for the tier, as it is posted."""
        no_flop = tier.fed_by is not None and tier.fed_by.flop_dealt and figures.flop is False
        return tier.code in self.posted_tiers and not no_flop


def feeds(terms: JackpotTerms, deal: Deal) -> Feeds:
    """How rounds of this kind feed the jackpot: worked out once for all of them."""
    return Feeds(
        terms,
        frozenset(tier.code for tier in terms.tiers if meets(tier, deal)),
        frozenset(tier.code for tier in terms.tiers if is_its_play(tier, deal)),
        tuple(sorted((t for t in terms.tiers if can_win(t, deal)), key=lambda tier: tier.rank)),
    )


def at_completion(jackpot: Feeds, figures: Figures) -> tuple[list[Contribution], list[str]]:
    """Contributions of a completed round, and flags for figures that are missing or odd.

    What the posted terms need and the dealer did not give is flagged, never guessed: a
    supervisor supplies it by an adjustment. What is taken for a tier that the round does not feed
    is never lost: see `_elsewhere`. A drop is what was taken, whatever is posted.
    """
    terms = jackpot.terms
    credited: list[Contribution] = []
    homeless: dict[PlayerSource, int] = defaultdict(int)
    flags: set[str] = set()
    bases: dict[PlayerSource, int | None] = {
        "pot": figures.called_pot,
        "commission": figures.commission,
        "drop": figures.drop,
    }
    for tier, part in _of_players(terms):
        source = part.source
        is_required = jackpot.is_required(tier, figures)
        if source != "drop" and (tier.code in terms.suspended or not is_required):
            continue
        base = bases[source]
        if base is None:
            flags.add(f"{source}_missing")
            continue
        amount = share_of(base, part.basis_points)
        if not isinstance(part, FromDrop) and part.cap is not None:
            amount = min(amount, part.cap)
        if not amount:
            continue
        if is_required and tier.code in jackpot.own:
            credited.append(Contribution(tier.code, part.into, source, amount))
        else:
            homeless[source] += amount
    for source, amount in homeless.items():
        credited += _elsewhere(jackpot, figures, source, amount)
    return credited, sorted({*flags, *_odd(jackpot, figures)})


def _elsewhere(
    jackpot: Feeds, figures: Figures, source: PlayerSource, amount: int
) -> list[Contribution]:
    """Player money that was taken for tiers which the round does not feed.

    It goes to those that the round feeds from the same source, in proportion to their parts; else
    to those that it can win; else to the highest that it can win; else it is to be returned. What
    the proportion leaves is of the highest.
    """
    parts = sorted(
        (
            (tier, part)
            for tier, part in _of_players(jackpot.terms)
            if part.source == source and part.basis_points
            if source == "drop" or tier.code not in jackpot.terms.suspended
        ),
        key=lambda each: each[0].rank,
    )
    winnable = {tier.code for tier in jackpot.winnable}
    fed = [(t, p) for t, p in parts if jackpot.is_required(t, figures) and t.code in jackpot.own]
    heirs = fed or [(tier, part) for tier, part in parts if tier.code in winnable]
    if not heirs:
        highest = next(
            (
                t
                for t in jackpot.winnable
                if source == "drop" or t.code not in jackpot.terms.suspended
            ),
            None,
        )
        return [
            Contribution(TO_RETURN if highest is None else highest.code, "pool", source, amount)
        ]
    whole = sum(part.basis_points for _, part in heirs)
    amounts = [amount * part.basis_points // whole for _, part in heirs]
    amounts[0] += amount - sum(amounts)
    return [
        Contribution(tier.code, part.into, source, each)
        for (tier, part), each in zip(heirs, amounts, strict=True)
        if each
    ]


def _of_players(terms: JackpotTerms) -> Iterator[tuple[TierTerms, OfPlayers]]:
    for tier in terms.tiers:
        for part in tier.increments:
            if not isinstance(part, PerRound):
                yield tier, part


def _odd(jackpot: Feeds, figures: Figures) -> list[str]:
    """Figures that contradict the posted terms or rule 8: for a person to look at."""
    flags, terms = [], jackpot.terms
    if (figures.uncalled or 0) > (figures.pot or 0) and figures.pot is not None:
        flags.append("uncalled_above_pot")
    has_figures = figures.drop is not None and figures.called_pot is not None
    if terms.drop_steps and has_figures and figures.drop != _expected(jackpot, figures):
        flags.append("drop_variance")
    if figures.drop and not terms.drop_steps:
        flags.append("drop_not_posted")
    return flags + _commission(terms.commission, figures)


def _commission(posted: PostedCommission | None, figures: Figures) -> list[str]:
    """Commission that the rules, or what is posted, do not allow; one that nobody posted here is
    taken for a percentage without a limit."""
    flags = []
    is_percentage = posted is None or isinstance(posted, PercentageFee)
    of_blinds = isinstance(posted, PercentageFee) and posted.of_blinds_only
    if figures.commission and figures.blinds_only and is_percentage and not of_blinds:
        flags.append("commission_on_blinds_only")  # 8.6
    if figures.commission and figures.tied_alone and is_percentage:
        flags.append("commission_on_tie")  # 8.8
    most = None if posted is None else most_taken(rule_of(posted), figures.called_pot)
    if most is not None and (figures.commission or 0) > most:
        flags.append("commission_above_posted")  # 8.2, 8.7
    return flags


def _expected(jackpot: Feeds, figures: Figures) -> int:
    """What the posted steps take; nothing where no tier that has a part of it is fed."""
    parts = [tier for tier, part in _of_players(jackpot.terms) if part.source == "drop"]
    fed = (jackpot.is_required(tier, figures) and tier.code in jackpot.own for tier in parts)
    if parts and not any(fed):
        return 0
    return jackpot.terms.drop.due(RoundMoney(figures.called_pot or 0))
