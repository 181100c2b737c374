"""Counted against expected: rows for pages, reports and the checklist of the close.

A system counts its drop from the first gaming day on of which a drop was counted, and its bank
from the first of which a balance was entered: from there on what is missing has a row, too. Days
that are not counted by rule (`settlement.set_up.counting`) have one that says so.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Max, Min, Prefetch, QuerySet

from jackpot.models import Entry
from settlement.core.gaming_day import DAY, day_of, running_day
from settlement.drop.expected_figures import expected_drop, liability
from settlement.models import ClosedDay, Finding, FindingStep, MoneyCount
from settlement.people.rights.permissions import name_of
from settlement.set_up.counting import counting_of
from tables.models import GamingTable, JackpotSystem

_SECRET = "person__password"  # noqa: S105 - a column that the worker does not read
DROP, BANK = MoneyCount.Kind.DROP, MoneyCount.Kind.BANK


@dataclass(frozen=True, slots=True)
class LateCount:
    """That the newest count came after the close of its day. `at_close`: the one that stood then
    and that reports of the day show, micros; None: there was none. `entered_on`: the gaming day on
    which the newest is prior-period."""

    at_close: int | None
    entered_on: dt.date


@dataclass(frozen=True, slots=True)
class Variance:
    """The drop of a table and gaming day, in micros; `counted` is None where nobody has yet.
    `late`: where the count came after the close. `is_blind`: it is shown to somebody who counts.
    `stopped_since`: from when on the drop is not counted by rule, of a day without a count."""

    day: dt.date
    table: GamingTable
    expected: int
    count: MoneyCount | None = None
    late: LateCount | None = None
    is_blind: bool = False
    stopped_since: dt.date | None = None

    @property
    def shown_expected(self) -> int | None:
        """What the books expect; None to somebody who counts, while nobody has and somebody may."""
        is_hidden = self.is_blind and self.count is None and self.stopped_since is None
        return None if is_hidden else self.expected

    @property
    def counted(self) -> int | None:
        return self.count.amount if self.count is not None else None

    @property
    def variance(self) -> int | None:
        return self.count.variance if self.count is not None else None

    @property
    def explanation(self) -> str:
        return explanation_of(self.count)

    @property
    def is_after_close(self) -> bool:
        return self.late is not None


@dataclass(frozen=True, slots=True)
class Balance:
    """What is kept for players and tax when a gaming day ends, and the bank's word, in micros.
    `late` and `stopped_since` as of a `Variance`."""

    day: dt.date
    liability: int
    count: MoneyCount | None = None
    late: LateCount | None = None
    stopped_since: dt.date | None = None

    @property
    def bank(self) -> int | None:
        return self.count.amount if self.count is not None else None

    @property
    def variance(self) -> int | None:
        return self.count.variance if self.count is not None else None

    @property
    def explanation(self) -> str:
        return explanation_of(self.count)

    @property
    def is_after_close(self) -> bool:
        return self.late is not None


def variances(system: JackpotSystem, first_day: dt.date, last_day: dt.date) -> list[Variance]:
    """The drop of the gaming days that are over, by day and table."""
    counts = list(counted(system, DROP, first_day, last_day))
    late = late_counts(system, DROP, first_day, last_day)
    rows = _by_table(system, counts, _uncounted_days(system, first_day, last_day))
    return [replace(row, late=late.get((row.day, row.table.pk))) for row in rows]


def seen_by_counter(rows: Sequence[Variance]) -> list[Variance]:
    """The same as somebody sees them who counts: what is expected comes after the count, so that
    nobody counts towards it."""
    return [replace(row, is_blind=True) for row in rows]


def reported_variances(
    system: JackpotSystem, first_day: dt.date, last_day: dt.date
) -> list[Variance]:
    """The same for reports: of closed days as they stood at their close."""
    counts = reported(system, DROP, first_day, last_day)
    days = _uncounted_days(system, first_day, last_day)
    days += _closed_before_counting(system, first_day, last_day)
    return _by_table(system, counts, sorted(set(days)))


def _by_table(
    system: JackpotSystem, rows_of_people: Sequence[MoneyCount], uncounted: Sequence[dt.date]
) -> list[Variance]:
    """With a row for every table that took a drop on one of the days of which some may lack."""
    counts = {(count.day, count.table_id): count for count in rows_of_people}
    rows = [
        Variance(count.day, count.table, count.expected, count)
        for count in counts.values()
        if count.table is not None
    ]
    missing = {
        place: amount
        for place, amount in expected_drop(system, uncounted).items()
        if place not in counts
    }
    if missing:
        tables = GamingTable.objects.in_bulk({table for _, table in missing})
        counting = counting_of(system, DROP)
        rows += [
            Variance(day, tables[table], amount, stopped_since=counting.stopped_since(day))
            for (day, table), amount in missing.items()
            if table in tables
        ]
    return sorted(rows, key=lambda row: (row.day, row.table.code))


def balances(system: JackpotSystem, first_day: dt.date, last_day: dt.date) -> list[Balance]:
    """The bank of the gaming days that are over, by day."""
    counts = {count.day: count for count in counted(system, BANK, first_day, last_day)}
    counting = counting_of(system, BANK)
    opening = counting.first or _opening(system)
    if opening is None:
        return []
    day, last = max(first_day, opening), min(last_day, running_day(system.casino) - DAY)
    late = late_counts(system, BANK, first_day, last_day)
    rows = []
    while day <= last:
        count = counts.get(day)
        expected = count.expected if count is not None else liability(system, day)
        stopped = counting.stopped_since(day) if count is None else None
        rows.append(Balance(day, expected, count, late.get((day, None)), stopped))
        day += DAY
    return rows


def counted(
    system: JackpotSystem, kind: str, first_day: dt.date, last_day: dt.date
) -> QuerySet[MoneyCount]:
    """The counts that nothing corrects, with their findings."""
    return _counts(system, kind, first_day, last_day).filter(corrected_by=None)


def reported(
    system: JackpotSystem, kind: str, first_day: dt.date, last_day: dt.date
) -> list[MoneyCount]:
    """The counts that reports show: of a closed day those that stood when it was closed.

    Those are the last ones with a place in the order before the close: commands take theirs by
    number. A later one is prior-period (`settlement.closing.prior_period`) on its own day.
    """
    closed = _closes(system, first_day, last_day)
    newest: dict[tuple[dt.date, int | None], MoneyCount] = {}
    for count in _counts(system, kind, first_day, last_day):
        if count.day not in closed or count.command < closed[count.day]:
            newest[count.day, count.table_id] = count
    return list(newest.values())


def late_counts(
    system: JackpotSystem, kind: str, first_day: dt.date, last_day: dt.date
) -> dict[tuple[dt.date, int | None], LateCount]:
    """By gaming day and table where the newest count came after the close of the day."""
    closes = _closes(system, first_day, last_day)
    if not closes:
        return {}
    of_reports = {
        (each.day, each.table_id): each for each in reported(system, kind, first_day, last_day)
    }
    late = {}
    for count in counted(system, kind, first_day, last_day):
        place = count.day, count.table_id
        if count.day in closes and count.command >= closes[count.day]:
            before = of_reports.get(place)
            entered_on = day_of(count.at, system.casino)
            late[place] = LateCount(before.amount if before else None, entered_on)
    return late


def _counts(
    system: JackpotSystem, kind: str, first_day: dt.date, last_day: dt.date
) -> QuerySet[MoneyCount]:
    """All of them, of a place in the order of the commands."""
    rows = MoneyCount.objects.filter(system=system, kind=kind, day__range=(first_day, last_day))
    rows = rows.select_related("table", "person", "finding").prefetch_related(
        Prefetch("finding__steps", FindingStep.objects.select_related("person").defer(_SECRET))
    )
    return rows.defer(_SECRET).order_by("day", "command")


def _closes(system: JackpotSystem, first_day: dt.date, last_day: dt.date) -> dict[dt.date, int]:
    """The command that closed each of these days, of those that are closed."""
    days = ClosedDay.objects.filter(system=system, day__range=(first_day, last_day))
    entries = dict(days.values_list("entry", "day"))
    rows = Entry.objects.filter(system=system, seq__in=entries).values_list("seq", "command")
    return {entries[seq]: command for seq, command in rows if command is not None}


def explanation_of(count: MoneyCount | None) -> str:
    """What was said of its variance last; nothing where nobody had to, or has yet."""
    finding = finding_of(count)
    if finding is None:
        return ""
    notes = [step.note for step in finding.steps.all() if step.kind == FindingStep.Kind.EXPLAIN]
    return notes[-1] if notes else ""


LOGINS = ("entered_login", "owner_login", "signed_login")  # of `people_of`


def people_of(count: MoneyCount) -> dict[str, str]:
    """Who entered a count, and of its finding the state, owner, explanation and who signed it;
    people by name, and by log-in under LOGINS."""
    finding = finding_of(count)
    steps = list(finding.steps.all()) if finding is not None else []
    last = {step.kind: step for step in steps}
    owner_step, explained, signed = (
        last.get(kind)
        for kind in (FindingStep.Kind.TAKE, FindingStep.Kind.EXPLAIN, FindingStep.Kind.SIGN)
    )
    state = "" if finding is None else str(steps[-1].kind) if steps else "open"
    return {
        "entered_by": name_of(count.person),
        "state": state,
        "owner": name_of(owner_step.person) if owner_step else "",
        "explanation": explained.note if explained else "",
        "signed_by": name_of(signed.person) if signed else "",
        "entered_login": count.person.get_username(),
        "owner_login": owner_step.person.get_username() if owner_step else "",
        "signed_login": signed.person.get_username() if signed else "",
    }


def finding_of(count: MoneyCount | None) -> Finding | None:
    """Its finding, where there is one."""
    finding: Finding | None = getattr(count, "finding", None)
    return finding


def _uncounted_days(system: JackpotSystem, first: dt.date, last: dt.date) -> list[dt.date]:
    """Days of that span that are over and of which drop may be missing: a day that was closed while
    the house counted has all of it."""
    counting = counting_of(system, DROP)
    opening = counting.first or _opening(system)
    if opening is None:
        return []
    closed = ClosedDay.objects.filter(system=system).aggregate(last=Max("day"))["last"]
    day, last = max(first, opening), min(last, running_day(system.casino) - DAY)
    days = [day + DAY * n for n in range((last - day).days + 1)]
    if closed is None or counting.first is None:
        return days
    return [each for each in days if each > closed or counting.stopped_since(each) is not None]


def _closed_before_counting(system: JackpotSystem, first: dt.date, last: dt.date) -> list[dt.date]:
    """The days that were closed before anybody counted a drop: what tables took on them is shown
    without a count, whoever counts later."""
    rows = MoneyCount.objects.filter(system=system, kind=DROP)
    first_count: int | None = rows.aggregate(first=Min("command"))["first"]
    return [
        day
        for day, close in _closes(system, first, last).items()
        if first_count is None or close < first_count
    ]


def _opening(system: JackpotSystem) -> dt.date | None:
    opened = Entry.objects.filter(system=system, seq=1).values_list("at", flat=True).first()
    return None if opened is None else day_of(opened, system.casino)
