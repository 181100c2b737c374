"""What players read of systems and prizes, in the language of now: as the house wrote it there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.translation import get_language

from jackpot.models import HouseLook

Names = Mapping[str, str]


def names_of(casino: int) -> Names:
    """By system or system/tier, where the house wrote another name in the language of now."""
    rows = HouseLook.objects.filter(casino=casino).values_list("names", flat=True)
    by_language = rows.first() or {}
    names: Names = by_language.get(get_language() or "en", {})
    return names


def renamed(lines: Iterable[str], names: Mapping[str, str]) -> list[str]:
    """Sentences with other names in the place of those of the terms; the longest first."""
    pairs = sorted(names.items(), key=lambda pair: -len(pair[0]))
    texts = []
    for line in lines:
        text = str(line)
        for name, other in pairs:
            text = text.replace(name, other)
        texts.append(text)
    return texts
