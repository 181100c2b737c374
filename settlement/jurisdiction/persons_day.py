"""What one person was paid on a gaming day, and which forms that asks for.

A person is known by a number: that of the first identification by the same document.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import connection

from settlement.core.gaming_day import DAY, start_of
from settlement.jurisdiction.forms_due import forms_due
from settlement.models import Claim
from tables.models import Casino

_PAID = """
    SELECT p.day, p.person, count(*), sum(p.amount)::bigint, sum(p.cash)::bigint,
           sum(p.tax)::bigint
    FROM paid_to_players(%s, %s, %s) AS p GROUP BY p.day, p.person ORDER BY p.day, p.person
"""
_SO_FAR = """
    WITH paid AS MATERIALIZED (SELECT * FROM paid_to_players(%s, %s, %s))
    SELECT seat.number, known.person, coalesce(sum(p.amount), 0)::bigint,
           coalesce(sum(p.cash), 0)::bigint
    FROM unnest(%s::smallint[]) AS seat (number)
    CROSS JOIN LATERAL (SELECT player_reference(%s, seat.number) AS person) AS known
    LEFT JOIN paid AS p ON p.person = known.person
    WHERE known.person IS NOT NULL GROUP BY seat.number, known.person
"""


@dataclass(frozen=True, slots=True)
class PersonsDay:
    """What one person was paid on a gaming day, in micros; `forms`: what that asks for, whatever
    the console does not know. `total` is before tax: `tax` was withheld of it.
    """

    day: dt.date
    person: int
    payouts: int
    total: int
    cash: int
    tax: int
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PaidSoFar:
    """What a person, by number, was paid on a gaming day, in micros; `cash` is a part of it."""

    person: int
    total: int
    cash: int


def lists(casino: Casino, first: dt.date, last: dt.date) -> list[PersonsDay]:
    """Every identified person who was paid on these gaming days."""
    with connection.cursor() as cursor:
        cursor.execute(_PAID, [casino.pk, start_of(first, casino), start_of(last + DAY, casino)])
        rows = cursor.fetchall()
    forms: dict[tuple[dt.date, int], dict[str, None]] = {}
    for due in forms_due(casino, first, last):
        if not due.condition:
            forms.setdefault((due.day, due.person), {})[due.rule.form] = None
    return [
        PersonsDay(day, person, payouts, total, cash, tax, tuple(forms.get((day, person), ())))
        for day, person, payouts, total, cash, tax in rows
    ]


def paid_so_far(claim: Claim, seats: set[int], day: dt.date) -> dict[int, PaidSoFar]:
    """By seat what its player was paid on a gaming day; nothing of a player nobody identified."""
    casino = claim.system.casino
    until = start_of(day + DAY, casino)
    with connection.cursor() as cursor:
        cursor.execute(_SO_FAR, [casino.pk, start_of(day, casino), until, sorted(seats), claim.pk])
        return {seat: PaidSoFar(*paid) for seat, *paid in cursor.fetchall()}
