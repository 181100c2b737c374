"""Reversing the rejection of a claim: reason, evidence, and two people who did not reject it.

The hand acts again at its own place and is judged by its newest report; the claim is open again.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _

from jackpot.hits.states import HitState
from jackpot.models import Hit
from jackpot.writer import commands
from settlement.approvals import action_log, proposals
from settlement.claims.services import hit_of
from settlement.core.errors import BadReason, SamePerson, WrongState
from settlement.core.input import LONGEST_TEXT, text_within
from settlement.models import Action, Claim, Proposal
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated, name_of, require

KIND = Proposal.Kind.REVERSE_REJECTION
# Who did this to the claim does not undo it.
APART = (Action.Kind.PROPOSE_REJECTION, Action.Kind.SECOND_REJECTION)


def open_reversal(claim: Claim) -> Proposal | None:
    """The proposal that waits for a second person."""
    reversals = (each for each in proposals.of_claim(claim) if each.kind == KIND)
    return next((each for each in reversals if not hasattr(each, "decision")), None)


def propose(
    claim: Claim, user: Any, *, reason: str, evidence: str, key: uuid.UUID | None = None
) -> Proposal:
    """Propose to reverse the rejection, on the newest report; nothing moves before a second
    person agrees."""
    require(user, proposals.PERMISSIONS[KIND][0], claim.system)
    texts = _texts(reason, evidence)
    with action_log.locked(claim):  # of two who propose at once the second sees the first
        hit = hit_of(claim)
        open_proposal = open_reversal(claim)
        if open_proposal is not None and open_proposal.key != key:
            raise WrongState(_("A reversal is proposed already: approve it, or withdraw it first."))
        _judge(claim, hit, user)
        body = {
            "hit": hit.number,
            "report_entry": hit.newest_report_entry,
            **texts,
        }
        return proposals.propose(claim.system, KIND, str(claim.number), body, user, key)


def _texts(reason: str, evidence: str) -> dict[str, str]:
    """What the proposal says; BadReason where a text is missing or too long."""
    reason_text, evidence_text = text_within(reason), text_within(evidence)
    if not reason_text:
        raise BadReason(
            _("Enter why the rejection was wrong, in at most %(longest)s characters.")
            % {"longest": LONGEST_TEXT}
        )
    if evidence_text is None:
        raise BadReason(
            _("%(what)s is too long: at most %(longest)s characters.")
            % {"what": _("Evidence"), "longest": LONGEST_TEXT}
        )
    if not evidence_text:
        raise BadReason(_("Enter the evidence: footage reference, statement, photograph."))
    return {"reason": reason_text, "evidence": evidence_text}


def agree(proposal: Proposal, person: Reauthenticated) -> commands.Answer:
    """A second person agrees: the claim is open again."""
    claim = Claim.objects.select_related("system").get(
        system=proposal.system_id, number=int(proposal.subject)
    )

    def judge() -> None:
        Claim.objects.select_for_update().get(pk=claim.pk)
        hit = hit_of(claim)
        for each in (proposal.person, person.user):
            _judge(claim, hit, each)
        if proposal.body["report_entry"] != hit.newest_report_entry:
            raise WrongState(
                _(
                    "The report was corrected since the reversal was proposed: withdraw the "
                    "proposal, read the report and decide again."
                )
            )

    return proposals.agree(proposal, person, judge)


def _judge(claim: Claim, hit: Hit, user: Any) -> None:
    if hit.state != HitState.REJECTED:
        raise WrongState(_("Only the rejection of a rejected claim is reversed."))
    if claim.actions.filter(kind__in=APART, person=user).exists():
        raise SamePerson(
            _(
                "%(name_of)s proposed or agreed to reject this claim: somebody else"
                " must reverse that."
            )
            % {"name_of": name_of(user)}
        )
    staff_play.require_apart(claim, user)
