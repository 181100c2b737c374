"""Counts from a CSV file: read line by line with what is wrong with each, stored when confirmed.

The first line has the names of the columns: `table,day,amount,note` of counted drop,
`day,amount,note` of balances at the bank; `note` is for corrections and may be left out. Columns
are parted by commas or semicolons. Whoever confirms posts the file and its hash, both as previewed:
the counts name that hash.
"""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from settlement.core.errors import BadFigure, RuleBroken
from settlement.core.input import read_amount
from settlement.drop import counts
from settlement.drop.counts import Figure
from settlement.models import MoneyCount
from tables.models import GamingTable, JackpotSystem

MOST_BYTES = 48 * 1024
MOST_LINES = 500
_DROP, _BANK = ("table", "day", "amount"), ("day", "amount")


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
    """Read a file and judge each line; nothing is stored. BadFigure where it cannot be read."""
    rows = _rows(content)
    is_drop = "table" in rows[0][1]
    tables = {table.code: table for table in GamingTable.objects.filter(system=system)}
    lines = [_read(system, tables, number, cells) for number, cells in rows]
    before = counts.newest(system, [line.figure for line in lines if line.figure is not None])
    places: dict[counts.Place, int] = {}
    judged = []
    for line in lines:
        figure, problem = line.figure, line.problem
        if figure is not None:
            first = places.setdefault(figure.place, line.number)
            if first != line.number:
                problem = _("Line %(first)s has this already.") % {"first": first}
            else:
                problem = _problem(system, figure, before.get(figure.place))
        judged.append(Line(line.number, line.cells, None if problem else figure, problem))
    return Preview(hashlib.sha256(content).hexdigest(), judged, is_drop)


def confirm(
    system: JackpotSystem, user: Any, content: bytes, sha256: str, key: uuid.UUID | None = None
) -> list[MoneyCount]:
    """Store all lines of the file that was previewed, whose hash is `sha256`, or none."""
    digest = hashlib.sha256(content).hexdigest()
    if digest != sha256:
        raise BadFigure(_("This is not the file that was shown: choose it again."))
    known = MoneyCount.objects.filter(key=uuid.uuid5(key, "0")).first() if key else None
    if known is not None and (known.file, known.person_id) == (digest, user.pk):
        return list(MoneyCount.objects.filter(system=system, file=digest, person=user))
    file = preview(system, content)
    if file.problems:
        raise BadFigure(_("Some lines have problems: mend the file and choose it again."))
    figures = [line.figure for line in file.lines if line.figure is not None]
    return counts.record(system, user, figures, key=key, file=digest)


def _rows(content: bytes) -> list[tuple[int, dict[str, str]]]:
    if len(content) > MOST_BYTES:
        raise BadFigure(
            _("A file has at most %(most)s KB: import it in parts.") % {"most": MOST_BYTES // 1024}
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFigure(_("The file is not text in UTF-8: save it as CSV (UTF-8).")) from error
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text), delimiter=";" if ";" in first else ",", strict=True)
    try:
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error as error:
        raise BadFigure(
            _("Line %(number)s cannot be read as CSV.") % {"number": reader.line_num}
        ) from error
    rows = [(number, row) for number, row in rows if any(row)]
    names = tuple(name.lower() for name in rows[0][1]) if rows else ()
    allowed = {frozenset((*known, *more)) for known in (_DROP, _BANK) for more in ((), ("note",))}
    if frozenset(names) not in allowed or len(set(names)) != len(names):
        raise BadFigure(
            _("The first line names the columns: table,day,amount,note or day,amount,note.")
        )
    if not 1 < len(rows) <= MOST_LINES + 1:
        raise BadFigure(_("A file has 1 to %(most)s lines of counts.") % {"most": MOST_LINES})
    for number, row in rows:
        if len(row) != len(names):
            raise BadFigure(
                _("Line %(number)s has %(cells)s cells, the first line %(names)s.")
                % {"number": number, "cells": len(row), "names": len(names)}
            )
    return [(number, dict(zip(names, row, strict=True))) for number, row in rows[1:]]


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
        amount = read_amount(text.removeprefix("-") if is_below else text, _digits(system))
    except ValueError as error:
        return Line(number, cells, problem=str(error))
    table = tables.get(cells.get("table", ""))
    figure = Figure(day, -amount if is_below else amount, table, cells.get("note", ""))
    return Line(number, cells, figure)


def _problem(system: JackpotSystem, figure: Figure, before: MoneyCount | None) -> str:
    try:
        counts.judge(system, figure, before)
    except RuleBroken as refusal:
        return str(refusal)
    return ""


def _digits(system: JackpotSystem) -> int:
    return int(system.casino.minor_digits)
