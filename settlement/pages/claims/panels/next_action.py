"""Whose turn a claim is on its page, and the figures of its round that it waits for."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from jackpot.hits.states import HitState
from jackpot.models import Hit
from rules.eligibility import PENDING
from settlement.approvals.capacities import DELEGABLE
from settlement.claims.claim_status import ClaimStatus
from settlement.evidence.assessment import HandAssessment
from settlement.models import Action
from settlement.pages.claims.queue.next_action import (
    ALL_EXCLUDED,
    NOBODY_LEFT,
    PERMISSIONS,
    WAITS_FOR,
    NextAction,
    awaited,
    is_free,
    next_action,
)
from settlement.people.rights.permissions import name_of, who_may
from tables.models import JackpotSystem


def next_action_context(
    status: ClaimStatus, pending: set[str], no_shares: str, user: Any, system: JackpotSystem
) -> dict[str, Any]:
    """Whose turn it is. `pending`: figures that it waits for; `no_shares`: why nobody is paid."""
    coming = next_action(status, user)
    if "pot_pending" in pending and coming == NextAction(WAITS_FOR[Action.Kind.VERIFY]):
        coming = NextAction(_("Waits for the round’s completion"))
    return {
        "next_action": coming,
        "pending": pending,
        "amend_first": coming.kind == Action.Kind.AMEND
        or (coming.kind == Action.Kind.VERIFY and bool(no_shares)),
        **_deciders(status, coming, system),
    }


def _deciders(status: ClaimStatus, coming: NextAction, system: JackpotSystem) -> dict[str, Any]:
    """Where it is not this person's turn: who can do what the claim waits for; None: not asked."""
    kind = None if coming.kind else awaited(status)
    if kind is None or kind == Action.Kind.AMEND:
        return {"deciders": None}
    permission = PERMISSIONS[Action.Kind(kind)]
    people = who_may(permission, status.delegated, system)
    return {
        "deciders": [name_of(each) for each in people if is_free(kind, status, each)],
        "nobody_left": NOBODY_LEFT[Action.Kind(kind)],
        "all_excluded": ALL_EXCLUDED[Action.Kind(kind)],
        "delegable": permission in DELEGABLE,
    }


def pending_figures(hit: Hit, examination: HandAssessment) -> set[str]:
    """Codes of what the claim waits for before anybody can verify it (rule 10)."""
    verdict = examination.verdict
    if verdict is None or hit.tier is None or hit.state != HitState.HELD:
        return set()
    reasons = (reason for reason in verdict.reasons if reason.tier == hit.tier.code)
    return {reason.code for reason in reasons if reason.code in PENDING}
