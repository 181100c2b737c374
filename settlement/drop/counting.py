"""From when on a system counts its drop, and enters its balance at the bank.

From the first gaming day of which one was entered, unless two people decided otherwise: from a day
on nothing is counted, or it is again.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Min

from settlement.models import CountingRule, MoneyCount
from tables.models import JackpotSystem


@dataclass(frozen=True, slots=True)
class Counting:
    """`first`: the first gaming day of which a count of the kind was entered; `rules`: what two
    people decided for the casino, the oldest first."""

    first: dt.date | None
    rules: tuple[CountingRule, ...] = ()

    def is_on(self, day: dt.date) -> bool:
        """Whether the house counts on this gaming day."""
        rule = self._rule_on(day)
        if rule is not None:
            return rule.is_counted
        return self.first is not None and self.first <= day

    def stopped_since(self, day: dt.date) -> dt.date | None:
        """Of a gaming day that is not counted by rule: from which one on; else None."""
        rule = self._rule_on(day)
        return None if rule is None or rule.is_counted else rule.since

    def _rule_on(self, day: dt.date) -> CountingRule | None:
        """Of all that began by then the one that was decided last."""
        return next((each for each in reversed(self.rules) if each.since <= day), None)


def counting_of(system: JackpotSystem, kind: str) -> Counting:
    """Of the drop or of the bank."""
    rows = MoneyCount.objects.filter(system=system, kind=kind)
    first: dt.date | None = rows.aggregate(first=Min("day"))["first"]
    rules = CountingRule.objects.filter(casino=system.casino_id, kind=kind).order_by("id")
    return Counting(first, tuple(rules))
