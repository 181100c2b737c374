"""Entering what was counted: the drop of tables and balances at the bank, each by its person.

A count is a row and a command of the same transaction, so that the order says it, too. One that was
wrong is corrected by a further one that says why; both stay. What is entered for a closed day says
why, too: reports of that day go on showing what stood at its close.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from jackpot.domain.command_handlers.counts import MOST
from jackpot.labels.figures import write_exact
from jackpot.writer import commands
from settlement.core import guards
from settlement.core.errors import USED, BadFigure, KeyUsed, RuleBroken, WrongState
from settlement.core.gaming_day import running_day
from settlement.core.input import clean_text
from settlement.drop.expected_figures import expected_drop, liability
from settlement.drop.findings import limit_of
from settlement.models import ClosedDay, Finding, MoneyCount
from settlement.people.rights.permissions import name_of, require
from settlement.set_up.counting import Counting, counting_of
from tables.models import GamingTable, JackpotSystem

Place = tuple[int | None, dt.date]  # a table, or None of the bank, and a gaming day


@dataclass(frozen=True, slots=True)
class Figure:
    """An amount in micros that was counted; without a table it is the balance at the bank.

    `note` says why it corrects the one before.
    """

    day: dt.date
    amount: int
    table: GamingTable | None = None
    note: str = ""

    @property
    def kind(self) -> str:
        return MoneyCount.Kind.BANK if self.table is None else MoneyCount.Kind.DROP

    @property
    def place(self) -> Place:
        return (self.table.pk if self.table is not None else None, self.day)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A figure with what it corrects and what was `due`, in micros."""

    figure: Figure
    before: MoneyCount | None
    due: int
    file: str
    key: uuid.UUID


def record(
    system: JackpotSystem,
    user: Any,
    figures: Sequence[Figure],
    *,
    key: uuid.UUID | None = None,
    file: str = "",
) -> list[MoneyCount]:
    """Enter all of them or, where one is refused, none. `file`: SHA-256 of their import.

    The refusal says what is wrong with each, and names it by its place in `fields`.
    """
    for kind in {figure.kind for figure in figures}:
        require(user, kind, system)
    key = key or uuid.uuid4()
    keys = [uuid.uuid5(key, str(number)) for number in range(len(figures))]
    beyond = uuid.uuid5(key, str(len(figures)))  # of one that entered more
    stored = list(MoneyCount.objects.filter(key__in=[*keys, beyond]).order_by("pk"))
    if stored:
        if [
            (row.system_id, row.person_id, row.table_id, row.day, row.amount, row.note)
            for row in stored
        ] != [
            (system.pk, user.pk, *figure.place, figure.amount, clean_text(figure.note))
            for figure in figures
        ]:
            raise KeyUsed(USED)
        return stored
    with guards.in_words():
        if refused := refusals(system, figures):
            raise one_of(refused)
        before = newest(system, figures)
        expected = expected_of(system, figures)
        return [
            _write(
                system,
                user,
                _Entry(
                    figure,
                    before.get(figure.place),
                    expected.get(figure.place, 0),
                    file,
                    row_key,
                ),
            )
            for figure, row_key in zip(figures, keys, strict=True)
        ]


def closed_through(system: JackpotSystem) -> dt.date | None:
    """The last gaming day that is closed; all before it are."""
    last: dt.date | None = ClosedDay.objects.filter(system=system).aggregate(last=Max("day"))[
        "last"
    ]
    return last


@dataclass(frozen=True, slots=True)
class Days:
    """`closed`: the last day that is closed; what is entered for it or an earlier one is
    prior-period. `counting`: on which days what is counted, by kind."""

    closed: dt.date | None
    counting: Mapping[str, Counting]


def days_of(system: JackpotSystem) -> Days:
    """Of a system, to judge any number of figures."""
    kinds = MoneyCount.Kind.values
    return Days(closed_through(system), {kind: counting_of(system, kind) for kind in kinds})


def refusals(system: JackpotSystem, figures: Sequence[Figure | None]) -> dict[int, RuleBroken]:
    """What is wrong with figures that are entered together, by the place of each; None is passed
    over."""
    before = newest(system, [figure for figure in figures if figure is not None])
    days = days_of(system)
    refused: dict[int, RuleBroken] = {}
    places: set[Place] = set()
    for place, figure in enumerate(figures):
        if figure is None:
            continue
        if figure.place in places:
            refused[place] = BadFigure(_("This is here twice: enter it once."))
            continue
        places.add(figure.place)
        try:
            judge(system, figure, before.get(figure.place), days)
        except RuleBroken as refusal:
            refused[place] = refusal
    return refused


def one_of(refused: Mapping[int, RuleBroken]) -> RuleBroken:
    """All of them as one refusal, of the kind of the first."""
    in_order = dict(sorted(refused.items()))
    first = next(iter(in_order.values()))
    refusal = type(first)(" ".join(dict.fromkeys(str(each) for each in in_order.values())))
    refusal.fields = {str(place): [str(each)] for place, each in in_order.items()}
    return refusal


def judge(system: JackpotSystem, figure: Figure, before: MoneyCount | None, days: Days) -> None:
    """Raise what is wrong with a figure; `before` is the count that it would correct."""
    table, day = figure.table, figure.day
    if table is not None and table.system_id != system.pk:
        raise BadFigure(_("This table belongs to another system: choose its own."))
    if table is not None and figure.amount < 0:
        raise BadFigure(_("A counted drop is not below zero."))
    if abs(figure.amount) > MOST:
        raise BadFigure(_("This amount is too large: check it."))
    if not 2000 <= day.year < 3000 or day >= running_day(system.casino):
        raise BadFigure(
            _("The gaming day %(day)s is not over: enter it when it is.") % {"day": day}
        )
    if before is None:
        since = days.counting[figure.kind].stopped_since(day)
        if since is not None:
            raise WrongState(
                _(
                    "Not counted by rule since %(since)s: two people change that on the page Rules"
                    " of the house."
                )
                % {"since": since}
            )
        if days.closed is not None and day <= days.closed and not clean_text(figure.note):
            raise WrongState(
                _("%(day)s is closed: enter a reason. Reports show the count as prior-period.")
                % {"day": day}
            )
        return
    words = {
        "amount": write_exact(before.amount, system.casino.minor_digits),
        "person": name_of(before.person),
        "day": day,
    }
    if before.amount == figure.amount:
        raise WrongState(
            _("%(person)s entered %(amount)s for %(day)s already: there is nothing to correct.")
            % words
        )
    if not clean_text(figure.note):
        raise WrongState(
            _("%(person)s entered %(amount)s for %(day)s already. To correct it, enter a reason.")
            % words
        )


def newest(system: JackpotSystem, figures: Sequence[Figure]) -> dict[Place, MoneyCount]:
    """The counts of the same tables and days that nothing corrects."""
    rows = MoneyCount.objects.filter(
        system=system,
        kind__in={figure.kind for figure in figures},
        day__in={figure.day for figure in figures},
        corrected_by=None,
    )
    return {(row.table_id, row.day): row for row in rows.select_related("person")}


def expected_of(system: JackpotSystem, figures: Sequence[Figure]) -> dict[Place, int]:
    """What the books hold of each, in micros."""
    drop_days = sorted({figure.day for figure in figures if figure.table is not None})
    drops = expected_drop(system, drop_days)
    bank_days = {figure.day for figure in figures if figure.table is None}
    owed: dict[Place, int] = {(None, day): liability(system, day) for day in bank_days}
    return owed | {(table, day): amount for (day, table), amount in drops.items()}


def _write(system: JackpotSystem, user: Any, entry: _Entry) -> MoneyCount:
    figure, before, due, note = entry.figure, entry.before, entry.due, clean_text(entry.figure.note)
    body: dict[str, Any] = {
        "day": str(figure.day),
        "amount": figure.amount,
        "expected": due,
        "file": entry.file,
        "corrects": before.command if before is not None else None,
        "note": note,
    }
    if figure.table is not None:
        body["table"] = figure.table.code
    command = commands.queue(system, figure.kind, body, first=user.get_username())
    count = MoneyCount.objects.create(
        system=system,
        kind=figure.kind,
        table=figure.table,
        day=figure.day,
        amount=figure.amount,
        expected=due,
        corrects=before,
        file=entry.file,
        note=note,
        command=command,
        person=user,
        key=entry.key,
    )
    limit = limit_of(system.casino, figure.kind)
    if abs(count.variance) > limit:
        Finding.objects.create(count=count, limit=limit)
    return count
