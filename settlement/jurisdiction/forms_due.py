"""Which forms payments ask for: one answer for the cage, the claim, the report and the drafts.

A person is known by a number (`settlement.jurisdiction.persons_day`). Payments to players whom
nobody identified ask for no form yet.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from itertools import chain
from zoneinfo import ZoneInfo

from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.terms.money import MICROS
from settlement.core.gaming_day import day_of
from settlement.jurisdiction.holidays import Holidays
from settlement.jurisdiction.pack import Rule
from settlement.jurisdiction.recipients import (
    PaidOnDays,
    PaidOut,
    Pairs,
    as_array,
    likely_persons,
    one_each,
    own_part,
)
from settlement.jurisdiction.rules import RulesOfDay, load
from settlement.jurisdiction.words import with_standing
from settlement.models import Payout
from tables.models import Casino

_Kinds = tuple[str, ...]
_TAX: _Kinds = ("tax_form",)
_SHARED: _Kinds = ("shared_form",)
_ALL = (*_TAX, *_SHARED)  # rules of which there is one form for a prize

# The payments of some days, and with them those of other days that are parts of the same prizes.
_PAYOUTS = """
    WITH span AS MATERIALIZED (
        SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS each (payout, person, won)
    ), prizes AS (
        SELECT DISTINCT ON (p.claim_id, p.seat) p.claim_id, p.seat, span.person, span.won
        FROM span JOIN settlement_payout p ON p.id = span.payout
        ORDER BY p.claim_id, p.seat, p.id
    )
    SELECT local.at::date, local.at::date - (local.at::time < c.day_starts)::int,
           coalesce(span.person, prizes.person), prizes.person, q.claim_id, q.seat, q.id,
           q.amount, q.cash, q.tax, q.residence::text, prizes.won
    FROM prizes JOIN settlement_payout q ON q.claim_id = prizes.claim_id AND q.seat = prizes.seat
    JOIN tables_casino c ON c.id = %s
    CROSS JOIN LATERAL (SELECT q.at AT TIME ZONE c.timezone AS at) AS local
    LEFT JOIN span ON span.payout = q.id
    ORDER BY q.id
"""


@dataclass(frozen=True, slots=True)
class FormDue:
    """A form that payments to one person ask for, with the rule that does.

    Of a gaming day, or of one prize, whatever the parts it is paid in, or of those of a calendar
    year: then `day` is that of the first part. `is_of_year`: it states what was paid in that year,
    as the rest of the prize was not. `likely`: who must be one person, so that it is due; else
    `person` alone has been paid so much.
    """

    day: dt.date
    person: int
    rule: Rule
    payouts: tuple[PaidOut, ...]
    likely: tuple[int, ...] = ()
    is_of_year: bool = False
    year: int = 0
    """The calendar year of its first payment, for a prize; 0: that of the gaming day."""
    holidays: Holidays | None = None
    """Of the place, on that day."""

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
    def winnings(self) -> int:
        """What the form states as won: the prize, or what was paid of it in the year."""
        return self.total if self.is_of_year else self.won

    @property
    def amount(self) -> int:
        """What the form is about: winnings, or what was paid on a day."""
        return self.winnings if self.is_of_prize else self.total

    @property
    def payout(self) -> int:
        """The payment from which it is drafted: the last of those that count."""
        return self.payouts[-1].payout

    @property
    def sharer(self) -> int:
        """The sharer of whose part it is drafted, by number; 0: the payee."""
        return self.payouts[-1].sharer

    @property
    def is_shared(self) -> bool:
        """Whether sharers who sat nowhere are named for the prize of the payee."""
        return self.payouts[-1].whole > 0 and not self.sharer

    @property
    def source(self) -> str:
        """Where the rule stands, and whether that is a policy, or not confirmed."""
        return with_standing(self.rule.source, self.rule)

    @property
    def condition(self) -> str:
        """What the console does not know, and who drafts it must."""
        if self.likely:
            numbers = ", ".join(map(str, self.likely))
            return _("if No. %(numbers)s are one person") % {"numbers": numbers}
        if self.rule.rule == "shared_form" and not self.is_shared:
            return _("if this person takes it for others as well")
        if all(each.residence for each in self.payouts):
            return ""
        if self.rule.residence == "resident":
            return _("if this person lives here")
        if self.rule.residence == "foreign":
            return _("if this person lives abroad")
        return ""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a prize, with the date by the calendar and the gaming day on which it was paid."""

    date: dt.date
    day: dt.date
    payout: PaidOut

    @property
    def year(self) -> int:
        return self.date.year


@dataclass(frozen=True, slots=True)
class _Asks:
    """The rules of a day that ask for a form, each with its place: of what a person is paid on a
    day, and of a prize."""

    of_days: tuple[tuple[int, Rule], ...]
    of_prizes: tuple[tuple[int, Rule], ...]
    holidays: Holidays | None

    @classmethod
    def of(cls, rules: RulesOfDay) -> _Asks:
        forms = [each for each in enumerate(rules.rules) if _has_form(each[1])]
        of_prizes = tuple(each for each in forms if _is_of_prize(each[1]))
        of_days = tuple(each for each in forms if not _is_of_prize(each[1]))
        return cls(of_days, of_prizes, rules.holidays)


_AsksOn = Callable[..., _Asks]  # on a gaming day; for a prize by rules of tax of its calendar date


def forms_due(paid: PaidOnDays, pairs: Pairs | None = None) -> list[FormDue]:
    """Every form of these gaming days, day by day and person by person.

    `pairs`: those of `likely_persons`, from whoever has asked already.
    """
    return [form for form in _touched(paid, pairs) if paid.first <= form.day <= paid.last]


def _touched(paid: PaidOnDays, pairs: Pairs | None = None) -> list[FormDue]:
    """The forms of these gaming days, and of prizes of which a part was paid on them."""
    casino, first, last = paid.casino, paid.first, paid.last
    packs = paid.packs
    if not packs.choices and not any(rule.form for rule in load(packs.name_on(last)).rules):
        return []
    # Of each day once, whatever was paid on it.
    asks = cache(lambda day, date=None: _Asks.of(packs.rules_on(day, date)))
    with connection.cursor() as cursor:
        won = as_array(each.won for each in paid.players)
        cursor.execute(_PAYOUTS, [*paid.payouts_and_persons, won, casino.pk])
        rows = cursor.fetchall()
    of_day: dict[tuple[dt.date, int], list[PaidOut]] = {}
    prizes: dict[tuple[int, int, int, int, _Kinds], list[_Part]] = {}
    zone = ZoneInfo(casino.timezone)
    of_sharers: dict[int, list[PaidOut]] = {}
    person_of: dict[int, int] = {}
    for share in paid.sharers:
        if first <= share.day <= last:
            of_day.setdefault((share.day, share.person), []).append(share.paid)
        of_sharers.setdefault(share.paid.payout, []).append(share.paid)
        person = person_of.setdefault(share.paid.sharer, share.person)
        place = (person, share.claim, share.seat, share.paid.sharer, _TAX)
        part = _Part(share.at.astimezone(zone).date(), share.day, share.paid)
        if share.paid.won:  # nothing where all that was left of it was forfeited
            prizes.setdefault(place, []).append(part)
    for date, day, person, winner, claim, seat, *figures in rows:
        payout = PaidOut(*figures)
        if first <= day <= last:
            of_day.setdefault((day, person), []).append(payout)
        for kinds, counting in _of_payee(payout, of_sharers.get(payout.payout, ())):
            part = _Part(date, day, counting)
            prizes.setdefault((winner, claim, seat, 0, kinds), []).append(part)
    due = [
        (place, FormDue(day, person, rule, each, holidays=demand.holidays))
        for (day, person), payouts in of_day.items()
        for demand in [asks(day)]
        for place, rule in demand.of_days
        for each in _reached(rule, sorted(payouts, key=lambda paid: paid.payout))
    ]
    year = timezone.now().astimezone(zone).year
    for (person, *_prize, kinds), parts in prizes.items():
        due += _of_prize(person, parts, asks, year, kinds)
    if len({person for _day, person in of_day}) > 1:
        pairs = likely_persons(paid) if pairs is None else pairs
        due += _likely_due(of_day, pairs, asks)
    due.sort(key=lambda one: (one[1].day, one[1].person, one[0], one[1].payout))
    return [form for _, form in due]


def _of_payee(payout: PaidOut, of_sharers: Collection[PaidOut]) -> Iterator[tuple[_Kinds, PaidOut]]:
    """What of a payment to a payee counts for which forms of a prize: all of it, or where others
    share it, all of it for the form that names them, and the payee's own part for that of the tax.
    """
    if not of_sharers:
        yield _ALL, payout
        return
    yield _SHARED, replace(payout, whole=payout.won)
    own = own_part(payout, of_sharers)
    if own.won > 0:
        yield _TAX, own


def _has_form(rule: Rule) -> bool:
    return bool(rule.form) and rule.rule != "backup_withholding"


def _of_prize(
    person: int, parts: Sequence[_Part], asks: _AsksOn, now: int, kinds: _Kinds
) -> list[tuple[int, FormDue]]:
    """The forms of one prize, each with the place of its rule: of all its parts, by the rules of
    the date of the first, or of those of each calendar year. `now`: the year that is running;
    `kinds`: of rules that these parts count for."""
    due: list[tuple[int, FormDue]] = []
    for year in dict.fromkeys(each.year for each in parts):
        of_year = [each for each in parts if each.year == year]
        demand = asks(of_year[0].day, of_year[0].date)
        if not demand.of_prizes:
            continue
        paid, won = sum(each.payout.amount for each in of_year), parts[-1].payout.won
        is_split = len(of_year) < len(parts) or (year < now and paid < won)
        for place, rule in demand.of_prizes:
            if rule.rule not in kinds:
                continue
            is_whole = rule.parts == "whole"
            if is_whole and of_year[0] is not parts[0]:
                continue
            counting = [each.payout for each in (parts if is_whole else of_year)]
            is_of_year, first = is_split and not is_whole, of_year[0].day
            due += [
                (place, FormDue(first, person, rule, each, (), is_of_year, year, demand.holidays))
                for each in _reached(rule, counting)
            ]
    return due


def _likely_due(
    of_day: Mapping[tuple[dt.date, int], list[PaidOut]],
    pairs: Pairs,
    asks: _AsksOn,
) -> list[tuple[int, FormDue]]:
    """Forms that nobody's day alone asks for, but that of a group does, with their place."""
    due = []
    for day in sorted({day for day, _person in of_day} if pairs else ()):
        demand = asks(day)
        for group in one_each({person for on, person in of_day if on == day}, pairs):
            parts = [of_day[day, person] for person in group]
            together = sorted(chain(*parts), key=lambda each: each.payout)
            due += [
                (place, FormDue(day, group[0], rule, payouts, group, holidays=demand.holidays))
                for place, rule in demand.of_days
                if rule.per == "person_and_day" and not any(_reached(rule, part) for part in parts)
                for payouts in _reached(rule, together)
            ]
    return due


def _is_of_prize(rule: Rule) -> bool:
    """Whether there is one form for a prize, however often it is paid from: it states winnings."""
    return rule.per == "payment" and rule.rule in _ALL


def forms_of(casino: Casino, payouts: Collection[Payout]) -> dict[int, list[FormDue]]:
    """By payment the forms that it is part of; nothing of one that asks for none."""
    days = [day_of(each.at, casino) for each in payouts]
    numbers = {each.pk for each in payouts}
    by_payout: dict[int, list[FormDue]] = {}
    for form in _touched(PaidOnDays(casino, min(days), max(days))) if days else ():
        for each in form.payouts:
            if each.payout in numbers:
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
        is_asked = bool(counting) and rule.is_reached(Decimal(counting[-1].judged) / MICROS)
        return [tuple(counting)] if is_asked else []
    if rule.per == "payment":
        return [(each,) for each in counting if rule.is_reached(Decimal(each.judged) / MICROS)]
    total, cash = sum(each.amount for each in counting), sum(each.cash for each in counting)
    return [tuple(counting)] if rule.is_reached(counted(rule, total, cash)) else []
