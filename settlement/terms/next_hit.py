"""What the next hit of each prize would pay, and cost the house, by the terms in force and by new
ones: by the fold's own function, on the pools as they stand."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.domain.state.hits import ContributionTotals, PlacedHit, TierBalances, hold
from jackpot.models import Account, Tier
from jackpot.terms.document import JackpotTerms, TierTerms
from tables.models import JackpotSystem


@dataclass(frozen=True, slots=True)
class Cost:
    """What a hit pays, and what of it and of the pool's reset comes from the operator; micros."""

    pays: int
    house: int


@dataclass(frozen=True, slots=True)
class NextHit:
    """A prize by the terms in force and by new ones; None where they do not post it.

    `opening`: what the operator puts into the pool of a prize that is new.
    """

    name: str
    before: Cost | None
    after: Cost
    opening: int = 0

    @property
    def is_changed(self) -> bool:
        return self.before != self.after


def next_hits(
    system: JackpotSystem, before: JackpotTerms | None, after: JackpotTerms
) -> list[NextHit]:
    """Every prize of the new terms, the highest first."""
    old_tiers = {tier.code: tier for tier in (before.tiers if before else ())}
    balances_by_tier = _balances_by_tier(system)
    rows = []
    for tier in sorted(after.tiers, key=lambda tier: tier.rank):
        balances = balances_by_tier.get(tier.code)
        opening = tier.reset if balances is None else 0
        balances = balances or TierBalances(tier.reset)
        old = old_tiers.get(tier.code)
        cost = _cost(old, balances) if old is not None else None
        rows.append(NextHit(tier.name, cost, _cost(tier, balances), opening))
    return rows


def _cost(tier: TierTerms, balances: TierBalances) -> Cost:
    """A hit now, of whose pool displays show no more than it holds."""
    placed_hit = PlacedHit(
        0, 1, ContributionTotals(), tier.reset, tier.payable_unit, tier.share, prize=tier.prize
    )
    holding = hold(balances, placed_hit)
    return Cost(holding.held, holding.from_operator + holding.added + holding.top_up_operator)


def _balances_by_tier(system: JackpotSystem) -> dict[str, TierBalances]:
    balances = dict(
        Account.objects.filter(system=system, tier__isnull=False).values_list("code", "balance")
    )
    return {
        tier.code: TierBalances(
            balances[f"{tier.code}:pool"],
            balances[f"{tier.code}:reserve"],
            balances[f"{tier.code}:overflow"],
            tier.rolled,
        )
        for tier in Tier.objects.filter(system=system)
    }
