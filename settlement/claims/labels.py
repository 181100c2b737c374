"""What the amount of a claim is, in words."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from jackpot.hits.states import HitState
from jackpot.labels.claim_names import claim_name
from jackpot.models import Hit

# Any: a text is translated when it is shown.
_ENDED: dict[str, Any] = {
    HitState.REJECTED: _("Rejected"),
    HitState.REVERSED: _("Reversed"),
    HitState.PAIRED: _("Holds nothing"),
    HitState.WITHDRAWN: _("Withdrawn"),
    HitState.OUTRANKED: _("Outranked"),
}
_UNPAID = (HitState.REJECTED, HitState.WITHDRAWN, HitState.OUTRANKED)


def _is_candidate(hit: Hit) -> bool:
    """For a high hand whose period has not closed."""
    return hit.strength is not None and not hit.closing


def amount_caption(hit: Hit, *, has_forfeited: bool) -> Any:
    """What the amount of a claim is; `has_forfeited`: a payee's part was forfeited."""
    if hit.state in _ENDED:
        return _ENDED[hit.state]
    if _is_candidate(hit):
        return _("Candidate for the high hand")
    if hit.state == HitState.HELD:
        return _("Amount reserved")
    if hit.state != HitState.PAID:
        return _("Confirmed") if hit.held == hit.confirmed else _("Confirmed so far")
    if has_forfeited:
        return _("Closed, partly unpaid")
    return _("Paid") if hit.confirmed else _("Closed: nothing was due")


def no_amount(hit: Hit) -> Any:
    """What stands in place of a claim's amount; empty where there is one."""
    if hit.state in _UNPAID:
        return _("No payment")
    if _is_candidate(hit):
        return _("In the running")
    if hit.state == HitState.PAIRED:
        name = claim_name(hit.system.code, hit.unit_pairing.same or "")
        return _("Same hand as %(claim)s") % {"claim": name}
    if hit.state != HitState.CONFIRMED and not hit.tier_id:
        return _("Prize not known yet")
    return ""
