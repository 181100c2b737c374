"""Several payees of a claim paid in one go: each is judged by itself."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping

from django.conf import settings

from jackpot.writer import commands
from settlement.approvals import action_log
from settlement.claims import services as claims
from settlement.core.errors import RuleBroken
from settlement.models import Action, Claim
from settlement.people.permissions import Reauthenticated

Payments = Mapping[int, tuple[Mapping[str, int], uuid.UUID]]  # by line: parts, and the form's key


def pay_lines(
    claim: Claim, person: Reauthenticated, line_payments: Payments
) -> dict[int, commands.Answer | RuleBroken]:
    """Pay lines of `Hit.payees`, as `claims.pay` does each; what was refused is named by line.

    All are queued before the writer is waited for, so that many take no longer than one.
    """
    outcomes: dict[int, commands.Answer | RuleBroken] = {}
    actions: dict[int, Action] = {}
    for line, (parts, key) in line_payments.items():
        try:
            actions[line] = claims.queue_payment(claim, person, line, parts, key=key)
        except RuleBroken as refusal:
            outcomes[line] = refusal
    deadline = time.monotonic() + settings.CLAIM_WAIT_S
    for line, action in actions.items():
        try:
            outcomes[line] = action_log.answered(
                claim, action, max(0.0, deadline - time.monotonic())
            )
        except RuleBroken as refusal:
            outcomes[line] = refusal
    claims.catch_up(claim.system)
    return outcomes
