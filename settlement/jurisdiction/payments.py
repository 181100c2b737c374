"""What a payment asks for: forms, withholding and identification, with the person's day.

A person is known by a number: that of the first identification by the same document. Who it is
stays where it is.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db import connection
from django.utils.translation import gettext as _

from jackpot.terms.money import MICROS, format_micros
from settlement.core.gaming_day import DAY, start_of, today
from settlement.jurisdiction.rules import Rule, RulesOfDay, rules_at
from settlement.models import Claim
from tables.models import Casino

_DAY = """
    SELECT p.person, p.day, count(*), sum(p.amount)::bigint, sum(p.cash)::bigint
    FROM paid_to_players(%s, %s, %s) AS p GROUP BY p.person, p.day ORDER BY p.day, p.person
"""
_SO_FAR = """
    SELECT coalesce(sum(p.amount), 0)::bigint, coalesce(sum(p.cash), 0)::bigint
    FROM paid_to_players(%s, %s, %s) AS p WHERE p.person = player_reference(%s, %s::smallint)
"""


@dataclass(frozen=True, slots=True)
class PersonsDay:
    """What one person was paid on a gaming day, in micros; `forms`: what that asks for."""

    day: dt.date
    person: int
    payouts: int
    total: int
    cash: int
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Duty:
    """Something that a payment asks for, in words, with its source."""

    text: str
    source: str


def lists(casino: Casino, first: dt.date, last: dt.date) -> list[PersonsDay]:
    """Every identified person who was paid on these gaming days."""
    with connection.cursor() as cursor:
        cursor.execute(_DAY, [casino.pk, start_of(first, casino), start_of(last + DAY, casino)])
        rows = cursor.fetchall()
    return [
        PersonsDay(day, person, count, total, cash, _forms(rules_at(casino, day), total, cash))
        for person, day, count, total, cash in rows
    ]


def _forms(rules: RulesOfDay, total: int, cash: int) -> tuple[str, ...]:
    """What the sums of a day ask for."""
    due = [each for each in rules.rules if each.form and each.per == "person_and_day"]
    return tuple(each.form for each in due if each.is_reached(_counted(each, total, cash)))


def _counted(rule: Rule, total: int, cash: int) -> Decimal:
    return Decimal(cash if rule.of == "cash" else total) / MICROS


def duties(claim: Claim, seats: Sequence[tuple[int, int]]) -> dict[int, list[Duty]]:
    """By seat what paying that amount (micros) to its player in cash would ask for now."""
    casino = claim.system.casino
    day = today(casino)
    rules = rules_at(casino, day)
    if not rules.asks_of_payments:
        return {}
    due: dict[int, list[Duty]] = {}
    for seat, amount in seats:
        total, cash = _so_far(claim, seat, casino, day)
        due[seat] = [
            _duty(rule, casino, amount, total)
            for rule in rules.rules
            if rule.is_reached(
                _counted(rule, amount, amount)
                if rule.per == "payment"
                else _counted(rule, total + amount, cash + amount)
            )
        ]
    return due


def _so_far(claim: Claim, seat: int, casino: Casino, day: dt.date) -> tuple[int, int]:
    with connection.cursor() as cursor:
        cursor.execute(
            _SO_FAR,
            [casino.pk, start_of(day, casino), start_of(day + DAY, casino), claim.pk, seat],
        )
        total, cash = cursor.fetchone()
    return int(total), int(cash)


def _duty(rule: Rule, casino: Casino, amount: int, before: int) -> Duty:
    values = {
        "form": rule.form,
        "total": format_micros(before + amount, casino.minor_digits),
        "currency": casino.currency,
    }
    match rule.rule:
        case "cash_report":
            text = _("%(form)s: %(currency)s %(total)s to this person today") % values
        case "identification":
            text = _("Identify this person: %(currency)s %(total)s today") % values
        case "shared_form":
            text = _("%(form)s, if several people share it") % values
        case "backup_withholding":
            text = _("%(form)s, if no taxpayer number is given") % values
        case _:
            text = _("%(form)s") % values
    if rule.residence == "foreign":
        text = _("%(text)s, if the person lives abroad") % {"text": text}
    if rule.residence == "resident":
        text = _("%(text)s, if the person lives here") % {"text": text}
    if rule.withholding_percent is not None:
        withheld = int(amount * rule.withholding_percent / 100)
        text = _("%(text)s: withhold %(percent)s%%, %(currency)s %(withheld)s") % {
            "text": text,
            "percent": f"{rule.withholding_percent:g}",
            "currency": casino.currency,
            "withheld": format_micros(withheld, casino.minor_digits),
        }
    if rule.house_policy:
        text = _("%(text)s (house policy)") % {"text": text}
    return Duty(text, rule.source)
