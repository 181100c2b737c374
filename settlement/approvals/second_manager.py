"""Above the house's amount a claim is confirmed by two managers: one approves, the other confirms.
So it is with the adjustment of a pool: one approves, the other agrees.

The amount is a casino's own, set by its owner (`manage.py set_second_manager`); it is held against
all that the claim comes to with this confirmation, and against the adjustment with all that was
adjusted of that prize on the same gaming day. The database asks the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from jackpot.models import Hit
from settlement.core.errors import SamePerson, SecondManagerNeeded
from settlement.models import Action, Claim, Proposal, ProposalApproval, SecondManagerLimit
from settlement.people.permissions import may
from settlement.people.staff_play import WasDealtIn
from tables.models import Casino

_AGREEING = "second_adjustment"


def highest_of(casino: Casino | int) -> int | None:
    """What one manager may decide, in micros; None: anything."""
    newest = SecondManagerLimit.objects.filter(casino=casino).order_by("id").last()
    return newest.amount if newest is not None else None


def is_required(hit: Hit, amount: int) -> bool:
    """Whether confirming `amount` micros more takes a second manager."""
    return is_above(highest_of(hit.system.casino_id), hit.confirmed + amount)


def is_above(highest: int | None, amount: int) -> bool:
    """Whether `amount` is more than what one manager may decide, as `highest_of` says it."""
    return highest is not None and amount > highest


def body_of(hit: Hit, amount: int) -> dict[str, int]:
    """What an approval says: this amount, on top of what was confirmed before."""
    return {"amount": amount, "confirmed": hit.confirmed}


def approval_of(claim: Claim, hit: Hit, amount: int) -> Action | None:
    """The approval on which `amount` may be confirmed now."""
    actions = claim.actions.filter(kind=Action.Kind.APPROVE).select_related("person")
    able = actions.alias(own=WasDealtIn("claim", "person")).filter(own=False)
    return approval_among(able, hit, amount)


def approval_among(actions: Iterable[Action], hit: Hit, amount: int) -> Action | None:
    """The same among actions, in their order, of people who were not dealt in at the hand."""
    approved = (hit.report_entry, body_of(hit, amount))
    approvals = [action for action in actions if action.kind == Action.Kind.APPROVE]
    return next(
        (
            action
            for action in reversed(approvals)
            if (action.report_entry, action.body) == approved
        ),
        None,
    )


def require(claim: Claim, hit: Hit, user: Any, amount: int) -> None:
    """Refuse the confirmation of a large amount that no other manager has approved."""
    if not is_required(hit, amount):
        return
    approval = approval_of(claim, hit, amount)
    if approval is None:
        raise SecondManagerNeeded(
            _("This amount takes two managers: one approves it first, another confirms it.")
        )
    if approval.person_id == user.pk:
        raise SamePerson(_("You approved this amount: another manager must confirm it."))


def is_asked_of_adjustment(proposal: Proposal) -> bool:
    """Whether agreeing to the proposed adjustment now takes a second manager."""
    highest = highest_of(proposal.system.casino_id)
    if highest is None:
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT adjusted_on_this_day(%s, %s)", [proposal.system_id, proposal.subject]
        )
        today = int(cursor.fetchone()[0])
    return is_above(highest, today + abs(int(proposal.body["amount"])))


def approval_of_adjustment(proposal: Proposal) -> ProposalApproval | None:
    """The approval on which another manager may agree."""
    approvals = ProposalApproval.objects.filter(proposal=proposal).select_related("person")
    able = (
        each for each in approvals.order_by("-id") if may(each.person, _AGREEING, proposal.system)
    )
    return next(able, None)


def require_for_adjustment(proposal: Proposal, user: Any) -> None:
    """Refuse to agree to a large adjustment that no other manager has approved."""
    if not is_asked_of_adjustment(proposal):
        return
    approval = approval_of_adjustment(proposal)
    if approval is None:
        raise SecondManagerNeeded(
            _(
                "This adjustment, with what was adjusted of the prize today, takes two"
                " managers: one approves it first, another agrees."
            )
        )
    if approval.person_id == user.pk:
        raise SamePerson(_("You approved this adjustment: another manager must agree."))
