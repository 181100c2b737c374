"""Where every pool stands: balances, terms, open claims, last hit. A fixed number of queries."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Max, Q, TextField
from django.db.models.functions import Cast

from jackpot.hits.states import OPEN_STATES
from jackpot.models import Account, Head, Hit, Terms, Tier
from jackpot.storage.stored_terms import parsed
from jackpot.terms.contributions import TO_RETURN
from jackpot.terms.document import JackpotTerms, TierTerms
from tables.models import JackpotSystem


@dataclass(frozen=True, slots=True)
class Posted:
    """A version of a jackpot's terms, read."""

    number: int
    effective_seq: int
    terms: JackpotTerms


@dataclass(frozen=True, slots=True)
class Pool:
    """A tier as it stands; amounts in micros. Without `terms` it is no longer posted."""

    tier: Tier
    name: str
    terms: TierTerms
    posted: Posted
    is_posted: bool
    value: int
    held: int
    reserve: int
    overflow: int
    open_claims: int
    last_hit_at: dt.datetime | None

    @property
    def system(self) -> JackpotSystem:
        return self.tier.system

    @property
    def state(self) -> str:
        """`open`, or `suspended`."""
        return "suspended" if self.tier.code in self.posted.terms.suspended else "open"


@dataclass(slots=True)
class Jackpot:
    """One jackpot with its pools, the highest prize first."""

    posted: Posted
    pools: list[Pool] = field(default_factory=list)

    @property
    def is_player_funded(self) -> bool:
        return self.posted.terms.funding == "players"


@dataclass(slots=True)
class PoolStatus:
    """One system with its jackpots."""

    system: JackpotSystem
    head: Head | None
    jackpots: list[Jackpot] = field(default_factory=list)
    to_return: int = 0  # kept to be returned to players; see `with_to_return`


def with_to_return(rows: list[PoolStatus]) -> list[PoolStatus]:
    """The same, with what is kept to be returned to players of each system."""
    balances = dict(Account.objects.filter(code=TO_RETURN).values_list("system_id", "balance"))
    for standing in rows:
        standing.to_return = balances.get(standing.system.pk, 0)
    return rows


def pool_statuses() -> list[PoolStatus]:
    """Every system with its jackpots and pools."""
    systems = list(JackpotSystem.objects.select_related("casino", "head").order_by("name", "pk"))
    posted = posted_terms(systems)
    pools: dict[tuple[int, str], list[Pool]] = defaultdict(list)
    for pool in pools_of(systems, posted):
        pools[pool.tier.system_id, pool.posted.terms.code].append(pool)
    return [
        PoolStatus(
            system,
            getattr(system, "head", None),
            [
                Jackpot(
                    versions[-1],
                    sorted(pools[system.pk, code], key=lambda pool: (pool.terms.rank, pool.name)),
                )
                for (of, code), versions in sorted(posted.items())
                if of == system.pk
            ],
        )
        for system in systems
    ]


def posted_terms(systems: Iterable[JackpotSystem]) -> dict[tuple[int, str], list[Posted]]:
    """Every version of the terms, oldest first, by system id and jackpot."""
    versions: dict[tuple[int, str], list[Posted]] = defaultdict(list)
    rows = Terms.objects.filter(system__in=systems).order_by("system", "number")
    for system, jackpot, number, effective, document in rows.values_list(
        "system", "jackpot", "number", "effective_seq", Cast("document", TextField())
    ):
        versions[system, jackpot].append(Posted(number, effective, parsed(document)))
    return versions


def pools_of(
    systems: Iterable[JackpotSystem],
    posted: dict[tuple[int, str], list[Posted]],
    tiers: Iterable[Tier] | None = None,
) -> list[Pool]:
    """The pools of these systems' tiers, or of the given tiers only."""
    if tiers is None:
        tiers = Tier.objects.filter(system__in=systems).select_related("system__casino")
    tier_list = list(tiers)
    balances: dict[int, dict[str, int]] = defaultdict(dict)
    for tier_id, code, balance in Account.objects.filter(tier__in=tier_list).values_list(
        "tier_id", "code", "balance"
    ):
        balances[tier_id][code.partition(":")[2]] = balance
    hits: dict[int | None, Any] = {
        row["tier_id"]: row
        for row in Hit.objects.filter(tier__in=tier_list)
        .values("tier_id")
        .annotate(open=Count("pk", filter=Q(state__in=OPEN_STATES)), last=Max("at"))
        .order_by()
    }
    rows = []
    for tier in tier_list:
        versions = posted[tier.system_id, tier.jackpot]
        version, terms = _newest(versions, tier.code)
        tier_balances, hit_summary = balances[tier.pk], hits.get(tier.pk, {"open": 0, "last": None})
        rows.append(
            Pool(
                tier=tier,
                name=terms.name,
                terms=terms,
                posted=version,
                is_posted=version is versions[-1],
                value=tier_balances["pool"],
                held=tier_balances["held"],
                reserve=tier_balances["reserve"],
                overflow=tier_balances["overflow"],
                open_claims=hit_summary["open"],
                last_hit_at=hit_summary["last"],
            )
        )
    return rows


def _newest(versions: list[Posted], code: str) -> tuple[Posted, TierTerms]:
    """The newest version that posts the tier; one that opened it is always there."""
    return next(
        (version, tier)
        for version in reversed(versions)
        for tier in version.terms.tiers
        if tier.code == code
    )
