"""Reversing a confirmed or paid claim: reason, evidence, what came back, its own two people.

Neither of the two confirmed or paid the claim. Money that was recovered enters the present pool;
what was not is the operator's loss.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from jackpot.domain.command_handlers import METHODS, REVERSALS
from jackpot.models import Hit
from jackpot.writer import commands
from settlement.approvals import action_log, proposals
from settlement.claims.services import hit_of, require_irregularity
from settlement.core.errors import BadReason, PartsDoNotAddUp, SamePerson, WrongState
from settlement.core.input import required_text
from settlement.models import Act, Claim, Proposal
from settlement.people import staff_play
from settlement.people.permissions import Reauthenticated, name_of, require

# Who did this to the claim does not undo it.
APART = (Act.Kind.CONFIRM, Act.Kind.PAY)


def reversals_of(claim: Claim) -> list[Proposal]:
    """Every proposal to reverse the claim, the oldest first."""
    kind = Proposal.Kind.REVERSE_CLAIM
    return [proposal for proposal in proposals.of_claim(claim) if proposal.kind == kind]


def open_reversal(claim: Claim) -> Proposal | None:
    """The proposal that waits for a second person."""
    return next(
        (proposal for proposal in reversals_of(claim) if not hasattr(proposal, "decision")), None
    )


def propose(
    claim: Claim,
    user: Any,
    *,
    reason: str,
    evidence: str,
    recovered: Mapping[str, int],
    irregularity: str | None = None,
    key: uuid.UUID | None = None,
) -> Proposal:
    """Propose to reverse a claim; `recovered` in micros by method, of what was paid.

    `irregularity`: which misdeal (R08) it was, or what made the hand dead (R10).
    """
    require(user, proposals.PERMISSIONS[Proposal.Kind.REVERSE_CLAIM][0], claim.system)
    if reason not in REVERSALS:
        raise BadReason("Choose one of the reasons R01 to R14.")
    require_irregularity(reason, irregularity)
    evidence = required_text(
        evidence, "Say what the evidence is: footage reference, statement, photograph."
    )
    with action_log.locked(claim):  # of two who propose at once the second sees the first
        hit = hit_of(claim)
        known = open_reversal(claim)
        if known is not None and known.key != key:
            raise WrongState("A reversal is proposed already: agree to it, or withdraw it first.")
        _judge(claim, hit, user)
        back = {method: int(recovered.get(method, 0)) for method in METHODS}
        for method, amount in back.items():
            if not 0 <= amount <= sum(line["parts"][method] for line in hit.payees):
                raise PartsDoNotAddUp(
                    f"More {method} were recovered than were paid: correct the figures."
                )
        body = {
            "hit": hit.number,
            "reason": reason,
            "evidence": evidence,
            "recovered": back,
        }
        body |= {"irregularity": irregularity} if irregularity else {}
        kind = Proposal.Kind.REVERSE_CLAIM
        return proposals.propose(claim.system, kind, str(claim.number), body, user, key)


def agree(proposal: Proposal, person: Reauthenticated) -> commands.Answer:
    """A second person agrees: the claim is undone at this place."""
    claim = Claim.objects.select_related("system").get(
        system=proposal.system_id, number=int(proposal.subject)
    )

    def judge() -> None:
        Claim.objects.select_for_update().get(pk=claim.pk)  # nobody pays or confirms meanwhile
        for each in (proposal.person, person.user):
            _judge(claim, hit_of(claim), each)

    return proposals.agree(proposal, person, judge)


def _judge(claim: Claim, hit: Hit, user: Any) -> None:
    if hit.state not in ("confirmed", "paid"):
        raise WrongState("Only a confirmed or paid claim is reversed; an open one is rejected.")
    if claim.acts.filter(kind__in=APART, person=user).exists():
        raise SamePerson(
            f"{name_of(user)} confirmed or paid this claim: somebody else must reverse it."
        )
    staff_play.require_apart(claim, user)
