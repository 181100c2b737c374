"""Several payees of a claim paid in one go: each is judged by itself."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

from jackpot.writer import commands
from settlement.approvals import action_log
from settlement.claims import services as claims
from settlement.core.errors import RuleBroken
from settlement.jurisdiction.payments import NOTHING_STATED, PayeeStatement
from settlement.models import Action, Claim
from settlement.people.rights.permissions import Reauthenticated
from settlement.signatures import signing


@dataclass(frozen=True, slots=True)
class LinePayment:
    """What is paid of one line: micros by method, with `tax`; the key of its form."""

    parts: Mapping[str, int]
    key: uuid.UUID
    statement: PayeeStatement = NOTHING_STATED


def pay_lines(
    claim: Claim, person: Reauthenticated, line_payments: Mapping[int, LinePayment]
) -> dict[int, commands.Answer | RuleBroken]:
    """Pay lines of `Hit.payees`, as `claims.services.pay` does each; refusals by line.

    All are queued before the writer is waited for, so that many take no longer than one. Where the
    house wants them signed, one signature stands behind all (SignatureNeeded).
    """
    outcomes: dict[int, commands.Answer | RuleBroken] = {}
    to_sign: list[signing.Act] = []
    actions: dict[int, Action] = {}
    for line, payment in line_payments.items():
        try:
            actions[line] = claims.queue_payment(
                claim,
                person,
                line,
                payment.parts,
                statement=payment.statement,
                key=payment.key,
            )
        except RuleBroken as refusal:
            outcomes[line] = refusal
        except signing.SignatureNeeded as needed:
            to_sign += needed.acts
    if to_sign:  # all in one
        raise signing.SignatureNeeded(person.user, to_sign)
    deadline = time.monotonic() + settings.CLAIM_WAIT_S
    for line, action in actions.items():
        try:
            outcomes[line] = action_log.answer_of(
                claim, action, max(0.0, deadline - time.monotonic())
            )
        except RuleBroken as refusal:
            outcomes[line] = refusal
    claims.catch_up(claim.system)
    return outcomes
