"""The codes that a display shows from time to time: for each prize the way to its public page."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from jackpot.display.values import in_effect
from jackpot.models import Head
from jackpot.transparency import public_addresses
from tables.models import GamingTable


@dataclass(frozen=True)
class PublicCode:
    """A prize whose value everybody may check, where, and the code that leads there."""

    name: str
    address: str

    @property
    def svg(self) -> str:
        return public_addresses.qr_svg(self.address)

    @property
    def short(self) -> str:
        """The address as somebody types it."""
        return self.address.partition("://")[2].rstrip("/")


def public_codes(table: GamingTable) -> list[PublicCode]:
    """Of each prize at a table that grows; none where the house has no public address."""
    head = Head.objects.filter(system=table.system).first()
    if not settings.PUBLIC_ORIGIN or head is None:
        return []
    return [
        PublicCode(tier.name, public_addresses.of_tier(table.system.code, tier.code))
        for terms in in_effect(table.system_id, head.terms_number)
        if terms.is_at(table.code)
        for tier in sorted(terms.tiers, key=lambda tier: tier.rank)
        if tier.prize is None
    ]
