"""The guided tour: along the pages that a role works on, offered at the first log-in."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from settlement.help.pages import PAGES
from settlement.models import Preference
from settlement.people.log_ins.log_in import TOUR
from settlement.people.rights.roles import held

OVER = 0  # it was taken, or is not wanted
_BEGINS = {"home", "set-up"}  # where people come to after the log-in
_STOPS = {
    "Game supervisor": ("home", "claims", "tables", "irregularities", "incidents", "handover"),
    "Casino manager": ("home", "dashboard", "claims", "pools", "closing", "reconciliation"),
    "Cashier": ("home", "claims", "payouts", "drop", "handover"),
    "Surveillance": ("home", "claims", "tables", "incidents", "plays"),
    "Compliance": ("home", "dashboard", "reports", "closing", "exclusions", "audit-trail"),
    "Administrator": ("set-up", "people", "devices", "screens", "house-rules"),
}
_LAST = "help"


@dataclass(frozen=True, slots=True)
class Stop:
    """A page of the tour, in the language of now; `number` from 1 on, of so many."""

    number: int
    count: int
    page: str
    title: str
    purpose: str

    @property
    def before(self) -> int:
        """The number of the one before; 0 at the first."""
        return self.number - 1

    @property
    def after(self) -> int:
        """The number of the next one; 0 at the last, where the tour is over."""
        return self.number + 1 if self.number < self.count else OVER


def pages_of(user: Any) -> tuple[str, ...]:
    """The pages of a person's tour: those of the first of their roles, and the help."""
    names = held(user).names
    stops = next((pages for role, pages in _STOPS.items() if role in names), ())
    return (*stops, _LAST) if stops else ()


def stop_at(user: Any, number: int) -> Stop | None:
    """A page of a person's tour by its number; none beyond its ends."""
    pages = pages_of(user)
    if not 1 <= number <= len(pages):
        return None
    name = pages[number - 1]
    page = PAGES[name]
    return Stop(number, len(pages), name, gettext(page.title), gettext(page.purpose))


def shown_on(user: Any, session: MutableMapping[str, Any], page: str) -> dict[str, Any]:
    """What a page says of the tour: its stop, or at the first log-in the offer. No query."""
    number = session.get(TOUR)
    if number:
        stop = stop_at(user, number)
        return {"tour": stop} if stop is not None and stop.page == page else {}
    is_new = TOUR in session and number is None
    return {"tour_is_offered": is_new and page in _BEGINS and bool(pages_of(user))}


def go_to(user: Any, session: MutableMapping[str, Any], number: int) -> Stop | None:
    """Keep how far the person is, on every device; the stop, or none where the tour is over."""
    stop = stop_at(user, number)
    reached = stop.number if stop is not None else OVER
    look = {"theme": "", "text_size": ""}  # nothing chosen
    Preference.objects.update_or_create(
        person_id=user.pk, defaults={"tour": reached}, create_defaults={**look, "tour": reached}
    )
    session[TOUR] = reached
    return stop
