"""What a sum of the dashboard is made of: the accounts, or the tables, that add up to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jackpot.models import Account, Tier
from settlement.reports.catalogue.liability import OF_TIERS, OWED
from tables.models import JackpotSystem

# By the code of a tile the kinds of accounts that it adds up.
KINDS: Mapping[str, tuple[str, ...]] = {
    "owed": (*OF_TIERS, *OWED),
    "reserve": ("reserve",),
    "held": ("held",),
    "payable": ("payable",),
}


@dataclass(frozen=True, slots=True)
class AccountRow:
    """What an account holds now, in micros; `tier` None: of no single prize."""

    system: JackpotSystem
    tier: Tier | None
    kind: str
    amount: int


def accounts_of(systems: Sequence[JackpotSystem], code: str) -> list[AccountRow]:
    """The accounts behind a tile that hold something, system by system."""
    by_pk = {each.pk: each for each in systems}
    rows = Account.objects.filter(system__in=by_pk).exclude(balance=0).select_related("tier")
    return [
        AccountRow(by_pk[row.system_id], row.tier, kind, row.balance)
        for row in rows.order_by("system__code", "code")
        if (kind := row.code.rpartition(":")[2]) in KINDS[code]
    ]
