"""What is owed and kept now, hits a month, drop variance a day."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, Sum
from django.db.models.functions import Greatest, Least

from jackpot.domain.state.books import WITHHELD_TAX
from jackpot.hits.states import OUT, HitState
from jackpot.models import Account
from settlement.core.gaming_day import Month, start_of, today
from settlement.core.report_query import ask, bind
from settlement.core.sequence_at import entries_at
from settlement.models import MoneyCount
from settlement.reports.catalogue.liability import OF_TIERS, OWED
from settlement.reports.definitions.sources import day_of
from tables.models import Casino

MONTHS = 13  # of hits: this month, and the same one of last year
FELL_AWAY = (*OUT, HitState.REVERSED.value, HitState.PAIRED.value)
_HITS = """
    SELECT to_char({day}, 'YYYY-MM') AS month, count(*) AS claims,
           count(*) FILTER (WHERE h.state <> ALL({fell_away})) AS hits,
           coalesce(sum(h.held) FILTER (WHERE h.state <> ALL({fell_away})), 0)::bigint AS amount
    FROM unnest({systems}::bigint[], {first}::bigint[]) AS span (system_id, first_seq)
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN tables_casino c ON c.id = s.casino_id
    JOIN jackpot_hit h ON h.system_id = span.system_id AND h.place >= span.first_seq
    JOIN jackpot_entry placed ON (placed.system_id, placed.seq) = (h.system_id, h.place)
    GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class Balances:
    """What the accounts of a casino hold now, in micros, by what they are for."""

    of: Counter[str]

    @property
    def liability(self) -> int:
        """What the house owes players, as report 12 has it of the end of a day."""
        return sum(self.of[kind] for kind in (*OF_TIERS, *OWED))

    @property
    def reserve(self) -> int:
        return self.of["reserve"]

    @property
    def held(self) -> int:
        """Taken out of pools by hits, and not confirmed yet."""
        return self.of["held"]

    @property
    def payable(self) -> int:
        """Confirmed, and not handed over."""
        return self.of["payable"]

    @property
    def tax(self) -> int:
        """Withheld, and not remitted."""
        return self.of[WITHHELD_TAX]


@dataclass(frozen=True, slots=True)
class MonthOfHits:
    """`hits`: those that were not rejected, reversed or of another hand; `amount` of them in
    micros; `claims`: all that were opened."""

    month: Month
    claims: int
    hits: int
    amount: int


@dataclass(frozen=True, slots=True)
class DayOfDrop:
    """What was counted on a gaming day, and what the books expect of the same tables; micros.

    `over`: of tables with too much, `short`: of tables with too little, below zero. One does not
    make up for the other.
    """

    day: dt.date
    counted: int
    expected: int
    over: int
    short: int

    @property
    def variance(self) -> int:
        return self.over + self.short


def balances(systems: Sequence[int]) -> Balances:
    """All accounts of these systems, by kind: those of all prizes together."""
    of: Counter[str] = Counter()
    rows = Account.objects.filter(system__in=systems).values_list("code", "balance")
    for code, balance in rows:
        of[code.rpartition(":")[2]] += balance
    return Balances(of)


def hits_by_month(casino: Casino, systems: Sequence[int]) -> list[MonthOfHits]:
    """The last `MONTHS` months, the oldest first; by when the hand took its place (report 5)."""
    months = [Month.of(today(casino))]
    while len(months) < MONTHS:
        months.insert(0, months[0].previous)
    starts = entries_at(systems, [start_of(months[0].first, casino)])
    rows = ask(
        bind(
            _HITS,
            systems=list(systems),
            first=[starts[system][0] for system in systems],
            day=day_of("placed.at"),
            fell_away=list(FELL_AWAY),
        )
    )
    by_month = {row["month"]: row for row in rows}
    nothing = {"claims": 0, "hits": 0, "amount": 0}
    return [
        MonthOfHits(month, row["claims"], row["hits"], row["amount"])
        for month in months
        for row in [by_month.get(str(month), nothing)]
    ]


def drop_by_day(systems: Sequence[int], first: dt.date, last: dt.date) -> list[DayOfDrop]:
    """The days of that span on which a drop was counted, the oldest first."""
    counts = MoneyCount.objects.filter(
        system__in=systems,
        kind=MoneyCount.Kind.DROP,
        day__range=(first, last),
        corrected_by=None,
    )
    variance = F("amount") - F("expected")
    sums = (
        counts.order_by("day")
        .values("day")
        .annotate(
            counted=Sum("amount"),
            due=Sum("expected"),
            over=Sum(Greatest(variance, 0)),
            short=Sum(Least(variance, 0)),
        )
    )
    return [
        DayOfDrop(row["day"], row["counted"], row["due"], row["over"], row["short"]) for row in sums
    ]
