"""Reversing a confirmed or paid claim: reason, evidence, what came back, its own two people.

Neither of the two confirmed or paid the claim. Money that was recovered enters the present pool;
what was not is the operator's loss.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict, Unpack

from django.utils.translation import gettext as _

from jackpot.domain.command_handlers import METHODS, REVERSALS
from jackpot.hits.states import DECIDED
from jackpot.models import Hit
from jackpot.writer import commands
from settlement.approvals import action_log, proposals
from settlement.claims.services import hit_of, require_irregularity
from settlement.core.errors import BadReason, PartsDoNotAddUp, SamePerson, WrongState
from settlement.core.input import required_text
from settlement.models import Action, Claim, Proposal
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated, name_of, require

# Who did this to the claim does not undo it.
APART = (Action.Kind.CONFIRM, Action.Kind.PAY)


def reversals_of(claim: Claim) -> list[Proposal]:
    """Every proposal to reverse the claim, the oldest first."""
    kind = Proposal.Kind.REVERSE_CLAIM
    return [proposal for proposal in proposals.of_claim(claim) if proposal.kind == kind]


def open_reversal(claim: Claim) -> Proposal | None:
    """The proposal that waits for a second person."""
    return next(
        (proposal for proposal in reversals_of(claim) if not hasattr(proposal, "decision")), None
    )


class ReversalGround(TypedDict):
    """Why a claim is undone, and what came back of what was paid: micros by method.

    `irregularity`: which misdeal (R08) it was, or what made the hand dead (R10).
    """

    reason: str
    evidence: str
    recovered: Mapping[str, int]
    irregularity: NotRequired[str | None]


def propose(
    claim: Claim, user: Any, *, key: uuid.UUID | None = None, **ground: Unpack[ReversalGround]
) -> Proposal:
    """Propose to reverse a claim."""
    require(user, proposals.PERMISSIONS[Proposal.Kind.REVERSE_CLAIM][0], claim.system)
    reason, irregularity = ground["reason"], ground.get("irregularity")
    if reason not in REVERSALS:
        raise BadReason(_("Choose one of the reasons R01 to R14."))
    require_irregularity(reason, irregularity)
    evidence = required_text(
        ground["evidence"], _("Enter the evidence: footage reference, statement, photograph.")
    )
    with action_log.locked(claim):  # of two who propose at once the second sees the first
        hit = hit_of(claim)
        open_proposal = open_reversal(claim)
        if open_proposal is not None and open_proposal.key != key:
            raise WrongState(_("A reversal is proposed already: approve it, or withdraw it first."))
        _judge(claim, hit, user)
        back = {method: int(ground["recovered"].get(method, 0)) for method in METHODS}
        for method, amount in back.items():
            if not 0 <= amount <= sum(line.parts[method] for line in hit.payee_lines):
                raise PartsDoNotAddUp(
                    _("More %(method)s were recovered than were paid: correct the figures.")
                    % {"method": method}
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
    if hit.state not in DECIDED:
        raise WrongState(_("Only a confirmed or paid claim is reversed; an open one is rejected."))
    if claim.actions.filter(kind__in=APART, person=user).exists():
        raise SamePerson(
            _("%(name_of)s confirmed or paid this claim: somebody else must reverse it.")
            % {"name_of": name_of(user)}
        )
    staff_play.require_apart(claim, user)
