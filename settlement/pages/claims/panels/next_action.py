"""Whose turn a claim is on its page, and the figures of its round that it waits for."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from jackpot.hit_columns import HitState
from jackpot.models import Hit
from rules.eligibility import PENDING
from settlement.approvals.capacities import DELEGABLE
from settlement.evidence.assessment import HandAssessment
from settlement.models import Action
from settlement.pages.claims.queue.steps import (
    DOERS,
    DOING,
    PERMISSIONS,
    WAITS_FOR,
    ClaimStatus,
    Turn,
    awaited,
    is_free,
    next_turn,
)
from settlement.people.permissions import name_of, who_may
from tables.models import JackpotSystem


def turn_context(
    stand: ClaimStatus, pending: set[str], no_shares: str, user: Any, system: JackpotSystem
) -> dict[str, Any]:
    """Whose turn it is. `pending`: figures that it waits for; `no_shares`: why nobody is paid."""
    turn = next_turn(stand, user)
    if "pot_pending" in pending and turn == Turn(WAITS_FOR[Action.Kind.VERIFY]):
        turn = Turn(_("Waits for the round’s completion"))
    return {
        "turn": turn,
        "pending": pending,
        "amend_first": turn.kind == Action.Kind.AMEND
        or (turn.kind == Action.Kind.VERIFY and bool(no_shares)),
        **_deciders(stand, turn, system),
    }


def _deciders(stand: ClaimStatus, turn: Turn, system: JackpotSystem) -> dict[str, Any]:
    """Where it is not this person's turn: who can do what the claim waits for; None: not asked."""
    kind = None if turn.kind else awaited(stand)
    if kind is None or kind == Action.Kind.AMEND:
        return {"deciders": None}
    permission = PERMISSIONS[Action.Kind(kind)]
    people = who_may(permission, stand.delegated, system)
    return {
        "deciders": [name_of(each) for each in people if is_free(kind, stand, each)],
        "to_do": DOING[Action.Kind(kind)],
        "others": DOERS[Action.Kind(kind)],
        "delegable": permission in DELEGABLE,
    }


def pending_figures(hit: Hit, examination: HandAssessment) -> set[str]:
    """Codes of what the claim waits for before anybody can verify it (rule 10)."""
    verdict = examination.verdict
    if verdict is None or hit.tier is None or hit.state != HitState.HELD:
        return set()
    reasons = (reason for reason in verdict.reasons if reason.tier == hit.tier.code)
    return {reason.code for reason in reasons if reason.code in PENDING}
