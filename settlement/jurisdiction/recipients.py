"""Who received what of a casino's payments on some gaming days: identified players, and sharers.

Sharers sat nowhere and have a part of what a seat won. The payee takes it for them, so that a
person's day counts the whole for the payee, and each sharer's part for the sharer as well; forms of
a prize state to each the own part (decision 0173). Who a number stands for is dear to find: a
report asks once (`PaidOnDays`), and hands the answer to each of its parts.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

from django.db import connection

from settlement.core.gaming_day import DAY, start_of
from settlement.jurisdiction.rules import PacksOfCasino, load, packs_of
from tables.models import Casino

_TO_SHARERS = "SELECT * FROM paid_to_sharers(%s, %s, %s, %s)"
_TO_PLAYERS = """
    SELECT payout, person, day, amount, cash, tax, won FROM paid_to_players(%s, %s, %s)
    ORDER BY payout
"""


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


@dataclass(frozen=True, slots=True)
class ToPlayer:
    """A payment, by number, to a player, by number; micros. `won`: what the seat won in the claim
    in all. `tax` was withheld of `amount`, and `cash` is a part of it."""

    payout: int
    person: int
    day: dt.date
    amount: int
    cash: int
    tax: int
    won: int


@dataclass(frozen=True)
class PaidOnDays:
    """What a casino paid on some gaming days, both included; each part is asked for once, when
    somebody wants it."""

    casino: Casino
    first: dt.date
    last: dt.date

    @cached_property
    def packs(self) -> PacksOfCasino:
        return packs_of(self.casino)

    @cached_property
    def players(self) -> list[ToPlayer]:
        since = start_of(self.first, self.casino)
        with connection.cursor() as cursor:
            cursor.execute(_TO_PLAYERS, [self.casino.pk, since, self.until])
            return [ToPlayer(*row) for row in cursor.fetchall()]

    @cached_property
    def sharers(self) -> list[SharerPart]:
        """Parts of all payments of each prize of which something was paid on these days."""
        home = load(self.packs.name_on(self.last)).country
        return sharer_parts(self.casino, self.first, self.last, home)

    @property
    def until(self) -> dt.datetime:
        """The instant at which the day after the last begins."""
        return start_of(self.last + DAY, self.casino)

    @property
    def payouts_and_persons(self) -> tuple[list[int], list[int]]:
        """Of each payment to a player both numbers, as two columns for a query."""
        return [each.payout for each in self.players], [each.person for each in self.players]

    @property
    def sharers_of_days(self) -> list[SharerPart]:
        """Their parts of what was paid on these days alone."""
        return [part for part in self.sharers if self.first <= part.day <= self.last]


def sharer_parts(casino: Casino, first: dt.date, last: dt.date, home: str) -> list[SharerPart]:
    """Those of all payments of prizes of which something was paid on these gaming days, in their
    order. `home`: the country whose residents live here (ISO 3166-1), empty: nobody knows."""
    with connection.cursor() as cursor:
        span = (start_of(first, casino), start_of(last + DAY, casino))
        cursor.execute(_TO_SHARERS, [casino.pk, *span, home])
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
