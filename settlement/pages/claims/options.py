"""What can be done with a claim now: each action with its form, or why this person cannot do it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.hits.columns import PayeeLine
from jackpot.models import Hit
from settlement.claims.claim_status import ClaimStatus
from settlement.claims.status import Standing
from settlement.core.words.translation import Labels
from settlement.models import Action, Claim
from settlement.pages.claims.queue.next_action import blocked_reason
from settlement.pages.shared.forms import (
    ActionForm,
    ConfirmForm,
    PasswordForm,
    VerifyForm,
    WithdrawForm,
)
from settlement.signatures import policy

Kind = Action.Kind

_LABELS = Labels(
    {
        Kind.VERIFY: gettext_noop("Verify"),
        Kind.AMEND: gettext_noop("Amend the report"),
        Kind.APPROVE: gettext_noop("Approve"),
        Kind.CONFIRM: gettext_noop("Confirm"),
        Kind.PROPOSE_REJECTION: gettext_noop("Propose a rejection"),
        Kind.SECOND_REJECTION: gettext_noop("Approve rejection"),
        Kind.WITHDRAW_REJECTION: gettext_noop("Withdraw the rejection"),
        Kind.PAY: gettext_noop("Pay"),
    }
)


# Those that take the password, or a signature in its place.
_SIGNED: dict[Kind, type[PasswordForm]] = {
    Kind.APPROVE: ConfirmForm,
    Kind.CONFIRM: ConfirmForm,
    Kind.SECOND_REJECTION: PasswordForm,
}


@dataclass(frozen=True, slots=True)
class Option:
    """An action that the claim's standing allows."""

    kind: str
    label: str
    blocked_reason: str
    form: ActionForm | None = None
    lines: tuple[PayeeLine, ...] = ()  # of a payment: who is still to be paid

    @property
    def is_open(self) -> bool:
        return not self.blocked_reason


def options(
    claim: Claim, hit: Hit, status: ClaimStatus, user: Any, bound: Mapping[str, Any]
) -> dict[str, Option]:
    """The actions that come into question, by their kind."""
    body = {"amount": hit.held if status.due is None else status.due}
    in_question = {}
    for kind in _in_question(status):
        blocked = blocked_reason(kind, status, user)
        signs = kind in _SIGNED and not blocked and policy.is_asked_of_action(claim, kind, body)
        in_question[str(kind)] = Option(
            kind,
            _("Enter the report") if kind == Kind.AMEND and hit.report is None else _LABELS[kind],
            blocked,
            _form(kind, bound, signed=signs),
            tuple(line for line in hit.payee_lines if line.is_payable) if kind == Kind.PAY else (),
        )
    return in_question


def _in_question(status: ClaimStatus) -> list[Kind]:
    confirm = Kind.APPROVE if status.approve else Kind.CONFIRM
    if status.standing in (Standing.CONFIRMED, Standing.CLOSED):
        supplement = [confirm] if status.due else []
        return [*([Kind.PAY] if status.to_pay else []), *supplement]
    if not status.is_held:
        return []
    if status.rejection_proposed:  # nothing else is decided meanwhile
        return [Kind.SECOND_REJECTION, Kind.WITHDRAW_REJECTION, Kind.AMEND]
    forward: dict[str, list[Kind]] = {
        Standing.REPORTED: [Kind.VERIFY],
        Standing.VERIFIED: [confirm],
    }
    return [*forward.get(status.standing, []), Kind.AMEND, Kind.PROPOSE_REJECTION]


def _form(kind: str, bound: Mapping[str, Any], *, signed: bool) -> ActionForm | None:
    if kind in bound:
        refused: ActionForm = bound[kind]
        return refused
    if kind in _SIGNED:
        return _SIGNED[Kind(kind)](signed=signed)
    forms: dict[Kind, type[ActionForm]] = {
        Kind.VERIFY: VerifyForm,
        Kind.WITHDRAW_REJECTION: WithdrawForm,
    }
    return forms[Kind(kind)]() if kind in forms else None
