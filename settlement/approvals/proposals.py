"""Decisions by two people that are not actions on an open claim: one proposes, a second agrees.

A proposal moves nothing. Whoever agrees queues the command in both names, and the one writer
judges it once more at its place. Each kind has a service of its own that says what is proposed
(`settlement.pools.adjustments`, `settlement.claims.decisions.reversals`,
`settlement.payments.services`).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from jackpot.writer import commands
from settlement.core import guards
from settlement.core.errors import (
    USED,
    Declined,
    KeyUsed,
    SamePerson,
    WrongState,
)
from settlement.core.input import required_text
from settlement.models import Claim, Proposal, ProposalDecision
from settlement.people.rights.permissions import Reauthenticated, require
from settlement.signatures import acts, policy, signing
from tables.models import JackpotSystem

# Who may propose, and who may agree.
PERMISSIONS: dict[str, tuple[str, str]] = {
    Proposal.Kind.ADJUST_POOL: ("propose_adjustment", "second_adjustment"),
    Proposal.Kind.REVERSE_CLAIM: ("propose_reversal", "second_reversal"),
    Proposal.Kind.REVERSE_REJECTION: ("propose_reversal", "second_reversal"),
    Proposal.Kind.FORFEIT: ("propose_forfeit", "second_forfeit"),
    Proposal.Kind.RESOLVE_DISPUTE: ("propose_resolution", "second_resolution"),
    Proposal.Kind.LIFT_HOLD: ("propose_lift", "second_lift"),
    Proposal.Kind.PUT_TERMS: ("propose_terms", "second_terms"),
    Proposal.Kind.CLOSE_TIER: ("propose_closing", "second_closing"),
    Proposal.Kind.MISSED_ROUNDS: ("credit_missed", "second_missed"),
    Proposal.Kind.REFUSE_ROUNDS: ("rule_round", "second_missed"),
    Proposal.Kind.MOVE_TABLE: ("propose_move", "second_move"),
    Proposal.Kind.SETTLE_ORDER: ("propose_order", "second_order"),
    Proposal.Kind.RESET_BOOTS: ("propose_boots", "second_boots"),
    Proposal.Kind.DELEGATE: ("propose_delegation", "second_delegation"),
    Proposal.Kind.CLOSE_DAY: ("propose_day_close", "second_day_close"),
    Proposal.Kind.PAY_EXCLUDED: ("propose_excluded", "second_excluded"),
    Proposal.Kind.SAME_PLAYER: ("propose_same_player", "second_same_player"),
    Proposal.Kind.CLOSE_MONTH: ("propose_day_close", "second_day_close"),
}
OF_A_CLAIM = (
    Proposal.Kind.REVERSE_CLAIM,
    Proposal.Kind.REVERSE_REJECTION,
    Proposal.Kind.FORFEIT,
    Proposal.Kind.RESOLVE_DISPUTE,
    Proposal.Kind.LIFT_HOLD,
    Proposal.Kind.SETTLE_ORDER,
    Proposal.Kind.DELEGATE,
    Proposal.Kind.PAY_EXCLUDED,
    Proposal.Kind.SAME_PLAYER,
)


def open_proposals() -> QuerySet[Proposal]:
    """What waits for a second person, the oldest first."""
    rows = Proposal.objects.filter(decision=None)
    rows = rows.select_related("person", "system__casino", "decision")
    return rows.prefetch_related("approvals__person")


def of_claim(claim: Claim) -> list[Proposal]:
    """Every proposal about a claim or a payment of it, the oldest first."""
    rows = Proposal.objects.filter(
        system=claim.system_id, kind__in=OF_A_CLAIM, subject=str(claim.number)
    )
    return list(rows.select_related("person", "decision__person", "system__casino"))


def propose(
    system: JackpotSystem,
    kind: str,
    subject: str,
    body: dict[str, Any],
    user: Any,
    key: uuid.UUID | None = None,
) -> Proposal:
    """Record a proposal; the same `key` again is the same proposal."""
    require(user, PERMISSIONS[kind][0], system)
    key = key or uuid.uuid4()
    earlier = Proposal.objects.filter(key=key).first()
    if earlier is not None:
        content = (
            earlier.system_id,
            earlier.kind,
            earlier.subject,
            earlier.body,
            earlier.person_id,
        )
        if content != (system.pk, kind, subject, body, user.pk):
            raise KeyUsed(USED)
        return earlier
    with guards.in_words():
        return Proposal.objects.create(
            system=system, kind=kind, subject=subject, body=body, person=user, key=key
        )


def withdraw(proposal: Proposal, user: Any, note: str) -> ProposalDecision:
    """Take a proposal back, with a note that says why."""
    require(user, PERMISSIONS[proposal.kind][0], proposal.system)
    note = required_text(note, _("Enter why the proposal is withdrawn."))
    require_open(proposal)
    return _decide(proposal, user, agreed=False, note=note)


def agree(
    proposal: Proposal, person: Reauthenticated, judge: Callable[[], str | None] | None = None
) -> commands.Answer:
    """A second person agrees; the writer's answer, without a number while it is queued.

    `judge` raises what else is in the way, inside the transaction that queues the command; what it
    says is kept as the note of the agreement.
    """
    user = person.user
    require(user, PERMISSIONS[proposal.kind][1], proposal.system)
    require_open(proposal)
    if proposal.person_id == user.pk:
        raise SamePerson(_("You proposed this: somebody else must approve it."))
    with guards.in_words():
        note = (judge() if judge is not None else None) or ""
        command = commands.queue(
            proposal.system,
            proposal.kind,
            proposal.body,
            first=proposal.person.get_username(),
            second=user.get_username(),
        )
        _decide(proposal, user, agreed=True, command=command, note=note)
    answer = commands.wait(proposal.system, command)
    if answer.refused:
        raise Declined(answer.refused)
    return answer


def require_open(proposal: Proposal) -> None:
    """Raise WrongState where somebody has decided on it."""
    decision = ProposalDecision.objects.filter(proposal=proposal).first()
    if decision is not None:
        raise WrongState(
            _("This proposal has been agreed to already: nothing was changed.")
            if decision.agreed
            else _("This proposal has been withdrawn already: nothing was changed.")
        )


def _decide(proposal: Proposal, user: Any, **fields: Any) -> ProposalDecision:
    """Record the end of a proposal, an agreement signed where the house wants it. The database
    judges once more that the people differ."""
    pen = signing.NO_PEN
    if fields["agreed"]:
        pen = signing.take_up(
            user,
            acts.on_proposal(proposal, user),
            lambda: policy.is_asked_of_proposal(proposal),
        )
    with guards.in_words():
        decision = ProposalDecision.objects.create(proposal=proposal, person=user, **fields)
    pen.sign("settlement_proposaldecision", decision.pk)
    return decision
