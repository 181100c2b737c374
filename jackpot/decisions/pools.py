"""Manual adjustments of a pool: closed reasons, evidence, two people; at their own place."""

from __future__ import annotations

from typing import Literal

from jackpot.books import Books
from jackpot.decisions.basis import Body, Reason, Refused, two_people
from jackpot.entries import CommandEntry, Outcome
from jackpot.hits import Correction
from jackpot.resettle import correct_tier
from jackpot.terms import SignedMicros

ADJUSTMENTS = {
    "A01": "Missed round (19.19)",
    "A02": "Malfunction (19.20)",
    "A03": "Round recorded twice",
    "A04": "Drop or pot keyed wrongly",
    "A05": "Terms set wrongly",
    "A06": "Count variance",
    "A07": "Display was higher (19.14(a))",
    "A08": "Recovered payment",
    "A09": "Transfer in or out",
    "A10": "Regulator's direction",
}


class AdjustPool(Body, frozen=True, kw_only=True):
    """`amount` micros to a tier's pool or reserve (above 0) or back to `source` (below)."""

    tier: str
    into: Literal["pool", "reserve"] = "pool"
    source: Literal["operator", "pot", "commission", "drop"]
    amount: SignedMicros
    reason: str
    evidence: Reason


def adjust_pool(books: Books, entry: CommandEntry, body: AdjustPool) -> Outcome:
    """Two people adjust a pool; no earlier hit changes, and nothing goes below zero.

    What neither pool nor reserve can give back, the operator gives.
    """
    two_people(entry)
    if body.tier not in books.fed:
        raise Refused(f"There is no tier {body.tier} on this system.")
    if body.tier in books.closed:
        raise Refused(f"The tier {body.tier} was closed: adjust the pool that took its money.")
    if body.reason not in ADJUSTMENTS:
        raise Refused("Choose one of the closed reasons A01 to A10.")
    if body.amount == 0:
        raise Refused("An adjustment by nothing changes nothing: give an amount.")
    before = books.purse(body.tier)
    amounts = {body.into: body.amount}
    correction = Correction(entry.seq, books.fed[body.tier], **amounts)
    correct_tier(books, body.tier, correction, body.source, "adjustment")
    after = books.purse(body.tier)
    return {
        "tier": body.tier,
        "adjusted": body.amount,
        "before": [before.pool, before.reserve],
        "after": [after.pool, after.reserve],
    }
