"""What was delegated on a claim, and whom one could ask: the panel of its page."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext_noop as _

from jackpot.hits.states import STANDING
from jackpot.models import Hit
from settlement.approvals.capacities import KIND, TAKES
from settlement.approvals.proposals import PERMISSIONS
from settlement.claims.claim_status import ClaimStatus
from settlement.core.input import LONGEST_TEXT
from settlement.core.words.translation import Labels
from settlement.models import Proposal
from settlement.pages.claims.queue.next_action import did_nothing
from settlement.people.rights.permissions import name_of, names_of, who_may

AS = Labels({"manager": _("casino manager"), "supervisor": _("game supervisor")})


def delegation_context(
    hit: Hit, status: ClaimStatus, proposals: list[Proposal], user: Any
) -> dict[str, Any]:
    """For `console/claims/delegation.html`: what was delegated, and whom one could ask."""
    delegations = [each for each in proposals if each.kind == KIND]
    first, second = (user.has_perm(f"settlement.{each}") for each in PERMISSIONS[KIND])
    apart = user.pk not in status.dealt_in
    decidable = hit.state in STANDING
    colleagues = []
    if first and apart and decidable:
        colleagues = [each for each in who_may(TAKES) if did_nothing(status, each) and each != user]
    names = names_of({login for each in delegations for login in _logins(each)})
    return {
        "delegations": [_row(each, names, user, second and apart) for each in delegations],
        "may_delegate": bool(colleagues),
        "to_ask": colleagues,
        "to_ask_names": ", ".join(name_of(each) for each in colleagues),
        "capacities": [(code, capfirst(words)) for code, words in AS.items()],
        "delegate_key": uuid.uuid4(),
        "longest_reason": LONGEST_TEXT,
    }


def _logins(proposal: Proposal) -> list[str]:
    return [proposal.body["person"], *proposal.body["left"]]


def _row(proposal: Proposal, names: dict[str, str], user: Any, may_agree: bool) -> dict[str, Any]:
    decision = getattr(proposal, "decision", None)
    is_own = user.pk == proposal.person_id or user.get_username() == proposal.body["person"]
    return {
        "proposal": proposal,
        "by": name_of(proposal.person),
        "person": names[proposal.body["person"]],
        "capacity": AS[proposal.body["capacity"]],
        "reason": proposal.body["reason"],
        "left": [names[login] for login in proposal.body["left"]],
        "is_open": decision is None,
        "second": name_of(decision.person) if decision is not None and decision.agreed else "",
        "may_agree": decision is None and may_agree and not is_own,
        "may_withdraw": decision is None and user.has_perm(f"settlement.{PERMISSIONS[KIND][0]}"),
    }
