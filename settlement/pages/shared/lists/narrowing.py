"""What a list is narrowed to besides its own choices: gaming days, amounts, a person."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest

from settlement.core.gaming_day import Days
from settlement.core.input import read_amount
from settlement.pages.shared.choices import choice_of, days_of, shortcuts
from settlement.people.permissions import name_of
from tables.models import Casino

LONGEST_AMOUNT = 24


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Amounts in micros, both included; empty: all. `people`: who can be chosen, with names."""

    days: Days
    least: int | None
    most: int | None
    person: str
    people: tuple[tuple[str, str], ...]

    @property
    def person_name(self) -> str:
        return dict(self.people).get(self.person, "")

    def __bool__(self) -> bool:
        amounts = self.least is not None or self.most is not None
        return bool(self.days.first or self.days.last or amounts or self.person)


def narrowing_of(request: HttpRequest, digits: int, who: Iterable[Any]) -> Narrowing:
    """`from` and `to`, `least` and `most` in a currency of so many decimals, `person` of `who`."""
    people = tuple((each.get_username(), name_of(each)) for each in who)
    least, most = _amount(request, "least", digits), _amount(request, "most", digits)
    if least is not None and most is not None and least > most:
        least, most = most, least
    person = choice_of(request, "person", (login for login, _ in people))
    return Narrowing(days_of(request), least, most, person, people)


def _amount(request: HttpRequest, name: str, digits: int) -> int | None:
    """Micros; None where nothing was typed, or what is no amount, which is said."""
    text = request.GET.get(name, "").strip()[:LONGEST_AMOUNT]
    if not text:
        return None
    try:
        return read_amount(text, digits)
    except ValueError as error:
        messages.warning(request, str(error))
        return None


def context_of(request: HttpRequest, narrowing: Narrowing, casino: Casino | None) -> dict[str, Any]:
    """What `partials/list_filter.html` asks for."""
    return {
        "days": narrowing.days,
        "least": request.GET.get("least", "")[:LONGEST_AMOUNT],
        "most": request.GET.get("most", "")[:LONGEST_AMOUNT],
        "person": narrowing.person,
        "people": narrowing.people,
        "shortcuts": shortcuts(request, casino) if casino else [],
    }
