"""Who is paid, and what can be done with each payment of a claim, for this person.

A panel of the claim's page; the payments themselves are made at `settlement.pages.payments`.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.utils import timezone

from jackpot.hits.states import DECIDED, KEPT_BACK, UNPAID
from jackpot.models import Hit
from settlement.claims.detail import ClaimDetail
from settlement.evidence.sharers import won_by_seat
from settlement.jurisdiction.forms_due import forms_by_line
from settlement.models import Action, Proposal
from settlement.pages.claims.panels.parts import capacity
from settlement.payments.form_drafts import may_draft
from settlement.payments.services import open_forfeit, unclaimed_from
from settlement.people.rights.permissions import name_of

_FIELDS = ("line", "seat", "amount", "state", "rest")


def payment_context(detail: ClaimDetail, proposals: list[Proposal], user: Any) -> dict[str, Any]:
    """Who is paid: as confirmed, else as the rules would divide what is held now."""
    ways = payment_ways(detail.hit, proposals, user)
    names = {
        action.person.get_username(): name_of(action.person)
        for action in detail.actions
        if action.kind == Action.Kind.PAY
    }
    roles = [share.role for share in detail.shares]
    system = detail.hit.system
    payouts = [payout for share in detail.shares for payout in share.payouts]
    forms = forms_by_line(system.casino, payouts) if may_draft(user, system) else {}
    won = won_by_seat(detail.hit)
    first_lines = {share.seat: share.line for share in reversed(detail.shares)}
    shares = [
        {
            **{name: getattr(share, name) for name in _FIELDS},
            "handed": share.paid,
            "may_be_shared": won.get(share.seat, 0) > 0 and share.line == first_lines[share.seat],
            "capacity": capacity(share.role, roles),
            "ways": ways.get(share.line),
            "forms": forms.get(share.line, []),
            "payouts": [
                {"row": payout, "cashier": names.get(payout.cashier, payout.cashier)}
                for payout in share.payouts
            ],
        }
        for share in detail.shares
    ]
    return {
        "shares": shares,
        "no_shares": detail.division[1],
        "forfeited": detail.is_forfeited,
        "options_wait": any(each["release"] or each["forfeit_proposed"] for each in ways.values()),
    }


def payment_ways(hit: Hit, proposals: list[Proposal], user: Any) -> dict[int, dict[str, Any]]:
    """What `console/payments/options.html` offers, by line; nothing of a line without a rest."""
    left = [line for line in hit.payee_lines if line.rest]
    if hit.state not in DECIDED or not left:
        return {}
    may = {
        name: user.has_perm(f"settlement.{name}")
        for name in ("withhold_payment", "book_unclaimed", "propose_forfeit", "second_forfeit")
    }
    now, from_then = timezone.now(), unclaimed_from(hit)
    return {
        line.line: {
            "key": uuid.uuid4(),
            "withhold": may["withhold_payment"] and line.state in UNPAID,
            "release": may["withhold_payment"] and line.state in KEPT_BACK,
            "unclaimed": may["book_unclaimed"]
            and line.state in UNPAID
            and now >= from_then[line.line],
            "unclaimed_from": from_then[line.line] if line.state in UNPAID else None,
            **_forfeit(open_forfeit(proposals, line.line), may, user),
        }
        for line in left
    }


def _forfeit(waiting: Proposal | None, may: dict[str, bool], user: Any) -> dict[str, Any]:
    if waiting is None:
        return {"forfeit": may["propose_forfeit"], "forfeit_proposed": None}
    own = waiting.person_id == user.pk
    return {
        "forfeit": False,
        "forfeit_proposed": waiting,
        "forfeit_by": name_of(waiting.person),
        "agree_forfeit": may["second_forfeit"] and not own,
        "withdraw_forfeit": may["propose_forfeit"],
        "forfeit_is_own": own,
    }
