"""Systems, tables and pools as the API shows them. Selectors only, of a fixed number of queries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from jackpot.models import Account, Terms, Tier
from tables.intake.presence import is_heard
from tables.models import GamingTable, JackpotSystem


@dataclass(frozen=True, slots=True)
class Pool:
    """A tier as it stands; amounts in micros. `terms`: the version in effect."""

    system: str
    currency: str
    jackpot: str
    tier: str
    name: str
    rank: int
    value: int
    held: int
    reset: int
    terms: int


def systems() -> QuerySet[JackpotSystem]:
    """Every system with its casino, the end of its order and its tables with their presence."""
    tables = GamingTable.objects.select_related("presence").order_by("code")
    return (
        JackpotSystem.objects.select_related("casino", "head")
        .prefetch_related(Prefetch("tables", tables))
        .order_by("code")
    )


def pools(of: Iterable[JackpotSystem] | None = None) -> list[Pool]:
    """The tiers of these systems, or of all, by system, jackpot and rank."""
    tiers = Tier.objects.select_related("system__casino").prefetch_related(
        Prefetch("accounts", Account.objects.all(), to_attr="own_accounts")
    )
    terms = Terms.objects.order_by("number")
    if of is not None:
        chosen = [system.pk for system in of]
        tiers, terms = tiers.filter(system__in=chosen), terms.filter(system__in=chosen)
    tier_rows = list(tiers)  # before the terms: those that opened a tier are there when it is
    posted = {}
    for row in terms:
        for document in row.document["tiers"]:
            posted[row.system_id, document["code"]] = (row, document)
    rows = []
    for tier in tier_rows:
        row, document = posted[tier.system_id, tier.code]
        balances = {account.code: account.balance for account in tier.own_accounts}
        rows.append(
            Pool(
                system=tier.system.code,
                currency=tier.system.casino.currency,
                jackpot=row.jackpot,
                tier=tier.code,
                name=document["name"],
                rank=document["rank"],
                value=balances[f"{tier.code}:pool"],
                held=balances[f"{tier.code}:held"],
                reset=document["reset"],
                terms=row.number,
            )
        )
    return sorted(rows, key=lambda pool: (pool.system, pool.jackpot, pool.rank, pool.tier))


def is_online(table: GamingTable, now: dt.datetime) -> bool:
    """Whether the table's unit says so and has been heard within the last 30 s."""
    presence = getattr(table, "presence", None)
    return presence is not None and is_heard(presence, now)
