"""What a payment asks for: forms, withholding and identification, with the person's day.

The one place that says how much tax is withheld. A person is known by a number: that of the first
identification by the same document. Who it is stays where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.hits.columns import PayeeLine
from jackpot.hits.states import OVER
from jackpot.labels.figures import localized, write_amount
from jackpot.models import Hit
from jackpot.terms.money import MICROS
from settlement.core.errors import BadWithholding
from settlement.core.gaming_day import today
from settlement.core.input import clean_text
from settlement.evidence.identification import residence_of
from settlement.jurisdiction.persons_day import (
    PaidSoFar,
    PaidToSeat,
    paid_so_far,
    seats_so_far,
)
from settlement.jurisdiction.rules import Rule, rules_at
from settlement.jurisdiction.words import with_standing
from settlement.models import Claim, Payout
from tables.models import Casino


@dataclass(frozen=True, slots=True)
class PayeeStatement:
    """What the cashier says of a payee: where they live (`Payout.Residence`), that they give no
    taxpayer number, and why another amount is withheld than the rules ask for."""

    residence: str = ""
    without_number: bool = False
    reason: str = ""


NOTHING_STATED = PayeeStatement()


@dataclass(frozen=True, slots=True)
class Duty:
    """Something that a payment asks for, in words, with its source."""

    text: str
    source: str
    residence: str  # of whom: of everybody ("any"), of residents or of foreigners


@dataclass(frozen=True, slots=True)
class PaymentRequirements:
    """What paying `amount` to a payee asks for; amounts in micros.

    `won`: what the payee's seat won in this claim in all, but what was forfeited or reversed before
    anything of it was paid; so parts of a payment are judged like the whole. `day`: what the person
    was paid on this gaming day before, None while nobody has identified the player; then `to_seat`,
    what this seat was paid on it of this claim, is what counts. `rules`: those
    that may apply, whatever the payee's residence; `likely_rules`: those that apply if whoever may
    be this person is. Nothing is withheld by these: what a payment withholds is known. `home`:
    where the player lives (`Payout.Residence`) by the country of the identification.
    """

    casino: Casino
    pack: str
    place: str
    amount: int
    won: int
    day: PaidSoFar | None
    to_seat: PaidToSeat
    rules: tuple[Rule, ...]
    likely_rules: tuple[Rule, ...] = ()
    home: str = ""

    @property
    def is_empty(self) -> bool:
        return not self.rules and not self.likely_rules

    @property
    def asks_residence(self) -> bool:
        """Whether it depends on where the payee lives."""
        return any(rule.residence != "any" for rule in self.rules)

    @property
    def withholds(self) -> bool:
        """Whether tax is withheld of somebody."""
        return any(rule.withholding_percent is not None for rule in self.rules)

    @property
    def total(self) -> int:
        """With this payment, what the person is paid on the gaming day."""
        return self.amount + self.before.total

    @property
    def before(self) -> PaidSoFar | PaidToSeat:
        """What was paid on the gaming day before: to the person, or while nobody knows who that is
        to the seat."""
        return self.day or self.to_seat

    def wanted_first(self, cash: int) -> Rule | None:
        """The rule for which the player must be identified before `amount` is paid, `cash` of it in
        cash; None: there is none, or somebody identified the player."""
        if self.day is not None:
            return None
        return next(
            (
                rule
                for rule in self.rules
                if rule.before_payment
                and (rule.of != "cash" or is_reached(rule, cash, self.won, self.to_seat))
            ),
            None,
        )

    @property
    def asks_number(self) -> bool:
        """Whether more is withheld of somebody who gives no taxpayer number."""
        return any(rule.rule == "backup_withholding" for rule in self.rules)

    def percent(self, statement: PayeeStatement) -> Decimal:
        """The part that is withheld of such a payee."""
        parts = (
            rule.withholding_percent or Decimal()
            for rule in self.rules
            if rule.residence in ("any", statement.residence)
            and (rule.rule != "backup_withholding" or statement.without_number)
        )
        return sum(parts, Decimal())

    def tax(self, statement: PayeeStatement) -> int:
        """What is withheld of the amount, in whole minor units."""
        return tax_of(self.amount, self.percent(statement), self.casino)

    def duties(self, residence: str = "") -> list[Duty]:
        """In words; for either residence where it is not known."""
        residences = {residence, "any"} if residence else {"any", "resident", "foreign"}
        return [
            self._duty(rule, is_open=not residence)
            for rule in (*self.rules, *self.likely_rules)
            if rule.residence in residences
        ]

    def _duty(self, rule: Rule, *, is_open: bool) -> Duty:
        is_likely = rule in self.likely_rules
        before = _before(rule, self.before, with_likely=is_likely)
        values = {
            "form": rule.form,
            "total": self.money(self.amount + before),
            "currency": self.casino.currency,
        }
        match rule.rule:
            case "cash_report" if rule.of == "cash":
                text = _("%(form)s, if paid in cash: %(currency)s %(total)s today") % values
            case "cash_report":
                text = _("%(form)s: %(currency)s %(total)s to this person today") % values
            case "identification" if rule.before_payment and self.day is None:
                text = _("Identify this person before you pay: %(currency)s %(total)s today")
                text %= values
            case "identification":
                text = _("Identify this person: %(currency)s %(total)s today") % values
            case "shared_form":
                text = _("%(form)s, if several people share it") % values
            case "backup_withholding":
                text = _("%(form)s, if no taxpayer number is given") % values
            case _:
                text = _("%(form)s") % values
        if is_open and rule.residence == "foreign":
            text = _("%(text)s, if the person lives abroad") % {"text": text}
        if is_open and rule.residence == "resident":
            text = _("%(text)s, if the person lives here") % {"text": text}
        if is_likely and self.day is not None:
            text = _("%(text)s, if this person is No. %(numbers)s, too") % {
                "text": text,
                "numbers": ", ".join(str(each.person) for each in self.day.likely),
            }
        elif rule.withholding_percent is not None:
            withheld = tax_of(self.amount, rule.withholding_percent, self.casino)
            text = _("%(text)s: withhold %(percent)s%%, %(currency)s %(withheld)s") % {
                "text": text,
                "percent": localized(f"{rule.withholding_percent:g}"),
                "currency": self.casino.currency,
                "withheld": self.money(withheld),
            }
        return Duty(with_standing(text, rule), rule.source, rule.residence)

    def money(self, micros: int) -> str:
        """As people read it."""
        return write_amount(micros, self.casino.minor_digits)


def withholding(
    needed: PaymentRequirements, tax: int, statement: PayeeStatement
) -> dict[str, Any] | None:
    """What the record of a payment says of the `tax` (micros) that it withholds; None: nothing.

    BadWithholding where it is not what the pack asks for and nobody says why, or where nobody
    says where the payee lives.
    """
    residence, reason = statement.residence or needed.home, clean_text(statement.reason)
    if residence not in ("", *Payout.Residence.values):
        raise BadWithholding(_("Choose where the payee lives: here or abroad."))
    if not (needed.asks_residence or needed.withholds or tax):
        return None
    if needed.asks_residence and not residence:
        raise BadWithholding(
            _("Choose where the payee lives: the rules of %(place)s depend on it.")
            % {"place": needed.place}
        )
    if needed.home not in ("", residence) and not reason:
        raise BadWithholding(
            _(
                "The country of the identification says otherwise where the player lives: correct"
                " one of them, or enter a reason."
            )
        )
    due = needed.tax(replace(statement, residence=residence))
    if tax != due and not reason:
        raise BadWithholding(
            _(
                "The rules of %(place)s require you to withhold %(due)s of this payment, not "
                "%(tax)s: correct it, or enter a reason."
            )
            % {
                "place": needed.place,
                "due": needed.money(due),
                "tax": needed.money(tax),
            }
        )
    record = {"residence": residence, "pack": needed.pack, "due": due, "reason": reason}
    return record | ({"without_number": True} if statement.without_number else {})


def tax_of(amount: int, percent: Decimal, casino: Casino) -> int:
    """That part of an amount (micros), half a minor unit and more rounded up."""
    unit = 10 ** (6 - casino.minor_digits)
    units = (amount * percent / 100 / unit).quantize(Decimal(1), ROUND_HALF_UP)
    return int(units) * unit


def requirements(
    claim: Claim, hit: Hit, payments: Sequence[tuple[PayeeLine, int]]
) -> dict[int, PaymentRequirements]:
    """By line what paying so many micros of it now, in cash, asks for by the pack of the casino.

    PackError where the pack cannot be used and something is to be paid.
    """
    if not payments:
        return {}
    casino = claim.system.casino
    day = today(casino)
    rules = rules_at(casino, day, timezone.now().astimezone(ZoneInfo(casino.timezone)).date())
    seats = {line.seat for line, _ in payments}
    of_day = paid_so_far(claim, seats, day) if rules.asks_of_payments else {}
    of_seat = seats_so_far(claim, day) if seats - of_day.keys() and rules.asks_of_payments else {}
    needed = {}
    for line, amount in payments:
        day_so_far, to_seat = of_day.get(line.seat), of_seat.get(line.seat, PaidToSeat())
        won, before = won_by(hit, line.seat), day_so_far or to_seat
        reached = [rule for rule in rules.rules if is_reached(rule, amount, won, before)]
        likely = [
            rule
            for rule in rules.rules
            if day_so_far is not None
            and day_so_far.likely
            and rule not in reached
            and is_reached(rule, amount, won, day_so_far, with_likely=True)
        ]
        by_home = rules.country and any(rule.residence != "any" for rule in reached)
        needed[line.line] = PaymentRequirements(
            *(casino, rules.pack, rules.name, amount, won, day_so_far, to_seat),
            *(tuple(reached), tuple(likely)),
            residence_of(claim, line.seat, rules.country) if by_home else "",
        )
    return needed


def won_by(hit: Hit, seat: int) -> int:
    """What a seat won in this claim in all, but what was forfeited or reversed before anything of
    it was paid; micros."""
    return sum(
        line.amount
        for line in hit.payee_lines
        if line.seat == seat and (line.payments or line.state not in OVER)
    )


def is_reached(
    rule: Rule,
    amount: int,
    won: int,
    before: PaidSoFar | PaidToSeat,
    *,
    with_likely: bool = False,
) -> bool:
    """Whether paying `amount` now, of what a seat won and after what was paid on the day before,
    comes to the limit of a rule; micros."""
    if rule.per == "payment":
        return rule.is_reached(Decimal(won) / MICROS)
    counting = _before(rule, before, with_likely=with_likely)
    return rule.is_reached(Decimal(counting + amount) / MICROS)


def _before(rule: Rule, before: PaidSoFar | PaidToSeat, *, with_likely: bool) -> int:
    """What counts for a rule of what was paid on the day before this payment."""
    if with_likely and isinstance(before, PaidSoFar):
        return before.likely_cash if rule.of == "cash" else before.likely_total
    return before.cash if rule.of == "cash" else before.total
