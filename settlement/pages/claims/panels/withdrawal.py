"""What a claim's page says of a dealer's wish to withdraw the hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jackpot.models import Entry, Hit
from settlement.floor.rulings import withdrawals_of


def withdrawal_context(hit: Hit, entries: Iterable[Entry], user: Any) -> dict[str, Any]:
    """For `console/claims/withdrawal.html`."""
    withdrawals = withdrawals_of(hit, entries)
    may = bool(withdrawals) and user.has_perm("settlement.rule_round")
    return {
        "withdrawals": withdrawals,
        "may_keep_hand": may,
        "may_withdraw_hand": may and hit.state == "held",
    }
