"""Which forms payments ask for: one answer for the cage, the claim, the report and the drafts.

A person is known by a number: that of the first identification by the same document. Payments to
players whom nobody identified ask for no form yet.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from django.db import connection
from django.utils.translation import gettext as _

from jackpot.terms.money import MICROS
from settlement.core.gaming_day import DAY, day_of, start_of
from settlement.jurisdiction.pack import Rule
from settlement.jurisdiction.rules import load, packs_of
from settlement.jurisdiction.words import with_standing
from settlement.models import Payout
from tables.models import Casino

# The payments of some days, and with them those of other days that are parts of the same prizes.
_PAYOUTS = """
    WITH span AS MATERIALIZED (SELECT * FROM paid_to_players(%s, %s, %s)), prizes AS (
        SELECT DISTINCT p.claim_id, p.seat, span.person, span.won
        FROM span JOIN settlement_payout p ON p.id = span.payout
    )
    SELECT q.at, prizes.person, q.claim_id, q.seat, q.id, q.amount, q.cash, q.tax,
           q.residence::text, prizes.won
    FROM prizes JOIN settlement_payout q ON q.claim_id = prizes.claim_id AND q.seat = prizes.seat
    ORDER BY q.id
"""


@dataclass(frozen=True, slots=True)
class PaidOut:
    """A payment as it counts for a form; micros. `won`: what its seat won in the claim in all, so
    that parts of a payment are judged like the whole. `residence`: as said when it was paid."""

    payout: int
    amount: int
    cash: int
    tax: int
    residence: str
    won: int


@dataclass(frozen=True, slots=True)
class FormDue:
    """A form that payments to one person ask for, with the rule that does.

    Of a gaming day, or of one prize whatever the parts it is paid in: then `day` is that of the
    first part.
    """

    day: dt.date
    person: int
    rule: Rule
    payouts: tuple[PaidOut, ...]

    @property
    def is_of_prize(self) -> bool:
        return _is_of_prize(self.rule)

    @property
    def total(self) -> int:
        """What was paid so far."""
        return sum(each.amount for each in self.payouts)

    @property
    def cash(self) -> int:
        return sum(each.cash for each in self.payouts)

    @property
    def tax(self) -> int:
        """What was withheld so far."""
        return sum(each.tax for each in self.payouts)

    @property
    def won(self) -> int:
        """What the prize is in all, paid or not."""
        return self.payouts[-1].won

    @property
    def amount(self) -> int:
        """What the form is about: a prize, or what was paid on a day."""
        return self.won if self.is_of_prize else self.total

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
    return [form for form in _touched(casino, first, last) if first <= form.day <= last]


def _touched(casino: Casino, first: dt.date, last: dt.date) -> list[FormDue]:
    """The forms of these gaming days, and of prizes of which a part was paid on them."""
    packs = packs_of(casino)
    if not packs.choices and not any(rule.form for rule in load(packs.name_on(last)).rules):
        return []
    with connection.cursor() as cursor:
        cursor.execute(_PAYOUTS, [casino.pk, start_of(first, casino), start_of(last + DAY, casino)])
        rows = cursor.fetchall()
    of_day: dict[tuple[dt.date, int], list[PaidOut]] = {}
    of_prize: dict[tuple[dt.date, int, int, int], list[PaidOut]] = {}
    begun: dict[tuple[int, int], dt.date] = {}
    for at, person, claim, seat, *figures in rows:
        day, payout = day_of(at, casino), PaidOut(*figures)
        if first <= day <= last:
            of_day.setdefault((day, person), []).append(payout)
        begins = begun.setdefault((claim, seat), day)
        of_prize.setdefault((begins, person, claim, seat), []).append(payout)
    due = [
        (place, FormDue(day, person, rule, each))
        for groups, is_of_prize in ((of_day, False), (of_prize, True))
        for (day, person, *_prize), payouts in groups.items()
        for place, rule in enumerate(packs.rules_on(day).rules)
        if rule.form and rule.rule != "backup_withholding" and _is_of_prize(rule) is is_of_prize
        for each in _reached(rule, payouts)
    ]
    due.sort(key=lambda one: (one[1].day, one[1].person, one[0], one[1].payout))
    return [form for _, form in due]


def _is_of_prize(rule: Rule) -> bool:
    """Whether there is one form for a prize, however often it is paid from: it states winnings."""
    return rule.per == "payment" and rule.rule in ("tax_form", "shared_form")


def forms_of(casino: Casino, payouts: Collection[Payout]) -> dict[int, list[FormDue]]:
    """By payment the forms that it is part of; nothing of one that asks for none."""
    days = [day_of(each.at, casino) for each in payouts]
    wanted = {each.pk for each in payouts}
    by_payout: dict[int, list[FormDue]] = {}
    for form in _touched(casino, min(days), max(days)) if days else ():
        for each in form.payouts:
            if each.payout in wanted:
                by_payout.setdefault(each.payout, []).append(form)
    return by_payout


def forms_by_line(casino: Casino, payouts: Collection[Payout]) -> dict[int, list[FormDue]]:
    """By payee of a claim the forms that its payments ask for, each once; that of a prize with the
    line that was paid last."""
    by_payout = forms_of(casino, payouts)
    by_line: dict[int, list[FormDue]] = {}
    for payout in payouts:
        forms = by_line.setdefault(payout.line, [])
        forms += [
            each
            for each in by_payout.get(payout.pk, ())
            if each not in forms and (not each.is_of_prize or each.payout == payout.pk)
        ]
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
    if _is_of_prize(rule):
        is_asked = bool(counting) and rule.is_reached(Decimal(counting[-1].won) / MICROS)
        return [tuple(counting)] if is_asked else []
    if rule.per == "payment":
        return [(each,) for each in counting if rule.is_reached(Decimal(each.won) / MICROS)]
    total, cash = sum(each.amount for each in counting), sum(each.cash for each in counting)
    return [tuple(counting)] if rule.is_reached(counted(rule, total, cash)) else []
