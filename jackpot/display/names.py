"""What players read of systems and prizes, in the language of now: as the house wrote it there."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import get_language
from msgspec import structs

from jackpot.models import HouseLook
from jackpot.terms.document import JackpotTerms

Names = Mapping[str, str]


def names_of(casino: int) -> Names:
    """By system or system/tier, where the house wrote another name in the language of now."""
    rows = HouseLook.objects.filter(casino=casino).values_list("names", flat=True)
    by_language = rows.first() or {}
    names: Names = by_language.get(get_language() or "en", {})
    return names


def own_names(system: str, names: Names) -> Names:
    """Those of one system's prizes, by the code of their tier."""
    before = f"{system}/"
    return {key.removeprefix(before): name for key, name in names.items() if key.startswith(before)}


def with_names(terms: JackpotTerms, system: str, names: Names) -> JackpotTerms:
    """The same terms, each prize by the name that the house gave it in the language of now."""
    tiers = [
        structs.replace(tier, name=names.get(f"{system}/{tier.code}", tier.name))
        for tier in terms.tiers
    ]
    return structs.replace(terms, tiers=tuple(tiers))
