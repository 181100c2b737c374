"""What of a payment belongs to sharers: people who sat nowhere and have a part of what a seat won.

The payee takes it for them, so that a person's day counts the whole for the payee, and each
sharer's part for the sharer as well; forms of a prize state to each the own part (decision 0173).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass, replace

from django.db import connection

from settlement.core.gaming_day import DAY, start_of
from tables.models import Casino

_PAID = "SELECT * FROM paid_to_sharers(%s, %s, %s, %s)"


@dataclass(frozen=True, slots=True)
class PaidOut:
    """A payment as it counts for a form; micros. `won`: what its seat won in the claim in all, so
    that parts of a payment are judged like the whole. `residence`: as said when it was paid.

    Where others share the prize: `whole` is what all of them won, by which limits are judged, and
    `sharer` the number of the one whose part this is, 0: the payee's.
    """

    payout: int
    amount: int
    cash: int
    tax: int
    residence: str
    won: int
    whole: int = 0
    sharer: int = 0

    @property
    def judged(self) -> int:
        """By what the limit of a rule for a prize is judged: never by less for being shared."""
        return self.whole or self.won


@dataclass(frozen=True, slots=True)
class SharerPart:
    """What of a payment belongs to a sharer, by number `person`; `day`: the gaming day."""

    person: int
    at: dt.datetime
    day: dt.date
    claim: int
    seat: int
    paid: PaidOut


def sharer_parts(casino: Casino, first: dt.date, last: dt.date, home: str) -> list[SharerPart]:
    """Those of all payments of prizes of which something was paid on these gaming days, in their
    order. `home`: the country whose residents live here (ISO 3166-1), empty: nobody knows."""
    with connection.cursor() as cursor:
        span = (start_of(first, casino), start_of(last + DAY, casino))
        cursor.execute(_PAID, [casino.pk, *span, home])
        rows = cursor.fetchall()
    return [
        SharerPart(
            *(person, at, day, claim, seat),
            PaidOut(payout, amount, cash, tax, residence, won, whole, sharer),
        )
        for (payout, sharer, person, at, day, claim, seat, amount, cash, tax, *more) in rows
        for residence, won, whole in [more]
    ]


def own_part(payout: PaidOut, parts: Collection[PaidOut]) -> PaidOut:
    """What of a payment is the payee's own; `parts`: those of sharers."""
    return replace(
        payout,
        amount=payout.amount - sum(each.amount for each in parts),
        cash=payout.cash - sum(each.cash for each in parts),
        tax=payout.tax - sum(each.tax for each in parts),
        won=payout.won - sum(each.won for each in parts),
        whole=payout.won,
    )
