"""Which forms payments ask for: one answer for the cage, the claim, the report and the drafts.

A person is known by a number: that of the first identification by the same document. Payments to
players whom nobody identified ask for no form yet.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from django.db import connection
from django.utils.translation import gettext as _

from jackpot.terms.money import MICROS
from settlement.core.gaming_day import DAY, day_of, start_of
from settlement.jurisdiction.pack import Rule
from settlement.jurisdiction.rules import load, pack_of, rules_at
from settlement.jurisdiction.words import with_standing
from settlement.models import Payout
from tables.models import Casino

_PAYOUTS = """
    SELECT p.day, p.person, p.payout, p.amount, p.cash, p.residence, p.won
    FROM paid_to_players(%s, %s, %s) AS p ORDER BY p.day, p.person, p.payout
"""


@dataclass(frozen=True, slots=True)
class PaidOut:
    """A payment as it counts for a form; micros. `won`: what its seat won in the claim in all, so
    that parts of a payment are judged like the whole. `residence`: as said when it was paid."""

    payout: int
    amount: int
    cash: int
    residence: str
    won: int


@dataclass(frozen=True, slots=True)
class FormDue:
    """A form that payments to one person on a gaming day ask for, with the rule that does."""

    day: dt.date
    person: int
    rule: Rule
    payouts: tuple[PaidOut, ...]

    @property
    def total(self) -> int:
        return sum(each.amount for each in self.payouts)

    @property
    def cash(self) -> int:
        return sum(each.cash for each in self.payouts)

    @property
    def payout(self) -> int:
        """The payment from which it is drafted: the last of those that count."""
        return self.payouts[-1].payout

    @property
    def source(self) -> str:
        """Where the rule stands, and whether that is a policy, or not confirmed."""
        return with_standing(self.rule.source, self.rule)

    @property
    def condition(self) -> str:
        """What the console does not know, and who drafts it must."""
        if self.rule.rule == "shared_form":
            return _("if this person takes it for others as well")
        if all(each.residence for each in self.payouts):
            return ""
        if self.rule.residence == "resident":
            return _("if this person lives here")
        if self.rule.residence == "foreign":
            return _("if this person lives abroad")
        return ""


def forms_due(casino: Casino, first: dt.date, last: dt.date) -> list[FormDue]:
    """Every form of these gaming days, day by day and person by person."""
    if not any(rule.form for rule in load(pack_of(casino)).rules):
        return []
    with connection.cursor() as cursor:
        cursor.execute(_PAYOUTS, [casino.pk, start_of(first, casino), start_of(last + DAY, casino)])
        rows = cursor.fetchall()
    due: list[FormDue] = []
    for (day, person), group in groupby(rows, key=lambda row: row[:2]):
        payouts = [PaidOut(*row[2:]) for row in group]
        for rule in rules_at(casino, day).rules:
            if rule.form and rule.rule != "backup_withholding":
                due += (FormDue(day, person, rule, each) for each in _reached(rule, payouts))
    return due


def forms_of(casino: Casino, payouts: Collection[Payout]) -> dict[int, list[FormDue]]:
    """By payment the forms that it is part of; nothing of one that asks for none."""
    days = [day_of(each.at, casino) for each in payouts]
    wanted = {each.pk for each in payouts}
    by_payout: dict[int, list[FormDue]] = {}
    for form in forms_due(casino, min(days), max(days)) if days else ():
        for each in form.payouts:
            if each.payout in wanted:
                by_payout.setdefault(each.payout, []).append(form)
    return by_payout


def forms_by_line(casino: Casino, payouts: Collection[Payout]) -> dict[int, list[FormDue]]:
    """By payee of a claim the forms that its payments ask for, each once."""
    by_payout = forms_of(casino, payouts)
    by_line: dict[int, list[FormDue]] = {}
    for payout in payouts:
        forms = by_line.setdefault(payout.line, [])
        forms += [each for each in by_payout.get(payout.pk, ()) if each not in forms]
    return by_line


def counted(rule: Rule, total: int, cash: int) -> Decimal:
    """What a rule counts, in units of the currency."""
    return Decimal(cash if rule.of == "cash" else total) / MICROS


def _reached(rule: Rule, payouts: list[PaidOut]) -> list[tuple[PaidOut, ...]]:
    """The payments that count for each form of that rule: of whom it may be asked."""
    counting = [
        each
        for each in payouts
        if rule.residence == "any" or each.residence in ("", rule.residence)
    ]
    if rule.per == "payment":
        return [(each,) for each in counting if rule.is_reached(Decimal(each.won) / MICROS)]
    total, cash = sum(each.amount for each in counting), sum(each.cash for each in counting)
    return [tuple(counting)] if rule.is_reached(counted(rule, total, cash)) else []
