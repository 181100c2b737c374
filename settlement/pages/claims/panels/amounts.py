"""What a claim holds and how it came about, as its page says it."""

from __future__ import annotations

from typing import Any

from jackpot.labels.figures import write_percent
from jackpot.terms.money import BASIS_POINTS
from settlement.claims.detail import ClaimDetail
from settlement.pages.shared.amount_tables import in_order


def amounts_context(detail: ClaimDetail, names: dict[str, str]) -> dict[str, Any]:
    """The value of every tier at the time for settlement, and how the amount came about."""
    hit = detail.hit
    tier = hit.tier.code if hit.tier else None
    counting = _shown_that_counts(detail)
    values = [
        {
            "name": names.get(code, code),
            "value": value,
            "shown": hit.shown.get(code),
            "is_stale": code in hit.shown and code not in counting,
            "is_prize": code == tier,
        }
        for code, value in in_order(hit.values, names)
    ]
    return {"values": values, "derived": _derived(detail), "period": detail.period}


def _derived(detail: ClaimDetail) -> dict[str, Any] | None:
    """How the amount came about; None where nothing is held."""
    hit, amount = detail.hit, detail.held_amount
    if amount is None:
        return None
    terms, holding = amount.tier, amount.holding
    whole = hit.held if hit.closing is None else holding.held  # equal hands share it
    return {
        "pool": holding.before.pool,
        "value": amount.worth,
        "shown": amount.display_value,
        "unit": terms.payable_unit,
        "share": terms.share if terms.share != BASIS_POINTS else None,
        "percent": write_percent(terms.share),
        "prize": terms.prize,
        "rolled": holding.before.rolled if terms.prize is not None else 0,
        "whole": whole,
        "operator": whole - holding.from_pool,
    }


def _shown_that_counts(detail: ClaimDetail) -> dict[str, int]:
    """What the displays had shown, without prizes that were hit after their last message.

    Outcomes are sequential: an older message shows a prize that somebody else has hit (19.14).
    """
    hit, last = detail.hit, detail.last_places
    if hit.acts_at != hit.place:
        return {}
    sent_at = hit.shown_seq or 0
    return {code: value for code, value in hit.shown.items() if sent_at >= last.get(code, 0)}
