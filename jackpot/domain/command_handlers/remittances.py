"""Handing withheld tax over to the tax authority, and undoing what was entered wrongly.

What payments withheld stands in the account `withheld_tax` until somebody enters that it was
remitted. That the row behind a command says the same, and that a remittance is reversed once, the
database asks (`settlement/sql/command_has_its_remittance.sql`).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from jackpot.domain.command_handlers.basis import Body, Reason, Refused
from jackpot.domain.state.books import REMITTED_TAX, WITHHELD_TAX, Books
from jackpot.domain.state.entries import CommandEntry, Outcome

MOST = 10**17  # micros; sums of many stay within a bigint
Amount = Annotated[int, Meta(ge=1, le=MOST)]


class RemitTax(Body, frozen=True, kw_only=True):
    """`amount` micros went to the tax authority under the reference of that transfer."""

    amount: Amount
    reference: Annotated[str, Meta(min_length=1, max_length=100)]


class ReverseRemittance(Body, frozen=True, kw_only=True):
    """A remittance, by its command, did not take place, or not so; `amount`: what it said."""

    remittance: Annotated[int, Meta(ge=1)]
    amount: Amount
    reason: Reason


def remit_tax(books: Books, entry: CommandEntry, body: RemitTax) -> Outcome:
    """Somebody remitted tax that was withheld; no more than is there."""
    if body.amount > books.held_tax(WITHHELD_TAX):
        raise Refused("So much tax is not withheld any more: read the balance again.")
    books.move(entry.seq, WITHHELD_TAX, REMITTED_TAX, body.amount, "remittance")
    return {"remitted": body.amount}


def reverse_remittance(books: Books, entry: CommandEntry, body: ReverseRemittance) -> Outcome:
    """The amount is withheld and not remitted again."""
    if body.remittance >= entry.number:
        raise Refused("It reverses a remittance that was not there before it.")
    if body.amount > books.held_tax(REMITTED_TAX):
        raise Refused("So much was not remitted: read the list again.")
    books.move(entry.seq, REMITTED_TAX, WITHHELD_TAX, body.amount, "remittance")
    return {"remitted": -body.amount}
