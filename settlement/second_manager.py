"""Above the house's amount a claim is confirmed by two managers: one approves, the other confirms.

The amount is a casino's own, set by its owner (`manage.py set_second_manager`); it is held against
all that the claim comes to with this confirmation. The database asks the same.
"""

from __future__ import annotations

from typing import Any

from jackpot.models import Hit
from settlement.errors import SamePerson, SecondManagerNeeded
from settlement.models import Act, Claim, SecondManagerLimit
from settlement.staff_play import WasDealtIn


def is_asked(hit: Hit, amount: int) -> bool:
    """Whether confirming `amount` micros more takes a second manager."""
    newest = SecondManagerLimit.objects.filter(casino=hit.system.casino_id).order_by("id").last()
    highest = newest.amount if newest is not None else None
    return highest is not None and hit.confirmed + amount > highest


def body_of(hit: Hit, amount: int) -> dict[str, int]:
    """What an approval says: this amount, on top of what was confirmed before."""
    return {"amount": amount, "confirmed": hit.confirmed}


def approval_of(claim: Claim, hit: Hit, amount: int) -> Act | None:
    """The approval on which `amount` may be confirmed now."""
    found = claim.acts.filter(
        kind=Act.Kind.APPROVE, report_entry=hit.report_entry, body=body_of(hit, amount)
    )
    found = found.alias(own=WasDealtIn("claim", "person")).filter(own=False)
    return found.select_related("person").last()


def require(claim: Claim, hit: Hit, user: Any, amount: int) -> None:
    """Refuse the confirmation of a large amount that no other manager has approved."""
    if not is_asked(hit, amount):
        return
    approval = approval_of(claim, hit, amount)
    if approval is None:
        raise SecondManagerNeeded(
            "This amount takes two managers: one approves it first, another confirms it."
        )
    if approval.person_id == user.pk:
        raise SamePerson("You approved this amount: another manager must confirm it.")
