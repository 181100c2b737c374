"""A pack of rules as typed values: what a rule says, from when until when, and where it stands.

What a kind of rule must say, and where the console reads it, is in `settlement.jurisdiction.kinds`.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from settlement.core.printing.paper import Paper
from settlement.jurisdiction.holidays import Holidays

Kind = Literal[
    "cash_report",
    "tax_form",
    "shared_form",
    "backup_withholding",
    "identification",
    "retention",
    "ties",
    "failure",
    "exclusion",
    "report_layout",
]
Records = Literal["money", "claims", "identification", "reports", "access"]
Ties = Literal["first", "shared", "posted"]
Failure = Literal["round", "hand", "amount"]
Remedy = Literal["made_good", "void", "displayed", "recorded", "posted"]
Winnings = Literal["forfeited", "decided"]
Period = Literal["day", "month", "quarter", "year"]
Text = Annotated[str, Meta(min_length=1)]


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule of a place, in force from `since` until `until`, both included.

    `at_least`, `above`: amounts in units of the currency, one of them. `of`: what is counted.
    `per`: each payment by itself, or all of a person and gaming day. `cash_in`: whether cash that
    a person brings is counted apart from cash that is paid out, or with it. `before_payment`:
    nobody is paid so much before they are identified. `indexed`: the amount
    changes each year, by a further rule. `parts`: whether a prize has one form whatever its parts,
    or one for each calendar year in which some are paid. `draft`: the form that the console fills
    in. `records`: what is kept so many years, None: all that no other rule names. `remedy`: what
    becomes of a round, a hand or an amount when equipment failed. `winnings`: what becomes of those
    of an excluded person. `due_days`, `due_working_days`, `due_date`: until when a form is filed,
    after the gaming day or in the year after the payment; one of them, with `due_source`.
    `due_moves`: a last day that is no working day moves to the next one.
    `house_policy`: the law is disputed or silent, and the house decided so. `checked`: the day on
    which somebody compared rule and source with the text of the law.
    """

    rule: Kind
    since: dt.date
    source: Text
    until: dt.date | None = None
    house_policy: bool = False
    checked: dt.date | None = None
    form: str = ""
    draft: str = ""
    at_least: Decimal | None = None
    above: Decimal | None = None
    indexed: bool = False
    of: Literal["all", "cash"] = "all"
    per: Literal["payment", "person_and_day"] = "payment"
    parts: Literal["whole", "year"] = "whole"
    due_days: Annotated[int, Meta(gt=0)] | None = None
    due_working_days: Annotated[int, Meta(gt=0)] | None = None
    due_date: Annotated[str, Meta(pattern=r"^\d\d-\d\d$")] = ""  # month and day
    due_moves: bool = False
    due_source: str = ""
    due_checked: dt.date | None = None
    cash_in: Literal["apart", "together"] | None = None
    before_payment: bool = False
    residence: Literal["any", "resident", "foreign"] = "any"
    withholding_percent: Decimal | None = None
    records: Records | None = None
    years: Annotated[int, Meta(gt=0)] | None = None
    ties: Ties | None = None
    of_failure: Failure | None = None
    remedy: Remedy | None = None
    winnings: Winnings | None = None
    title: str = ""
    period: Period | None = None
    reports: tuple[str, ...] = ()

    def holds_on(self, day: dt.date) -> bool:
        return self.since <= day and (self.until is None or day <= self.until)

    @property
    def is_by_calendar(self) -> bool:
        """Whether it holds by the calendar date of a payment: tax is owed for calendar years. All
        others, and what counts by the gaming day, hold by the gaming day."""
        taxes = ("tax_form", "shared_form", "backup_withholding")
        return self.per == "payment" and self.rule in taxes

    def overlaps(self, other: Rule) -> bool:
        """Whether there is a day on which both hold."""
        first, last = sorted((self, other), key=lambda each: each.since)
        return first.holds_on(last.since)

    def is_reached(self, amount: Decimal) -> bool:
        if self.at_least is not None:
            return amount >= self.at_least
        return self.above is not None and amount > self.above

    @property
    def is_unconfirmed(self) -> bool:
        """Whether it claims a law that nobody has compared it with."""
        return not self.house_policy and self.checked is None

    def is_stale_on(self, day: dt.date) -> bool:
        """Whether the amount changes each year, and this is one of a year before."""
        return self.indexed and self.since.year < day.year


class Pack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place. `currency` is empty where no rule names an amount; `country`: whose residents are no
    foreigners, by ISO 3166-1, so that the country of a player says which of them somebody is;
    `paper`: what its houses print on; `holidays`: which Mondays to Fridays are no working days."""

    name: Text
    currency: str
    rules: tuple[Rule, ...]
    country: str = ""
    paper: Paper = "a4"
    holidays: Holidays | None = None

    def on(self, day: dt.date, date: dt.date | None = None) -> tuple[Rule, ...]:
        """The rules that hold on a gaming day; of tax those of a payment's `date`, if given."""
        date = date or day
        return tuple(
            each for each in self.rules if each.holds_on(date if each.is_by_calendar else day)
        )

    def changes_after(self, day: dt.date) -> list[tuple[dt.date, Rule, bool]]:
        """What begins (True) and ends (False) later, the next first: (day, rule, begins)."""
        begins = [(each.since, each, True) for each in self.rules if each.since > day]
        ends = [
            (each.until + dt.timedelta(days=1), each, False)
            for each in self.rules
            if each.until is not None and each.until >= day
        ]
        return sorted([*begins, *ends], key=lambda change: (change[0], change[2]))
