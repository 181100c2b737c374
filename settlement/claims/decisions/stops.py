"""What stops a claim: a player's dispute, noted by staff, a regulator's hold, or its clock.

One person opens a dispute or a hold, the fold an order in question
(`jackpot.domain.play.clock_disputes`); two people end each. A hand that the rules fail on is
stopped until a report of it is judged. While a stop is open nothing of the claim is confirmed,
paid, booked as unclaimed or forfeited: asked here, once more by the writer at the command's place,
and by the database.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from jackpot.hits.columns import Stop
from jackpot.hits.states import StopKind
from jackpot.models import Hit
from jackpot.writer import commands
from settlement.approvals import action_log, proposals
from settlement.approvals.action_log import Decision
from settlement.claims.services import hit_of
from settlement.core.errors import WrongState
from settlement.core.input import required_text
from settlement.evidence.assessment import no_verdict
from settlement.models import Action, Claim, Proposal
from settlement.people.rights.permissions import Reauthenticated, require

# By the kind of a stop: the action that opens it and who may, and the proposal that ends it.
OPENING = {StopKind.DISPUTE: Action.Kind.DISPUTE, StopKind.HOLD: Action.Kind.HOLD}
MAY_OPEN = {StopKind.DISPUTE: "open_dispute", StopKind.HOLD: "place_hold"}
ENDING = {
    StopKind.DISPUTE: Proposal.Kind.RESOLVE_DISPUTE,
    StopKind.HOLD: Proposal.Kind.LIFT_HOLD,
    StopKind.ORDER: Proposal.Kind.SETTLE_ORDER,
}


def open_stop(
    claim: Claim, user: Any, kind: str, reason: str, *, key: uuid.UUID | None = None
) -> commands.Answer:
    """Stop the claim; `kind` is `dispute` or `hold`, `reason` what is said against it."""
    kind_of_action = OPENING[StopKind(kind)]
    require(user, MAY_OPEN[StopKind(kind)], claim.system)
    reason_text = required_text(
        reason, _("Enter what is disputed, or what the regulator asks for.")
    )
    with action_log.locked(claim):
        action = action_log.already_done(claim, kind_of_action, user, key, note=reason_text)
        if action is None:
            hit = hit_of(claim)
            body = {"hit": hit.number, "reason": reason_text}
            number = action_log.queue(claim, kind_of_action, body, user)
            action = action_log.record(
                claim, hit, user, Decision(kind_of_action, {"note": reason_text}, number), key
            )
    return action_log.answer_of(claim, action)


def propose_end(
    claim: Claim, user: Any, stop: int, finding: str, *, key: uuid.UUID | None = None
) -> Proposal:
    """Propose to end the stop that the entry `stop` opened, with what was found."""
    hit = hit_of(claim)
    of = _open(hit, stop).kind
    if of == StopKind.VERDICT:
        raise no_verdict()
    kind = ENDING[of]
    require(user, proposals.PERMISSIONS[kind][0], claim.system)
    finding_text = required_text(finding, _("Enter what was found, and on what evidence."))
    open_proposal = open_end(proposals.of_claim(claim), stop)
    if open_proposal is not None and open_proposal.key != key:
        raise WrongState(_("This is proposed already: approve it, or withdraw it first."))
    body = {"hit": hit.number, "stop": stop, "finding": finding_text}
    return proposals.propose(claim.system, kind, str(claim.number), body, user, key)


def agree_end(proposal: Proposal, person: Reauthenticated) -> commands.Answer:
    """A second person agrees: the claim goes on where it stood."""
    claim = Claim.objects.select_related("system").get(
        system=proposal.system_id, number=int(proposal.subject)
    )

    def judge() -> None:
        Claim.objects.select_for_update().get(pk=claim.pk)
        _open(hit_of(claim), proposal.body["stop"])

    return proposals.agree(proposal, person, judge)


def open_end(claim_proposals: Iterable[Proposal], stop: int) -> Proposal | None:
    """The proposal to end a stop that waits for a second person, among a claim's proposals."""
    return next(
        (
            each
            for each in claim_proposals
            if each.kind in ENDING.values()
            and each.body["stop"] == stop
            and not hasattr(each, "decision")
        ),
        None,
    )


def _open(hit: Hit, entry: int) -> Stop:
    for stop in hit.open_stops:
        if stop.entry == entry:
            return stop
    raise WrongState(_("What stopped this claim has been ended already, or was never opened."))
