"""Releasing the payment to a player who is on a list: one person proposes it, compliance agrees.

It is a command, so that the order keeps which matches the two looked at, and why they do not keep
the payment back. A match that comes later stops it again.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from jackpot.hits.states import STANDING
from jackpot.models import Hit
from jackpot.writer import commands
from settlement.approvals import action_log, proposals
from settlement.core.errors import WrongState
from settlement.core.input import required_text
from settlement.exclusions import stops
from settlement.models import Claim, Proposal
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated, require

KIND = Proposal.Kind.PAY_EXCLUDED


def propose(
    claim: Claim, user: Any, seat: int, reason: str, *, key: uuid.UUID | None = None
) -> Proposal:
    """Propose to pay the player of a seat all the same."""
    require(user, proposals.PERMISSIONS[KIND][0], claim.system)
    words = required_text(reason, _("Enter why this person may be paid, and on what evidence."))
    with action_log.locked(claim):
        staff_play.require_apart(claim, user)
        open_proposal = open_release(proposals.of_claim(claim), seat)
        if open_proposal is not None and open_proposal.key != key:
            raise WrongState(_("This is proposed already: approve it, or withdraw it first."))
        body = {
            "hit": claim.number,
            "seat": seat,
            "matches": open_proposal.body["matches"] if open_proposal else _matches(claim, seat),
            "reason": words,
        }
        return proposals.propose(claim.system, KIND, str(claim.number), body, user, key)


def agree(proposal: Proposal, person: Reauthenticated) -> commands.Answer:
    """A second person agrees: the payment goes on where it stood."""
    claim = Claim.objects.select_related("system").get(
        system=proposal.system_id, number=int(proposal.subject)
    )

    def judge() -> None:
        Claim.objects.select_for_update().get(pk=claim.pk)
        for each in (proposal.person, person.user):
            staff_play.require_apart(claim, each)
        if _matches(claim, proposal.body["seat"]) != proposal.body["matches"]:
            raise WrongState(
                _("The lists changed since this was proposed: withdraw it and propose it again.")
            )

    return proposals.agree(proposal, person, judge)


def open_release(claim_proposals: Iterable[Proposal], seat: int) -> Proposal | None:
    """The release of a seat that waits for a second person, among a claim's proposals."""
    return next(
        (
            each
            for each in claim_proposals
            if each.kind == KIND and each.body["seat"] == seat and not hasattr(each, "decision")
        ),
        None,
    )


def _matches(claim: Claim, seat: int) -> list[int]:
    hit = Hit.objects.get(system=claim.system_id, number=claim.number)
    if hit.state not in STANDING:
        raise WrongState(_("Nothing of this claim is left to pay."))
    matches = sorted(match.number for match in stops.of_claim(claim).get(seat, ()))
    if not matches:
        raise WrongState(_("The player of this seat is on no list: nothing stops the payment."))
    return matches
