"""What can be done with a claim now: each act with its form, or why this person cannot do it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jackpot.models import Hit
from jackpot.terms.payees import PAYABLE, Line, rest
from settlement.models import Act
from settlement.pages.claims.queue.steps import ClaimStatus, blocked_reason
from settlement.pages.shared.forms import (
    ActForm,
    ConfirmForm,
    PasswordForm,
    VerifyForm,
    WithdrawForm,
)

Kind = Act.Kind

_LABELS = {
    Kind.VERIFY: "Verify",
    Kind.AMEND: "Amend the report",
    Kind.APPROVE: "Approve",
    Kind.CONFIRM: "Confirm",
    Kind.PROPOSE_REJECTION: "Propose a rejection",
    Kind.SECOND_REJECTION: "Agree to the rejection",
    Kind.WITHDRAW_REJECTION: "Withdraw the rejection",
    Kind.PAY: "Pay",
}


@dataclass(frozen=True, slots=True)
class Option:
    """An act that the claim's standing allows."""

    kind: str
    label: str
    blocked_reason: str
    form: ActForm | None = None
    lines: tuple[Line, ...] = ()  # of a payment: who is still to be paid

    @property
    def is_open(self) -> bool:
        return not self.blocked_reason


def options(hit: Hit, stand: ClaimStatus, user: Any, bound: Mapping[str, Any]) -> dict[str, Option]:
    """The acts that come into question, by their kind."""
    return {
        kind: Option(
            kind,
            "Enter the report" if kind == Kind.AMEND and hit.report is None else _LABELS[kind],
            blocked_reason(kind, stand, user),
            _form(kind, bound),
            tuple(line for line in hit.payees if rest(line) and line["state"] in PAYABLE)
            if kind == Kind.PAY
            else (),
        )
        for kind in _in_question(stand)
    }


def _in_question(stand: ClaimStatus) -> list[Kind]:
    confirm = Kind.APPROVE if stand.approve else Kind.CONFIRM
    if stand.standing in ("confirmed", "closed"):
        supplement = [confirm] if stand.due else []
        return [*([Kind.PAY] if stand.to_pay else []), *supplement]
    if not stand.is_held:
        return []
    if stand.rejection_proposed:  # nothing else is decided meanwhile
        return [Kind.SECOND_REJECTION, Kind.WITHDRAW_REJECTION, Kind.AMEND]
    forward = {"reported": [Kind.VERIFY], "verified": [confirm]}
    return [*forward.get(stand.standing, []), Kind.AMEND, Kind.PROPOSE_REJECTION]


def _form(kind: str, bound: Mapping[str, Any]) -> ActForm | None:
    if kind in bound:
        refused: ActForm = bound[kind]
        return refused
    made: dict[Kind, type[ActForm]] = {
        Kind.VERIFY: VerifyForm,
        Kind.APPROVE: ConfirmForm,
        Kind.CONFIRM: ConfirmForm,
        Kind.SECOND_REJECTION: PasswordForm,
        Kind.WITHDRAW_REJECTION: WithdrawForm,
    }
    return made[Kind(kind)]() if kind in made else None
