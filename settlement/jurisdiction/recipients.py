"""Who received what of a casino's payments on some gaming days: identified players, and sharers.

Sharers sat nowhere and have a part of what a seat won. The payee takes it for them, so that a
person's day counts the whole for the payee, and each sharer's part for the sharer as well; forms of
a prize state to each the own part (decision 0173). Who a number stands for is dear to find: a
report asks once (`PaidOnDays`), and hands the answer to each of its parts. Of those numbers some
may be one person who showed two documents.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.db import connection

from settlement.core.gaming_day import DAY, start_of
from settlement.jurisdiction.rules import PacksOfCasino, load, packs_of
from tables.models import Casino

Pairs = Sequence[tuple[int, int]]  # of numbers that may be one person
_TO_SHARERS = "SELECT * FROM paid_to_sharers(%s, %s, %s, %s)"
_TO_PLAYERS = """
    SELECT payout, person, day, amount, cash, tax, won FROM paid_to_players(%s, %s, %s)
    ORDER BY payout
"""
# Two numbers each, of players and sharers who were paid on a day: one person may have both.
_LIKELY = """
    WITH place AS (
        SELECT DISTINCT span.person, span.day, p.claim_id, p.seat
        FROM unnest(%s::bigint[], %s::bigint[], %s::date[]) AS span (payout, person, day)
        JOIN settlement_payout p ON p.id = span.payout
    ), paid AS MATERIALIZED (
        SELECT place.person, place.day, (
            SELECT i.id FROM settlement_identification i
            WHERE i.claim_id = place.claim_id AND i.seat = place.seat ORDER BY i.id DESC LIMIT 1
        ) AS identification
        FROM place
        UNION
        SELECT part.person, part.day, r.identification_id
        FROM unnest(%s::bigint[], %s::bigint[], %s::date[]) AS part (sharer, person, day)
        JOIN settlement_sharer r ON r.id = part.sharer
    ), columns AS (
        SELECT array_agg(identification ORDER BY identification, day, person) AS identifications,
               array_agg(person ORDER BY identification, day, person) AS persons,
               array_agg(day ORDER BY identification, day, person) AS days
        FROM paid
    )
    SELECT likely.person, likely.other
    FROM columns, likely_on_days(identifications, persons, days, %s) AS likely ORDER BY 1, 2
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
    def payouts_and_persons(self) -> tuple[str, str]:
        """Of each payment to a player both numbers, as two columns for a query."""
        return (
            as_array(each.payout for each in self.players),
            as_array(each.person for each in self.players),
        )

    @property
    def sharers_of_days(self) -> list[SharerPart]:
        """Their parts of what was paid on these days alone."""
        return [part for part in self.sharers if self.first <= part.day <= self.last]


def as_array(values: Iterable[int | dt.date]) -> str:
    """A column for a query as PostgreSQL writes it: of thousands of values in a moment, which the
    driver converts one by one."""
    return "{" + ",".join(map(str, values)) + "}"


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


def likely_persons(paid: PaidOnDays) -> Pairs:
    """Who of those that were paid on the same gaming day may be whom, by name and date of birth."""
    days = as_array(each.day for each in paid.players)
    parts = paid.sharers_of_days
    sharers = [
        as_array(each.paid.sharer for each in parts),
        as_array(each.person for each in parts),
        as_array(each.day for each in parts),
    ]
    with connection.cursor() as cursor:
        cursor.execute(_LIKELY, [*paid.payouts_and_persons, days, *sharers, paid.until])
        return cursor.fetchall()


def one_each(persons: Collection[int], pairs: Pairs) -> list[tuple[int, ...]]:
    """These persons as groups of whom each may be one; nobody who stands alone.

    >>> one_each({1, 2, 3, 4}, [(1, 3), (3, 4), (2, 9)])
    [(1, 3, 4)]
    """
    group_of = {person: {person} for person in persons}
    for one, other in pairs:
        if one in group_of and other in group_of:
            group_of[one] |= group_of[other]
            for each in group_of[one]:
                group_of[each] = group_of[one]
    groups = {tuple(sorted(group)) for group in group_of.values() if len(group) > 1}
    return sorted(groups)
