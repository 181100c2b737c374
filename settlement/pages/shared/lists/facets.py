"""Choices, days and a text that narrow a list; the address has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from settlement.core.gaming_day import Days
from settlement.core.input import clean_text
from settlement.pages.shared.choices import choice_of
from settlement.people.rights.permissions import name_of

TEXT = "q"  # in the address
LONGEST = 100


@dataclass(frozen=True, slots=True)
class Facet:
    """One choice: `name` in the address, codes with their words, and the code chosen or nothing."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...]
    chosen: str

    def __bool__(self) -> bool:
        return bool(self.chosen)


def facet_of(
    request: HttpRequest, name: str, label: str, choices: Iterable[tuple[str, str]]
) -> Facet:
    """As the address has it; a code that is not among the choices is none."""
    pairs = tuple(choices)
    return Facet(name, label, pairs, choice_of(request, name, (code for code, _words in pairs)))


def person_facet(request: HttpRequest, label: str, *ids: QuerySet[Any]) -> Facet:
    """One of the people whose ids these queries give, such as of rows that the reader sees."""
    users = get_user_model().objects.defer("password").order_by("username")
    among = reduce(or_, (Q(pk__in=each) for each in ids))
    people = [(each.get_username(), name_of(each)) for each in users.filter(among)]
    return facet_of(request, "person", label, people)


def text_of(request: HttpRequest) -> str:
    """What was typed to look for."""
    return clean_text(request.GET.get(TEXT, ""), LONGEST)


def has_words(text: str, *parts: str) -> bool:
    """Whether each word that was typed stands somewhere in these texts, in whatever letters."""
    whole = " ".join(parts).casefold()
    return all(word in whole for word in text.casefold().split())


def context_of(
    request: HttpRequest, *facets: Facet, days: Days | None = None, has_text: bool = True
) -> dict[str, Any]:
    """What `partials/facets.html` asks for. A facet with one choice narrows nothing: left out."""
    text = text_of(request) if has_text else ""
    is_of_days = days is not None and bool(days.first or days.last)
    return {
        "facets": [each for each in facets if len(each.choices) > 1 or each.chosen],
        "facet_days": days,
        "has_facet_text": has_text,
        "facet_text": text,
        "is_narrowed": bool(text) or any(facets) or is_of_days,
    }
