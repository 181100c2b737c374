"""How fast a table's button is pressed: what is more than posted within a minute waits for people.

The unit's clock counts, except where it stands over a minute above the time of the order, or does
not go on: then the order's own time since the press before.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field

from verifier.fold.terms.terms import Terms

MINUTE = dt.timedelta(minutes=1)


@dataclass
class Button:
    """The presses of one table that are remembered: those of the minute before the last."""

    ordered: dt.datetime | None = None  # when the last was put in order
    presses: list[dt.datetime] = field(default_factory=list)

    def press(self, recorded: str, ordered: str) -> int:
        """One more; how many there are within the minute that ends with it."""
        unit_time, now = (dt.datetime.fromisoformat(each.upper()) for each in (recorded, ordered))
        moment = unit_time if unit_time < now + MINUTE else now + MINUTE
        if self.ordered is not None and moment <= self.presses[-1]:
            passed = now - self.ordered
            moment = self.presses[-1] + (passed if passed > dt.timedelta() else dt.timedelta())
        self.presses = [each for each in self.presses if moment - each < MINUTE] + [moment]
        self.presses = self.presses[-61:]  # no limit is above sixty
        self.ordered = now
        return len(self.presses)


def too_fast(terms: Iterable[Terms], count: int) -> list[str]:
    """The jackpots whose posted limit that is above."""
    return [
        each.code
        for each in terms
        if each.presses_a_minute is not None and count > each.presses_a_minute
    ]
