"""The steps of a casino as a person sees them: where each is done, and which comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from settlement.people.preferences.saved_views import USUAL
from settlement.set_up.steps import OPEN, Step, steps
from tables.models import Casino, JackpotSystem

# Who may not open the page of a step reads who does it.
NEEDED = {"terms": "settlement.view_claim", "displays": "settlement.view_claim"}


@dataclass(frozen=True)
class StepLine:
    """`address` is empty where this person may not go."""

    step: Step
    address: str
    is_next: bool


def step_lines(casino: Casino | None, reader: Any) -> list[StepLine]:
    """The steps of a casino in their order; without one the first is the form on the same page."""
    way = steps(casino)
    addresses = _addresses(casino) if casino else {"casino": "#new"}
    following = next((step.code for step in way if not step.is_done), "")
    return [
        StepLine(
            step,
            addresses.get(step.code, "") if _may_go(step.code, reader) else "",
            step.code == following,
        )
        for step in way
    ]


def _may_go(code: str, reader: Any) -> bool:
    return code not in NEEDED or reader.has_perm(NEEDED[code])


def _addresses(casino: Casino) -> dict[str, str]:
    page = reverse("set-up-casino", args=[casino.code])
    system = JackpotSystem.objects.for_money().filter(casino=casino).order_by("name", "pk").first()
    return {
        "casino": f"{page}#facts",
        "systems": f"{page}#new-system",
        "tables": reverse("set-up-tables", args=[system.code]) if system else f"{page}#new-system",
        "people": reverse("people"),
        "jurisdiction": reverse("jurisdiction", args=[casino.code]),
        "terms": reverse("terms"),
        "displays": f"{reverse('tables')}?{USUAL}",
        "rehearsal": reverse("rehearsal", args=[casino.code]),
        OPEN: f"{page}#steps",
    }
