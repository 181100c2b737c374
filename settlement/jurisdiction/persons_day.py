"""What one person was paid on a gaming day, and which forms that asks for.

A person is known by a number: that of the first identification by the same document, or the lowest
of those that two people stated to be one player by the end of the gaming day.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection

from settlement.core.gaming_day import DAY, start_of
from settlement.jurisdiction.forms_due import forms_due, likely_persons, one_each
from settlement.jurisdiction.shared_prizes import sharer_parts
from settlement.models import Claim
from tables.models import Casino

_PAID = """
    SELECT p.day, p.person, count(*), sum(p.amount)::bigint, sum(p.cash)::bigint,
           sum(p.tax)::bigint,
           ARRAY(SELECT same.number
                 FROM players_as_one(p.person,
                      (p.day + 1 + c.day_starts) AT TIME ZONE c.timezone) AS same (number)
                 WHERE same.number <> p.person ORDER BY 1)
    FROM paid_to_players(%s, %s, %s) AS p
    JOIN tables_casino c ON c.id = %s
    GROUP BY p.day, p.person, c.id ORDER BY p.day, p.person
"""
# The same of one system.
_PAID_IN = """
    SELECT p.day, p.person, count(*), sum(p.amount)::bigint, sum(p.cash)::bigint,
           sum(p.tax)::bigint
    FROM paid_to_players(%s, %s, %s) AS p
    JOIN settlement_payout q ON q.id = p.payout
    JOIN settlement_claim k ON k.id = q.claim_id
    JOIN tables_jackpotsystem s ON s.id = k.system_id AND s.code = %s
    GROUP BY p.day, p.person
"""
# What is registered, and what cashiers queued that the order has not refused and nobody registered.
_SO_FAR = """
    WITH paid AS MATERIALIZED (
        SELECT p.person, p.amount, p.cash
        FROM paid_to_players(%(casino)s, %(start)s, %(end)s) AS p
        UNION ALL
        SELECT p.person, p.amount, p.cash
        FROM paid_to_sharers(%(casino)s, %(start)s, %(end)s, '') AS p
        WHERE p.at >= %(start)s AND p.at < %(end)s
        UNION ALL
        SELECT one_player(player_reference(a.claim_id, (a.body ->> 'seat')::smallint), %(end)s),
               parts.amount,
               (a.body #>> '{parts,cash}')::bigint
        FROM settlement_action a
        JOIN settlement_claim k ON k.id = a.claim_id
        JOIN tables_jackpotsystem s ON s.id = k.system_id AND s.casino_id = %(casino)s
        CROSS JOIN LATERAL (
            SELECT sum(part.value::bigint)::bigint AS amount
            FROM jsonb_each_text(a.body -> 'parts') AS part
        ) AS parts
        WHERE a.kind = 'pay' AND a.at >= %(start)s AND a.at < %(end)s AND NOT EXISTS (
            SELECT FROM jackpot_entry n
            LEFT JOIN settlement_payout r ON r.claim_id = k.id AND r.entry_seq = n.seq
            WHERE (n.system_id, n.command) = (k.system_id, a.command)
              AND (r.id IS NOT NULL OR n.outcome ? 'refused'))
    )
    SELECT seat.number, known.person, each.person, coalesce(sum(p.amount), 0)::bigint,
           coalesce(sum(p.cash), 0)::bigint
    FROM unnest(%(seats)s::smallint[]) AS seat (number)
    CROSS JOIN LATERAL (
        SELECT one_player(player_reference(%(claim)s, seat.number), %(end)s) AS person
    ) AS known
    CROSS JOIN LATERAL (
        SELECT known.person
        UNION
        SELECT one_player(likely.person, %(end)s)
        FROM likely_players(%(claim)s, seat.number) AS likely (person)
    ) AS each (person)
    LEFT JOIN paid AS p ON p.person = each.person
    WHERE known.person IS NOT NULL GROUP BY seat.number, known.person, each.person
    ORDER BY seat.number, each.person
"""
# The same of seats of a claim, whoever sits there.
_SEATS_SO_FAR = """
    WITH queued AS (
        SELECT (a.body ->> 'seat')::smallint AS seat, a.body -> 'parts' AS parts
        FROM settlement_action a JOIN settlement_claim k ON k.id = a.claim_id
        WHERE a.claim_id = %(claim)s AND a.kind = 'pay' AND a.at >= %(start)s AND a.at < %(end)s
          AND NOT EXISTS (
            SELECT FROM jackpot_entry n
            LEFT JOIN settlement_payout r ON r.claim_id = k.id AND r.entry_seq = n.seq
            WHERE (n.system_id, n.command) = (k.system_id, a.command)
              AND (r.id IS NOT NULL OR n.outcome ? 'refused'))
    ), paid AS (
        SELECT p.seat, p.amount, p.cash FROM settlement_payout p
        WHERE p.claim_id = %(claim)s AND p.at >= %(start)s AND p.at < %(end)s
        UNION ALL
        SELECT queued.seat,
               (SELECT sum(part.value::bigint)::bigint FROM jsonb_each_text(queued.parts) AS part),
               (queued.parts ->> 'cash')::bigint
        FROM queued
    )
    SELECT seat, sum(amount)::bigint, sum(cash)::bigint FROM paid GROUP BY seat
"""
_WAIT = """
    SELECT pg_advisory_xact_lock(
        hashtext('persons_day'),
        one_player(player_reference(%s, %s::smallint), 'infinity')::integer)
"""


@dataclass(frozen=True, slots=True)
class PersonsDay:
    """What one person was paid on a gaming day, in micros; `forms`: what that asks for, whatever
    the console does not know. `total` is before tax: `tax` was withheld of it.

    `shared`: their parts of what other players were paid for them, which the rows of those have in
    `total`; the forms count them. `same`: the other numbers that two people had stated to be this
    person by the end of that day.
    `likely`: the numbers of those paid on that day, this one among them, who may be one person;
    `likely_forms`: what they ask for together, if they are. That of a group stands with its first.
    """

    day: dt.date
    person: int
    payouts: int
    total: int
    cash: int
    tax: int
    forms: tuple[str, ...]
    same: tuple[int, ...] = ()
    likely: tuple[int, ...] = ()
    likely_forms: tuple[str, ...] = ()
    shared: int = 0


@dataclass(frozen=True, slots=True)
class PaidToSeat:
    """What a seat of a claim was paid on a gaming day, or is to be by payments that are queued; in
    micros. `cash` is a part of it."""

    total: int = 0
    cash: int = 0


@dataclass(frozen=True, slots=True)
class PaidSoFar:
    """What a person, by number, was paid on a gaming day, or is to be by payments that are queued;
    in micros. `cash` is a part of it. `likely`: who else was paid and may be this person, by name
    and date of birth, though another document was shown."""

    person: int
    total: int
    cash: int
    likely: tuple[PaidSoFar, ...] = ()

    @property
    def likely_total(self) -> int:
        """With what those were paid who may be this person."""
        return self.total + sum(each.total for each in self.likely)

    @property
    def likely_cash(self) -> int:
        return self.cash + sum(each.cash for each in self.likely)


def lists(casino: Casino, first: dt.date, last: dt.date) -> list[PersonsDay]:
    """Every identified person who was paid on these gaming days, or shares what another one was."""
    with connection.cursor() as cursor:
        since, until = start_of(first, casino), start_of(last + DAY, casino)
        cursor.execute(_PAID, [casino.pk, since, until, casino.pk])
        rows = cursor.fetchall()
    shared: dict[tuple[dt.date, int], int] = {}
    for part in sharer_parts(casino, first, last, ""):
        if first <= part.day <= last:
            place = (part.day, part.person)
            shared[place] = shared.get(place, 0) + part.paid.amount
    paid = {(day, person) for day, person, *_paid in rows}
    rows += [(*place, 0, 0, 0, 0, ()) for place in sorted(shared.keys() - paid)]
    rows.sort(key=lambda row: row[:2])
    forms: dict[tuple[dt.date, int], dict[str, None]] = {}
    likely_forms: dict[tuple[dt.date, int], dict[str, None]] = {}
    pairs = likely_persons(casino, first, last) if len(rows) > 1 else ()
    for due in forms_due(casino, first, last, pairs):
        if due.likely:
            likely_forms.setdefault((due.day, due.person), {})[due.rule.form] = None
        elif not due.condition:
            forms.setdefault((due.day, due.person), {})[due.rule.form] = None
    persons: dict[dt.date, set[int]] = {}
    for day, person, *_paid in rows:
        persons.setdefault(day, set()).add(person)
    groups = {
        (day, person): group
        for day, of_day in persons.items()
        for group in one_each(of_day, pairs)
        for person in group
    }
    return [
        PersonsDay(
            *(day, person, payouts, total, cash, tax),
            tuple(forms.get((day, person), ())),
            tuple(same),
            groups.get((day, person), ()),
            tuple(likely_forms.get((day, person), ())),
            shared.get((day, person), 0),
        )
        for day, person, payouts, total, cash, tax, same in rows
    ]


class Paid(NamedTuple):
    """What a person was paid on a gaming day in one system; micros."""

    payouts: int
    total: int
    cash: int
    tax: int


def paid_in(
    casino: Casino, first: dt.date, last: dt.date, system: str
) -> dict[tuple[dt.date, int], Paid]:
    """By gaming day and person; nothing of who was paid elsewhere alone."""
    since, until = start_of(first, casino), start_of(last + DAY, casino)
    with connection.cursor() as cursor:
        cursor.execute(_PAID_IN, [casino.pk, since, until, system])
        return {(day, person): Paid(*paid) for day, person, *paid in cursor.fetchall()}


def wait_for_others(claim: Claim, seat: int) -> None:
    """Of two cashiers who pay this person the second waits until the first has queued, and counts
    it: until the end of the transaction. Nobody waits for a player whom nobody identified."""
    with connection.cursor() as cursor:
        cursor.execute(_WAIT, [claim.pk, seat])


def paid_so_far(claim: Claim, seats: set[int], day: dt.date) -> dict[int, PaidSoFar]:
    """By seat what its player was paid on a gaming day; nothing of a player nobody identified."""
    casino = claim.system.casino
    values = {"casino": casino.pk, "seats": sorted(seats), **_on(claim, day)}
    with connection.cursor() as cursor:
        cursor.execute(_SO_FAR, values)
        rows = cursor.fetchall()
    likely: dict[int, list[PaidSoFar]] = {}
    for seat, player, person, total, cash in rows:
        if person != player and total:
            likely.setdefault(seat, []).append(PaidSoFar(person, total, cash))
    return {
        seat: PaidSoFar(person, total, cash, tuple(likely.get(seat, ())))
        for seat, player, person, total, cash in rows
        if person == player
    }


def seats_so_far(claim: Claim, day: dt.date) -> dict[int, PaidToSeat]:
    """By seat of this claim what was paid on a gaming day: one person's, whoever that is."""
    with connection.cursor() as cursor:
        cursor.execute(_SEATS_SO_FAR, _on(claim, day))
        return {seat: PaidToSeat(total, cash) for seat, total, cash in cursor.fetchall()}


def _on(claim: Claim, day: dt.date) -> dict[str, Any]:
    casino = claim.system.casino
    start, end = start_of(day, casino), start_of(day + DAY, casino)
    return {"claim": claim.pk, "start": start, "end": end}
