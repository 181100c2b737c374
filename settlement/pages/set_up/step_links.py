"""The steps of a casino as a person sees them: where each is done, and which comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from settlement.models import SetUpProposal
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
    following = _following(way)
    return [
        StepLine(
            step,
            addresses.get(step.code, "") if _may_go(step.code, reader) else "",
            step.code == following,
        )
        for step in way
    ]


def _following(way: list[Step]) -> str:
    """The first that is open. One that may wait is left for later once somebody went past it."""
    through = max((place for place, step in enumerate(way) if step.is_done), default=0)
    left = {step.code for step in way[:through] if step.may_wait}
    return next((each.code for each in way if not each.is_done and each.code not in left), "")


def _may_go(code: str, reader: Any) -> bool:
    return code not in NEEDED or reader.has_perm(NEEDED[code])


def _addresses(casino: Casino) -> dict[str, str]:
    page = reverse("set-up-casino", args=[casino.code])
    rules = f"{reverse('house-rules')}?casino={casino.code}"
    system = JackpotSystem.objects.for_money().filter(casino=casino).order_by("name", "pk").first()
    return {
        "casino": f"{page}#facts",
        "systems": f"{page}#new-system",
        "tables": reverse("set-up-tables", args=[system.code]) if system else f"{page}#new-system",
        "people": reverse("people"),
        "jurisdiction": reverse("jurisdiction", args=[casino.code]),
        "amount": f"{rules}#{SetUpProposal.Kind.SECOND_MANAGER}",
        "keys": reverse("signing-keys"),
        "terms": reverse("terms"),
        "displays": f"{reverse('tables')}?{USUAL}",
        "rehearsal": reverse("rehearsal", args=[casino.code]),
        OPEN: f"{page}#steps",
    }
