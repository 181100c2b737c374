"""What may be paid of a claim's line now, and what the record of such a payment says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from jackpot.domain.command_handlers import METHODS, TAX
from jackpot.hits.columns import PayeeLine
from jackpot.hits.states import DECIDED, PAYABLE
from jackpot.models import Hit
from settlement.approvals import action_log
from settlement.core.errors import NotIdentified, PartsDoNotAddUp, WrongState
from settlement.exclusions import stops as exclusions
from settlement.jurisdiction import payments as jurisdiction
from settlement.jurisdiction.payments import PayeeStatement
from settlement.jurisdiction.persons_day import wait_for_others
from settlement.jurisdiction.words import in_words
from settlement.models import Claim


def amounts_of(parts: Mapping[str, int]) -> dict[str, int]:
    """The parts as the command says them: `tax` only where some is withheld. Micros."""
    amounts = {method: int(parts.get(method, 0)) for method in METHODS}
    tax = int(parts.get(TAX, 0))
    return amounts | ({TAX: tax} if tax else {})


def payment_record(
    claim: Claim, hit: Hit, line: int, amounts: Mapping[str, int], statement: PayeeStatement
) -> dict[str, Any]:
    """The body of the action of a payment that is possible now.

    BadWithholding where another amount is withheld than the rules of the place ask for, and the
    statement gives no reason; NotIdentified where they ask who the player is before so much is
    paid.
    """
    payee = _payable(claim, hit, line, amounts)
    wait_for_others(claim, payee.seat)
    needed = jurisdiction.requirements(claim, hit, [(payee, sum(amounts.values()))])[line]
    if rule := needed.wanted_first(amounts["cash"]):
        raise NotIdentified(
            _("Identify the player of seat %(seat)s first: %(rule)s (%(source)s).")
            % {
                "seat": payee.seat,
                "rule": in_words(rule, needed.casino.currency),
                "source": rule.source,
            }
        )
    withheld = jurisdiction.withholding(needed, amounts.get(TAX, 0), statement)
    body: dict[str, Any] = {"line": line, "seat": payee.seat, "parts": amounts}
    return body | ({} if withheld is None else {"withholding": withheld})


def _payable(claim: Claim, hit: Hit, line: int, amounts: Mapping[str, int]) -> PayeeLine:
    payee = hit.payee_line(line)
    if hit.state not in DECIDED or payee is None:
        raise WrongState(_("Only a confirmed claim is paid (19.12)."))
    action_log.require_no_stop(hit)
    if payee.rest == 0:
        raise WrongState(_("This payee has been paid already: reprint the slip instead."))
    if payee.state not in PAYABLE:
        raise WrongState(_("This payment is withheld: have it released first."))
    exclusions.require_none(claim, payee.seat)
    if min(amounts.values()) < 0 or not 0 < sum(amounts.values()) <= payee.rest:
        raise PartsDoNotAddUp(
            _("Enter an amount greater than zero and no more than the balance due.")
        )
    return payee
