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
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from jackpot.models import Hit
from settlement.core.errors import SamePerson, SecondManagerNeeded
from settlement.models import Action, Claim, Proposal, ProposalApproval, SecondManagerLimit
from settlement.people.rights.permissions import may
from settlement.people.rights.staff_play import WasDealtIn

_AGREEING = "second_adjustment"


def in_force(casino: Any) -> QuerySet[SecondManagerLimit, int | None]:
    """What one manager may decide in that casino, in micros; no row: anything."""
    newest = SecondManagerLimit.objects.filter(casino=casino).order_by("-id")
    return newest.values_list("amount", flat=True)[:1]


def is_required(hit: Hit, amount: int) -> bool:
    """Whether confirming `amount` micros more takes a second manager.

    Of a hit read by `settlement.claims.status.hits` the limit is at hand.
    """
    if hasattr(hit, "one_manager"):
        return _is_above(hit.one_manager, hit.confirmed + amount)
    return _is_above(in_force(hit.system.casino_id).first(), hit.confirmed + amount)


def _is_above(limit: int | None, amount: int) -> bool:
    return limit is not None and amount > limit


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
            _("This amount needs two managers: one approves it first, another confirms it.")
        )
    if approval.person_id == user.pk:
        raise SamePerson(_("You approved this amount: another manager must confirm it."))


def is_asked_of_adjustment(proposal: Proposal) -> bool:
    """Whether agreeing to the proposed adjustment now takes a second manager."""
    limit = in_force(proposal.system.casino_id).first()
    if limit is None:
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT adjusted_on_this_day(%s, %s)", [proposal.system_id, proposal.subject]
        )
        today = int(cursor.fetchone()[0])
    return _is_above(limit, today + abs(int(proposal.body["amount"])))


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
