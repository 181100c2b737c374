"""Counts from a CSV or Excel file: read and judged line by line, stored when confirmed.

The first line has the names of the columns: `table,day,amount,note` of counted drop,
`day,amount,note` of balances at the bank; `note` is for corrections and may be left out. Whoever
confirms posts the file and its hash, both as previewed: the counts name that hash.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from settlement.core.errors import BadFile, RuleBroken
from settlement.core.imports import import_file
from settlement.core.input import read_amount
from settlement.core.words.translation import in_english
from settlement.drop import counts
from settlement.drop.counts import Figure
from settlement.models import MoneyCount
from tables.models import GamingTable, JackpotSystem

MOST_BYTES = 48 * 1024
MOST_LINES = 500
_DROP, _BANK = ("table", "day", "amount"), ("day", "amount")
_FORM = import_file.Form(
    {frozenset((*names, *more)) for names in (_DROP, _BANK) for more in ((), ("note",))},
    "table,day,amount,note or day,amount,note",
    MOST_BYTES,
    MOST_LINES,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file, `number` as an editor counts; `problem` is empty where it is good."""

    number: int
    cells: Mapping[str, str]
    figure: Figure | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a file says. It can be confirmed where no line has a problem."""

    sha256: str
    lines: list[Line]
    is_drop: bool

    @property
    def problems(self) -> int:
        return sum(bool(line.problem) for line in self.lines)

    @property
    def total(self) -> int:
        """Micros of all good lines."""
        return sum(line.figure.amount for line in self.lines if line.figure is not None)


def preview(system: JackpotSystem, content: bytes) -> Preview:
    """Read a file and judge each line; nothing is stored. BadFile where it cannot be read."""
    rows = import_file.read(content, _FORM)
    is_drop = "table" in rows[0][1]
    tables = {table.code: table for table in GamingTable.objects.filter(system=system)}
    lines = [_read(system, tables, number, cells) for number, cells in rows]
    before = counts.newest(system, [line.figure for line in lines if line.figure is not None])
    days = counts.days_of(system)
    places: dict[counts.Place, int] = {}
    judged = []
    for line in lines:
        figure, problem = line.figure, line.problem
        if figure is not None:
            first = places.setdefault(figure.place, line.number)
            if first != line.number:
                problem = _("Line %(first)s has this already.") % {"first": first}
            else:
                problem = _problem(system, figure, before.get(figure.place), days)
        judged.append(Line(line.number, line.cells, None if problem else figure, problem))
    return Preview(hashlib.sha256(content).hexdigest(), judged, is_drop)


def confirm(
    system: JackpotSystem, user: Any, content: bytes, sha256: str, key: uuid.UUID | None = None
) -> list[MoneyCount]:
    """Store all lines of the file that was previewed, whose hash is `sha256`, or none."""
    digest = hashlib.sha256(content).hexdigest()
    if digest != sha256:
        raise BadFile(_("This is not the file that was shown: choose it again."))
    count = MoneyCount.objects.filter(key=uuid.uuid5(key, "0")).first() if key else None
    upload = (system.pk, digest, user.pk)
    if count is not None and (count.system_id, count.file, count.person_id) == upload:
        return list(MoneyCount.objects.filter(system=system, file=digest, person=user))
    file = preview(system, content)
    if file.problems:
        raise BadFile(_("Some lines have problems: correct the file and choose it again."))
    figures = [line.figure for line in file.lines if line.figure is not None]
    return counts.record(system, user, figures, key=key, file=digest)


def _read(
    system: JackpotSystem, tables: Mapping[str, GamingTable], number: int, cells: dict[str, str]
) -> Line:
    try:
        day = dt.date.fromisoformat(cells["day"])
    except ValueError:
        return Line(number, cells, problem=_("The day is written like 2026-11-21."))
    if "table" in cells and cells["table"] not in tables:
        return Line(number, cells, problem=_("No table of this system has this code."))
    text = cells["amount"]
    is_below = "table" not in cells and text.startswith("-")
    try:
        with in_english():  # a file is written in one way, whoever brings it
            amount = read_amount(text.removeprefix("-") if is_below else text, _digits(system))
    except ValueError as error:
        return Line(number, cells, problem=str(error))
    table = tables.get(cells.get("table", ""))
    figure = Figure(day, -amount if is_below else amount, table, cells.get("note", ""))
    return Line(number, cells, figure)


def _problem(
    system: JackpotSystem, figure: Figure, before: MoneyCount | None, days: counts.Days
) -> str:
    try:
        counts.judge(system, figure, before, days)
    except RuleBroken as refusal:
        return str(refusal)
    return ""


def _digits(system: JackpotSystem) -> int:
    return int(system.casino.minor_digits)
