"""The search: every finder asked for one person, who is shown what their roles open and no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from settlement.approvals.capacities import visible_to
from settlement.people.rights.permissions import may, require
from settlement.search import finders
from settlement.search.finders import Finder, Result, Scope
from settlement.search.query_text import Typed
from tables.visibility.scope import only

READS, SETS_UP = "view_claim", "view_set_up"
# What is of claims and tables, for who reads claims; the rest asks for itself.
_OF_THE_FLOOR: tuple[tuple[str, Finder], ...] = (
    (_("Claims"), finders.claims),
    (_("Slips"), finders.slips),
    (_("Rounds"), finders.rounds),
    (_("Order"), finders.entries),
    (_("Tables"), finders.tables),
    (_("Prizes"), finders.prizes),
)
_OF_THE_HOUSE: tuple[tuple[str, Finder], ...] = (
    (_("People"), finders.people),
    (_("Pages"), finders.pages),
    (_("Help"), finders.help_texts),
)


@dataclass(frozen=True, slots=True)
class Group:
    """Results of one kind under their heading."""

    title: str
    results: list[Result]


def search(user: Any, text: str) -> list[Group]:
    """What there is by that name, grouped; NotPermitted for who has no role.

    Of the casinos where a role of the person holds. Neither players nor anything else that is
    sealed is looked for.
    """
    reads = may(user, READS)
    if not reads:
        require(user, SETS_UP)
    typed = Typed(text)
    if not typed:
        return []
    scope = Scope(user)
    with only(visible_to(user)):
        groups = [
            Group(gettext(title), find(typed, scope))
            for title, find in (*(_OF_THE_FLOOR if reads else ()), *_OF_THE_HOUSE)
        ]
    return [group for group in groups if group.results]
