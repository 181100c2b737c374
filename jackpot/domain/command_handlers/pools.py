"""Manual adjustments of a pool: closed reasons, evidence, two people; at their own place.

One moves exactly what two people agreed to, from or to the account that they named, or nothing.
"""

from __future__ import annotations

from typing import Literal

from jackpot.domain.command_handlers.basis import Body, Reason, Refused, two_people
from jackpot.domain.state.books import Books, tier_account
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.domain.state.hits import Correction
from jackpot.terms.amount_limits import most_set
from jackpot.terms.contributions import TO_RETURN
from jackpot.terms.document import SignedMicros
from jackpot.terms.money import format_exact
from rules.phrases import Phrase

ADJUSTMENTS = {
    "A01": Phrase("Missed round (19.19)"),
    "A02": Phrase("Malfunction (19.20)"),
    "A03": Phrase("Round recorded twice"),
    "A04": Phrase("Drop or pot keyed wrongly"),
    "A05": Phrase("Terms set wrongly"),
    "A06": Phrase("Count variance"),
    "A07": Phrase("Display was higher (19.14(a))"),
    "A08": Phrase("Recovered payment"),
    "A09": Phrase("Transfer in or out"),
    "A10": Phrase("Regulator's direction"),
}


class AdjustPool(Body, frozen=True, kw_only=True):
    """`amount` micros to a tier's pool or reserve (above 0) or back to `source` (below).

    `source` to_return: what is kept to be returned to players. `below_reset`: why the pool is put
    below its reset amount, or emptied.
    """

    tier: str
    into: Literal["pool", "reserve"] = "pool"
    source: Literal["operator", "pot", "commission", "drop", "to_return"]
    amount: SignedMicros
    reason: str
    evidence: Reason
    below_reset: Reason | None = None


def adjust_pool(books: Books, entry: CommandEntry, body: AdjustPool) -> Outcome:
    """Two people adjust a pool by exactly that; no earlier hit changes."""
    two_people(entry)
    if body.tier not in books.fed:
        raise Refused(f"There is no tier {body.tier} on this system.")
    if body.tier in books.closed:
        raise Refused(f"The tier {body.tier} was closed: adjust the pool that took its money.")
    if body.reason not in ADJUSTMENTS:
        raise Refused("Choose one of the closed reasons A01 to A10.")
    if body.amount == 0:
        raise Refused("Enter an amount other than zero.")
    before = books.balances_of(body.tier)
    _possible(books, getattr(before, body.into), body)
    account, amounts = tier_account(body.tier, body.into), {body.into: body.amount}
    debit, credit = (body.source, account) if body.amount > 0 else (account, body.source)
    books.move(entry.seq, debit, credit, abs(body.amount), "adjustment")
    books.add_step(body.tier, Correction(entry.seq, books.fed[body.tier], **amounts))
    after = books.balances_of(body.tier)
    return {
        "tier": body.tier,
        "adjusted": body.amount,
        "before": [before.pool, before.reserve],
        "after": [after.pool, after.reserve],
    }


def _possible(books: Books, has: int, body: AdjustPool) -> None:
    """It can move as a whole, and leaves a pool that the house means to have."""

    def money(micros: int) -> str:
        return format_exact(micros, books.digits)

    becomes = has + body.amount
    if becomes < 0:
        raise Refused(
            f"The {body.into} holds {money(has)}: {money(-body.amount)} cannot be taken back."
            " Nothing was moved; propose what is there."
        )
    if body.source == TO_RETURN and body.amount > books.balances[TO_RETURN]:
        raise Refused(
            f"To be returned to players are {money(books.balances[TO_RETURN])}:"
            f" {money(body.amount)} cannot be taken from that."
        )
    if body.amount > 0 and becomes > most_set(books.digits):
        raise Refused(
            f"The {body.into} would come to {money(becomes)}, more than displays can say with room"
            f" for play: at most {money(most_set(books.digits))}."
        )
    if body.into == "reserve" or body.amount > 0 or body.below_reset is not None:
        return
    reset = next(
        tier.reset
        for terms in books.terms_at(books.terms_number)
        for tier in terms.tiers
        if tier.code == body.tier
    )
    if becomes < reset:
        raise Refused(
            f"This puts the pool at {money(becomes)}, below its reset amount of {money(reset)}:"
            " say why in a reason of its own."
        )
    if becomes == 0:
        raise Refused("This leaves the pool empty: say why in a reason of its own.")
