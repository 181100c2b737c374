"""Packs of rules: one YAML file for each place, every rule with its dates and its source.

A house names its pack by casino (JURISDICTIONS) and may add its own folder (JURISDICTION_DIR),
whose files go before those of the project. Files are read again when they change: a new threshold
takes effect by its date, without a release.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _
from msgspec import Meta

from settlement.core.errors import RuleBroken
from tables.models import Casino

OWN = Path(__file__).parent / "packs"
NEUTRAL = "neutral"
Kind = Literal[
    "cash_report", "tax_form", "shared_form", "identification", "retention", "player_fund", "ties"
]
Text = Annotated[str, Meta(min_length=1)]


class PackError(RuleBroken):
    """A pack cannot be used; the message names the file and what to correct."""


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule of a place, in force from `since` until `until`, both included.

    `at_least`, `above`: amounts in units of the currency, one of them. `of`: what is counted.
    `per`: each payment by itself, or all of a person and gaming day. `house_policy`: the law is
    disputed or silent, and the house decided so.
    """

    rule: Kind
    since: dt.date
    source: Text
    until: dt.date | None = None
    form: str = ""
    at_least: Decimal | None = None
    above: Decimal | None = None
    of: Literal["all", "cash"] = "all"
    per: Literal["payment", "person_and_day"] = "payment"
    residence: Literal["any", "resident", "foreign"] = "any"
    withholding_percent: Decimal | None = None
    house_policy: bool = False
    years: Annotated[int, Meta(gt=0)] | None = None

    def holds_on(self, day: dt.date) -> bool:
        return self.since <= day and (self.until is None or day <= self.until)

    def is_reached(self, amount: Decimal) -> bool:
        if self.at_least is not None:
            return amount >= self.at_least
        return self.above is not None and amount > self.above


class Pack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place. `currency` is empty where no rule names an amount."""

    name: Text
    currency: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class RulesOfDay:
    """What holds in a casino on a gaming day."""

    pack: str
    name: str
    rules: tuple[Rule, ...]

    @property
    def asks_of_payments(self) -> bool:
        return any(each.at_least is not None or each.above is not None for each in self.rules)


def packs() -> dict[str, Path]:
    """Every pack there is, by its name; the house's own go first."""
    folders = [OWN, *([Path(settings.JURISDICTION_DIR)] if settings.JURISDICTION_DIR else [])]
    return {file.stem: file for folder in folders for file in sorted(folder.glob("*.yaml"))}


def load(name: str) -> Pack:
    """PackError for one that is not there or says what nobody understands."""
    file = packs().get(name)
    if file is None:
        known = ", ".join(sorted(packs()))
        raise PackError(
            _("There is no jurisdiction pack %(name)s: choose one of %(known)s.")
            % {"name": name, "known": known}
        )
    return _read(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _read(file: Path, _changed: int) -> Pack:
    try:
        pack = msgspec.yaml.decode(file.read_bytes(), type=Pack, strict=False)
    except msgspec.MsgspecError as fault:
        raise PackError(
            _("The jurisdiction pack %(file)s cannot be read: %(fault)s.")
            % {"file": file.name, "fault": fault}
        ) from fault
    if wrong := _fault(pack):
        raise PackError(
            _("The jurisdiction pack %(file)s cannot be used: %(fault)s.")
            % {"file": file.name, "fault": wrong}
        )
    return pack


def _fault(pack: Pack) -> str:
    for number, each in enumerate(pack.rules, start=1):
        where = f"rule {number} ({each.rule}, {each.form or each.source[:30]})"
        if any(amount is not None and amount <= 0 for amount in (each.at_least, each.above)):
            return f"{where} names an amount that is not above zero"
        if each.withholding_percent is not None and not 0 < each.withholding_percent < 100:
            return f"{where} withholds less than nothing or more than all"
        if each.at_least is not None and each.above is not None:
            return f"{where} has at_least and above: keep one"
        if (each.at_least or each.above) and not pack.currency:
            return f"{where} names an amount, and the pack no currency"
        if each.until is not None and each.until < each.since:
            return f"{where} ends before it begins"
        for other in pack.rules[: number - 1]:
            same = (each.rule, each.form, each.residence) == (
                other.rule,
                other.form,
                other.residence,
            )
            if same and other.holds_on(each.since):
                return f"{where} begins while one of the same kind holds: let that one end before"
    return ""


def rules_at(casino: Casino, day: dt.date) -> RulesOfDay:
    """The rules of the casino's pack that hold on a gaming day."""
    name = settings.JURISDICTIONS.get(casino.code, NEUTRAL)
    pack = load(name)
    if pack.currency and pack.currency != casino.currency:
        raise PackError(
            _("The jurisdiction pack %(name)s is in %(currency)s, and %(casino)s is not.")
            % {"name": name, "currency": pack.currency, "casino": casino.name}
        )
    return RulesOfDay(name, pack.name, tuple(each for each in pack.rules if each.holds_on(day)))
