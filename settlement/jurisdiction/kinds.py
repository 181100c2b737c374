"""What each kind of rule must say and may say, and what is wrong with a pack.

docs/packs.md has the same table for whoever writes one; a test compares the two.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec
from django.utils.translation import gettext as _

from settlement.core.words import countries
from settlement.jurisdiction.layouts import layouts
from settlement.jurisdiction.pack import Kind, Pack, Rule

_ALWAYS = frozenset({"rule", "since", "until", "source", "house_policy", "checked"})
_AMOUNT = frozenset({"at_least", "above"})
_DUE = "due_days due_working_days due_date due_moves due_source due_checked"


@dataclass(frozen=True, slots=True)
class KindOfRule:
    """Fields besides those of every rule. `amount`: one of at_least and above. `apart`: what
    tells two rules of the kind apart; several that differ in it hold on one day.
    """

    needed: frozenset[str]
    allowed: frozenset[str]
    apart: tuple[str, ...]
    amount: bool

    @property
    def names(self) -> frozenset[str]:
        amount = _AMOUNT if self.amount else frozenset()
        return _ALWAYS | self.needed | self.allowed | amount


def _kind(needed: str, allowed: str, apart: str, *, amount: bool = False) -> KindOfRule:
    return KindOfRule(
        frozenset(needed.split()), frozenset(allowed.split()), tuple(apart.split()), amount
    )


KINDS: dict[Kind, KindOfRule] = {
    "cash_report": _kind("form", f"draft of per cash_in indexed {_DUE}", "form", amount=True),
    "tax_form": _kind(
        "form",
        f"draft of per parts residence withholding_percent indexed {_DUE}",
        "form residence",
        amount=True,
    ),
    "shared_form": _kind(
        "form", f"draft parts residence indexed {_DUE}", "form residence", amount=True
    ),
    "backup_withholding": _kind(
        "form withholding_percent", "residence indexed", "form residence", amount=True
    ),
    "identification": _kind(
        "", f"form draft of per indexed before_payment {_DUE}", "form of per", amount=True
    ),
    "retention": _kind("years", "records", "records"),
    "ties": _kind("ties", "", ""),
    "failure": _kind("of_failure remedy", "", "of_failure"),
    "exclusion": _kind("winnings", "", ""),
    "report_layout": _kind("title period reports", "", "title"),
}


def fault_of(pack: Pack) -> str:
    """The first thing that is wrong, with its rule and how to correct it; empty: nothing."""
    if pack.country and pack.country not in countries.codes():
        return _("its country %(country)s is none: give its two letters by ISO 3166") % {
            "country": pack.country
        }
    if pack.holidays is not None and (fault := pack.holidays.fault):
        return _("holiday %(fault)s") % {"fault": fault}
    for number, rule in enumerate(pack.rules, start=1):
        where = _("rule %(number)s (%(name)s)") % {"number": number, "name": rule_name(rule)}
        for judge in _JUDGES:
            if fault := judge(rule, pack):
                return f"{where} {fault}"
        for place, other in enumerate(pack.rules[: number - 1], start=1):
            if _is_same(rule, other) and rule.overlaps(other):
                return _(
                    "%(rule)s and rule %(other)s are of one kind and hold on the same day: give"
                    " the earlier one an until before the other begins"
                ) % {"rule": where, "other": place}
    return ""


def rule_name(rule: Rule) -> str:
    """A rule as people find it in a list: its kind and what it is about."""
    about = (rule.form, rule.records, rule.of_failure, rule.title, rule.source[:40])
    return f"{rule.rule}, {next(text for text in about if text)}"


def _is_same(rule: Rule, other: Rule) -> bool:
    return rule.rule == other.rule and all(
        getattr(rule, name) == getattr(other, name) for name in KINDS[rule.rule].apart
    )


def _set_fields(rule: Rule) -> Iterator[str]:
    """Those that say something else than what is so without them."""
    for field in msgspec.structs.fields(rule):
        if field.required or getattr(rule, field.name) != field.default:
            yield field.name


def _fields(rule: Rule, _pack: Pack) -> str:
    kind, present = KINDS[rule.rule], set(_set_fields(rule))
    if missing := sorted(kind.needed - present):
        return _("says no %(fields)s: add it") % {"fields": ", ".join(missing)}
    if idle := sorted(present - kind.names):
        return _("says %(fields)s, which a %(kind)s does not have: take it out") % {
            "fields": ", ".join(idle),
            "kind": rule.rule,
        }
    return ""


def _amounts(rule: Rule, pack: Pack) -> str:
    amounts = [each for each in (rule.at_least, rule.above) if each is not None]
    if len(amounts) == 2:
        return _("has at_least and above: keep one")
    if KINDS[rule.rule].amount and not amounts:
        return _("names no amount: add at_least or above")
    if any(amount <= 0 for amount in amounts):
        return _("names an amount that is not above zero: correct it")
    if amounts and not pack.currency:
        return _("names an amount, and the pack no currency: give the pack its currency")
    percent = rule.withholding_percent
    if percent is not None and not 0 < percent < 100:
        return _("withholds nothing, or all: give a percentage between 0 and 100")
    return ""


def _dates(rule: Rule, _pack: Pack) -> str:
    if rule.until is not None and rule.until < rule.since:
        return _("ends before it begins: correct since or until")
    if rule.indexed and rule.until is not None and rule.until.year > rule.since.year:
        return _(
            "is indexed and holds beyond its year: let it end with the year, or leave until out"
        )
    return ""


def _cash(rule: Rule, _pack: Pack) -> str:
    if rule.cash_in is not None and rule.of != "cash":
        return _("says how cash in is counted, and counts more than cash: say of: cash")
    return ""


def _parts(rule: Rule, _pack: Pack) -> str:
    if rule.parts == "year" and rule.per != "payment":
        return _("tells parts of a prize apart by year, and counts a day: take parts out")
    return ""


def _draft(rule: Rule, _pack: Pack) -> str:
    if rule.draft and not rule.form:
        return _("names a draft, and no form: add form")
    if rule.draft and rule.draft not in layouts():
        return _("names the draft %(draft)s, which there is not: choose one of %(known)s") % {
            "draft": rule.draft,
            "known": ", ".join(sorted(layouts())),
        }
    return ""


def _due(rule: Rule, pack: Pack) -> str:
    ways = [rule.due_days, rule.due_working_days, rule.due_date]
    count = sum(1 for way in ways if way)
    if count > 1:
        return _("says in several ways when the form is due: keep one")
    if bool(count) != bool(rule.due_source):
        return _("needs when the form is due and due_source together: add the other")
    if rule.due_moves and not (rule.due_days or rule.due_date):
        return _("says due_moves, which goes with due_days or due_date: take it out")
    if rule.due_moves and pack.holidays is None:
        return _("says due_moves, and the pack names no holidays: add holidays")
    if rule.due_checked and not count:
        return _("says due_checked, and not when the form is due: take it out")
    if count and not rule.form:
        return _("says when a form is due, and names no form: add form")
    try:
        dt.date.fromisoformat(f"2001-{rule.due_date or '01-01'}")
    except ValueError:
        return _("names a due_date that no year has: give month and day, such as 02-28")
    return ""


_JUDGES: tuple[Callable[[Rule, Pack], str], ...] = (
    _fields,
    _amounts,
    _dates,
    _cash,
    _parts,
    _draft,
    _due,
)
