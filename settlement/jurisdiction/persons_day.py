"""What one person was paid on a gaming day, and which forms that asks for.

A person is known by a number: that of the first identification by the same document, or the lowest
of those that two people stated to be one player by the end of the gaming day.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection

from settlement.core.gaming_day import DAY, start_of
from settlement.jurisdiction.forms_due import forms_due
from settlement.jurisdiction.recipients import PaidOnDays, ToPlayer, likely_persons, one_each
from settlement.models import Claim
from tables.models import Casino

_DayOfPerson = tuple[dt.date, int]  # by number
# The other numbers that stood for each person by the end of a gaming day.
_SAME = """
    WITH each AS MATERIALIZED (
        SELECT each.day, each.person,
               (each.day + 1 + c.day_starts) AT TIME ZONE c.timezone AS before
        FROM unnest(%s::date[], %s::bigint[]) AS each (day, person)
        JOIN tables_casino c ON c.id = %s
    )
    SELECT each.day, each.person, array_agg(same.number ORDER BY same.number)
    FROM same_players((SELECT array_agg(person ORDER BY day, person) FROM each),
                      (SELECT array_agg(before ORDER BY day, person) FROM each)) AS same
    JOIN each ON each.person = same.asked AND each.before = same.before
    WHERE same.number <> same.asked GROUP BY each.day, each.person
"""
_OF_SYSTEM = """
    SELECT p.id FROM settlement_payout p
    JOIN settlement_claim k ON k.id = p.claim_id
    JOIN tables_jackpotsystem s ON s.id = k.system_id AND s.code = %s
    WHERE p.id = ANY(%s)
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


def lists(paid: PaidOnDays) -> list[PersonsDay]:
    """Every identified person who was paid on these gaming days, or shares what another one was."""
    sums = _added_up(paid.players)
    shared: dict[_DayOfPerson, int] = {}
    for part in paid.sharers_of_days:
        place = (part.day, part.person)
        shared[place] = shared.get(place, 0) + part.paid.amount
    rows = sorted(sums.keys() | shared.keys())
    same = _same(paid.casino, sorted(sums))
    forms: dict[_DayOfPerson, dict[str, None]] = {}
    likely_forms: dict[_DayOfPerson, dict[str, None]] = {}
    pairs = likely_persons(paid) if len(rows) > 1 else ()
    for due in forms_due(paid, pairs):
        if due.likely:
            likely_forms.setdefault((due.day, due.person), {})[due.rule.form] = None
        elif not due.condition:
            forms.setdefault((due.day, due.person), {})[due.rule.form] = None
    persons: dict[dt.date, set[int]] = {}
    for day, person in rows:
        persons.setdefault(day, set()).add(person)
    groups = {
        (day, person): group
        for day, of_day in persons.items()
        for group in one_each(of_day, pairs)
        for person in group
    }
    return [
        PersonsDay(
            *place,
            *sums.get(place, NOTHING),
            tuple(forms.get(place, ())),
            tuple(same.get(place, ())),
            groups.get(place, ()),
            tuple(likely_forms.get(place, ())),
            shared.get(place, 0),
        )
        for place in rows
    ]


class Paid(NamedTuple):
    """What a person was paid on a gaming day; micros."""

    payouts: int
    total: int
    cash: int
    tax: int


NOTHING = Paid(0, 0, 0, 0)


def _added_up(players: Iterable[ToPlayer]) -> dict[_DayOfPerson, Paid]:
    sums: dict[_DayOfPerson, Paid] = {}
    for each in players:
        place = (each.day, each.person)
        so_far = sums.get(place, NOTHING)
        sums[place] = Paid(
            so_far.payouts + 1,
            so_far.total + each.amount,
            so_far.cash + each.cash,
            so_far.tax + each.tax,
        )
    return sums


def _same(casino: Casino, places: Sequence[_DayOfPerson]) -> dict[_DayOfPerson, list[int]]:
    days, persons = [day for day, _person in places], [person for _day, person in places]
    with connection.cursor() as cursor:
        cursor.execute(_SAME, [days, persons, casino.pk])
        return {(day, person): numbers for day, person, numbers in cursor.fetchall()}


def paid_in(paid: PaidOnDays, system: str) -> dict[_DayOfPerson, Paid]:
    """By gaming day and person, of that system; nothing of who was paid elsewhere alone."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_SYSTEM, [system, [each.payout for each in paid.players]])
        own = {payout for (payout,) in cursor.fetchall()}
    return _added_up(each for each in paid.players if each.payout in own)


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
