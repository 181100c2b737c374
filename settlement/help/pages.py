"""What each page is for, what its reader may do there, and the words and rules behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.models import Permission
from django.utils.translation import gettext

from settlement.help import glossary
from settlement.help.claims import CLAIMS
from settlement.help.entry import PageHelp
from settlement.help.floor import FLOOR
from settlement.help.glossary import Rule, Term
from settlement.help.money import MONEY
from settlement.help.own_pages import OWN
from settlement.help.set_up import SET_UP
from settlement.people.rights.roles import ROLE_NAMES, ROLES

PAGES: dict[str, PageHelp] = {**CLAIMS, **FLOOR, **MONEY, **SET_UP, **OWN}


@dataclass(frozen=True, slots=True)
class Act:
    """Something that is done on a page, and by which roles."""

    words: str
    roles: tuple[str, ...]
    is_own: bool  # the reader's role allows it


@dataclass(frozen=True, slots=True)
class Explained:
    """The help of one page for one reader, in the language of now."""

    name: str
    title: str
    purpose: str
    acts: tuple[Act, ...]
    terms: tuple[Term, ...]
    rules: tuple[Rule, ...]

    @property
    def own_acts(self) -> list[Act]:
        """What the reader can do here."""
        return [act for act in self.acts if act.is_own]

    @property
    def others_acts(self) -> list[Act]:
        """What others do here."""
        return [act for act in self.acts if not act.is_own]


def explain(name: str, may: Callable[[str], bool]) -> Explained:
    """The help of a page; `may` says of a code name whether the reader's role allows it.

    A KeyError, where no page has that name.
    """
    page = PAGES[name]
    terms = (glossary.term_of(word) for word in page.words)
    return Explained(
        name,
        gettext(page.title),
        gettext(page.purpose),
        tuple(_acts(page.acts, may)),
        tuple(dict.fromkeys(terms)),
        tuple(dict.fromkeys(rule for each in page.rules for rule in glossary.rules_by(each))),
    )


def _acts(codes: tuple[str, ...], may: Callable[[str], bool]) -> list[Act]:
    if not codes:
        return []
    words = dict(
        Permission.objects.filter(
            content_type__app_label="settlement", codename__in=codes
        ).values_list("codename", "name")
    )
    return [
        Act(gettext(words[code]), tuple(ROLE_NAMES[role] for role in _roles(code)), may(code))
        for code in codes
    ]


def _roles(code: str) -> list[str]:
    return [role for role, codes in ROLES.items() if code in codes]
