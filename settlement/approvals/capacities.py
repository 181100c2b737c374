"""What somebody may do on one claim: by their role, or because two people delegated it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from settlement.approvals import proposals
from settlement.models import Claim, Proposal
from settlement.people.rights.permissions import may, require
from settlement.people.rights.roles import held
from tables.visibility.rehearsals import rehearses
from tables.visibility.scope import Visible

KIND = Proposal.Kind.DELEGATE
# What somebody may do in a capacity, by code names of `settlement.people.rights.roles`.
CAPACITIES: dict[str, tuple[str, ...]] = {
    "manager": ("confirm_claim", "second_rejection"),
    "supervisor": ("verify_claim",),
}
DELEGABLE = frozenset(each for permissions in CAPACITIES.values() for each in permissions)
TAKES = "take_delegation"  # whom a decision can be delegated to


def require_for(claim: Claim, user: Any, permission: str) -> None:
    """As `people.permissions.require`; a delegation of this claim allows it as well, while one
    may take it."""
    if may(user, permission, claim.system):
        return
    permissions: frozenset[str] = frozenset()
    if may(user, TAKES):
        permissions = delegated(proposals.of_claim(claim)).get(user.get_username(), permissions)
    if permission not in permissions:
        require(user, permission, claim.system)


def visible_to(user: Any) -> Visible | None:
    """The casinos and systems whose roles somebody has; None: all of them. Inside a rehearsal:
    rehearsals alone, else none of them.

    Who decides on a claim of another house by delegation sees its system.
    """
    scope = held(user).visible
    if scope is None or not may(user, TAKES):
        return scope
    delegated_systems = frozenset(system for system, _ in delegated_to(user))
    rehearsals = held(user).rehearsals
    of_this_side = delegated_systems & rehearsals if rehearses() else delegated_systems - rehearsals
    return replace(scope, systems=scope.systems | of_this_side)


def delegated(claim_proposals: Iterable[Proposal]) -> dict[str, frozenset[str]]:
    """What was delegated by a claim's proposals: permissions by log-in."""
    permissions: dict[str, frozenset[str]] = {}
    for each in claim_proposals:
        decision = getattr(each, "decision", None)
        if each.kind == KIND and decision is not None and decision.agreed:
            rights = permissions.get(each.body["person"], frozenset())
            permissions[each.body["person"]] = rights.union(CAPACITIES[each.body["capacity"]])
    return permissions


def delegated_to(user: Any) -> dict[tuple[int, int], frozenset[str]]:
    """What was delegated to this person: permissions by system and claim number."""
    if not user.has_perm(f"settlement.{TAKES}"):
        return {}
    permissions: dict[tuple[int, int], frozenset[str]] = {}
    mine = Proposal.objects.filter(
        kind=KIND, decision__agreed=True, body__person=user.get_username()
    )
    for each in mine:
        claim = (each.system_id, int(each.subject))
        rights = permissions.get(claim, frozenset())
        permissions[claim] = rights.union(CAPACITIES[each.body["capacity"]])
    return permissions
