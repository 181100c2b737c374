"""From when on a system counts its drop, and enters its balance at the bank.

From the first gaming day of which one was entered, unless two people decided otherwise: from a day
on nothing is counted, or it is again. A rule is the casino's, the first count each system's: of a
system that never counted none asks anything.
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
        return self.stopped_since(day) is None and self.first is not None and self.first <= day

    def stopped_since(self, day: dt.date) -> dt.date | None:
        """Of a gaming day that is not counted by rule: from which one on; else None."""
        rule = self.rule_on(day)
        return None if rule is None or rule.is_counted else rule.since

    def change_after(self, day: dt.date) -> CountingRule | None:
        """The rule that takes the place of that of this gaming day next, as decided so far."""
        now = self.rule_on(day)
        days = sorted({each.since for each in self.rules if each.since > day})
        return next((rule for on in days if (rule := self.rule_on(on)) != now), None)

    def rule_on(self, day: dt.date) -> CountingRule | None:
        """Of all that began by then the one that was decided last."""
        return next((each for each in reversed(self.rules) if each.since <= day), None)


def counting_of(system: JackpotSystem, kind: str) -> Counting:
    """Of the drop or of the bank."""
    rows = MoneyCount.objects.filter(system=system, kind=kind)
    first: dt.date | None = rows.aggregate(first=Min("day"))["first"]
    return Counting(first, rules_of(system.casino_id, kind))


def rules_of(casino: int, kind: str) -> tuple[CountingRule, ...]:
    """What two people decided for a casino, by its number, the oldest first."""
    return tuple(CountingRule.objects.filter(casino=casino, kind=kind).order_by("id"))
