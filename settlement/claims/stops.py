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

from jackpot.domain.state.verdicts import NO_VERDICT, STOP
from jackpot.models import Hit
from jackpot.writer import commands
from settlement.approvals import action_log, proposals
from settlement.claims.services import hit_of
from settlement.core.errors import WrongState
from settlement.core.input import required_text
from settlement.models import Act, Claim, Proposal
from settlement.people.permissions import Reauthenticated, require

# By the kind of a stop: the act that opens it and who may, and the proposal that ends it.
OPENING = {"dispute": Act.Kind.DISPUTE, "hold": Act.Kind.HOLD}
MAY_OPEN = {"dispute": "open_dispute", "hold": "place_hold"}
ENDING = {
    "dispute": Proposal.Kind.RESOLVE_DISPUTE,
    "hold": Proposal.Kind.LIFT_HOLD,
    "order": Proposal.Kind.SETTLE_ORDER,
}


def open_stops(hit: Hit) -> list[dict[str, Any]]:
    """The stops of a hit that nobody has ended."""
    return [stop for stop in hit.stops if stop["lifted"] is None]


def in_question_with(hit: Hit) -> list[int]:
    """The claims whose order to this one is in question, by open stops."""
    return sorted({number for stop in open_stops(hit) for number in stop.get("with", ())})


def open_stop(
    claim: Claim, user: Any, kind: str, reason: str, *, key: uuid.UUID | None = None
) -> commands.Answer:
    """Stop the claim; `kind` is `dispute` or `hold`, `reason` what is said against it."""
    require(user, MAY_OPEN[kind], claim.system)
    reason_text = required_text(reason, "Say what is disputed, or what the regulator asks for.")
    with action_log.locked(claim):
        act = action_log.already_done(claim, OPENING[kind], user, key, note=reason_text)
        if act is None:
            hit = hit_of(claim)
            body = {"hit": hit.number, "reason": reason_text}
            number = action_log.queue(claim, OPENING[kind], body, user)
            act = action_log.record(
                claim, OPENING[kind], user, hit, {"note": reason_text}, key, number
            )
    return action_log.answered(claim, act)


def propose_end(
    claim: Claim, user: Any, stop: int, finding: str, *, key: uuid.UUID | None = None
) -> Proposal:
    """Propose to end the stop that the entry `stop` opened, with what was found."""
    hit = hit_of(claim)
    of = _open(hit, stop)["kind"]
    if of == STOP:
        raise WrongState(NO_VERDICT.text)
    kind = ENDING[of]
    require(user, proposals.PERMISSIONS[kind][0], claim.system)
    finding_text = required_text(finding, "Say what was found, and on what evidence.")
    known = open_end(proposals.of_claim(claim), stop)
    if known is not None and known.key != key:
        raise WrongState("This is proposed already: agree to it, or withdraw it first.")
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


def _open(hit: Hit, stop: int) -> dict[str, Any]:
    for row in open_stops(hit):
        if row["entry"] == stop:
            return row
    raise WrongState("What stopped this claim has been ended already, or was never opened.")
