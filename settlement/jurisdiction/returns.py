"""What a regulator gets, and when: the returns of a place with their reports in order."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import get_args

from django.utils.translation import gettext

from settlement.core.gaming_day import DAY
from settlement.jurisdiction.pack import Period, Rule
from settlement.jurisdiction.rules import load, packs_of, rules_at
from settlement.jurisdiction.words import PERIODS, with_standing
from tables.models import Casino


@dataclass(frozen=True, slots=True)
class Return:
    """A return of the last period that has ended: gaming days, and codes of reports in order.
    `source`: with what it stands on."""

    title: str
    """In English: it is stored with the files."""
    period: str
    first: dt.date
    last: dt.date
    reports: tuple[str, ...]
    source: str


def returns_of(casino: Casino, day: dt.date) -> list[Return]:
    """The returns of the periods that ended last before a gaming day.

    Each is that of the pack and its rules on the last day of its period: a rule that begins with a
    quarter asks for nothing of the one before.
    """
    packs = packs_of(casino)
    ended = {period: ended_before(day, period) for period in get_args(Period)}
    return [
        Return(
            rule.title,
            PERIODS[rule.period],
            first,
            last,
            rule.reports,
            with_standing(gettext(rule.source), rule),
        )
        for name in dict.fromkeys(packs.name_on(last) for _, last in ended.values())
        for rule in load(name).rules
        if rule.period is not None
        for first, last in [ended[rule.period]]
        if packs.name_on(last) == name and rule.holds_on(last)
    ]


def layouts_on(casino: Casino, day: dt.date) -> list[Rule]:
    """The rules that say what a return is, as they hold on a gaming day. PackError: they cannot be
    read."""
    return rules_at(casino, day).of("report_layout")


def ended_before(day: dt.date, period: Period) -> tuple[dt.date, dt.date]:
    """The first and the last gaming day of the period that ended last before a gaming day.

    >>> ended_before(dt.date(2026, 11, 25), "quarter")
    (datetime.date(2026, 7, 1), datetime.date(2026, 9, 30))
    """
    if period == "day":
        return day - DAY, day - DAY
    months = {"month": 1, "quarter": 3, "year": 12}[period]
    begins = day.replace(month=(day.month - 1) // months * months + 1, day=1)
    last = begins - DAY
    first = last.replace(month=(last.month - 1) // months * months + 1, day=1)
    return first, last
