"""What a list is narrowed to besides its own choices: gaming days, amounts, a person."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import get_language, override

from jackpot.labels.figures import marks, write_amount
from settlement.core.gaming_day import Days
from settlement.core.input import read_amount
from settlement.pages.shared.choices import choice_of, days_of, shortcuts
from settlement.people.rights.permissions import name_of
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
    least, most = amounts_of(request, digits)
    person = choice_of(request, "person", (login for login, _ in people))
    return Narrowing(days_of(request), least, most, person, people)


def amounts_of(request: HttpRequest, digits: int) -> tuple[int | None, int | None]:
    """`least` and `most` of the address, the smaller one first; micros."""
    with override(_language_of_amounts(request)):
        least, most = _amount(request, "least", digits), _amount(request, "most", digits)
    if least is not None and most is not None and least > most:
        return most, least
    return least, most


def within(
    rows: QuerySet[Any],
    field: str,
    days: Days,
    casinos: Iterable[Casino],
    casino_of: str = "system__casino",
) -> QuerySet[Any]:
    """Those whose instant lies within these gaming days of its casino, which `casino_of` leads to.

    Casinos of one zone and one start of the day are asked for together; rows of no other are there.
    """
    if not (days.first or days.last):
        return rows
    spans: dict[Q, list[Casino]] = {}
    for casino in casinos:
        bounds = {f"{field}__gte": days.start(casino), f"{field}__lt": days.end(casino)}
        span = Q(**{name: instant for name, instant in bounds.items() if instant})
        spans.setdefault(span, []).append(casino)
    if len(spans) == 1:
        return rows.filter(*spans)
    either = (Q(**{f"{casino_of}__in": each}) & span for span, each in spans.items())
    return rows.filter(reduce(or_, either, Q(pk__in=())))


def _language_of_amounts(request: HttpRequest) -> str:
    """In which language the amounts of the address are written, whoever reads it: it may be kept,
    or sent to somebody else. Without a word: as in English."""
    return choice_of(request, "written", (code for code, _ in settings.LANGUAGES)) or "en"


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
    digits = casino.minor_digits if casino else 2
    return {
        "days": narrowing.days,
        **context_of_amounts(request, (narrowing.least, narrowing.most), digits),
        "person": narrowing.person,
        "people": narrowing.people,
        "shortcuts": shortcuts(request, casino) if casino else [],
    }


def context_of_amounts(
    request: HttpRequest, amounts: tuple[int | None, int | None], digits: int
) -> dict[str, Any]:
    """What `partials/amount_filter.html` asks for."""
    least, most = amounts
    return {
        "least": _typed(request, "least", least, digits),
        "most": _typed(request, "most", most, digits),
        "written": "" if marks()[0] == "." else get_language(),
    }


def _typed(request: HttpRequest, name: str, micros: int | None, digits: int) -> str:
    """As the reader's language writes it; what could not be read stays as it was typed."""
    text = request.GET.get(name, "")[:LONGEST_AMOUNT]
    return text if micros is None else write_amount(micros, digits)
