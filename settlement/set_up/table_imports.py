"""Tables from a CSV or Excel file: every line is read and judged before anything is stored."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from settlement.core.errors import BadFile, BadSetUp
from settlement.core.imports import import_file
from settlement.set_up.casinos import NewTable, UnitKeyOnce, good_code, make_tables
from tables.models import GamingTable, JackpotSystem

MOST_BYTES = 64 * 1024
MOST_LINES = 500
COLUMNS = ("code", "name")
_NO_TABLES = ("console", "display")  # topics of the console itself


@dataclass(frozen=True)
class Line:
    """A line of the file; `problem` is empty where it can be stored."""

    number: int
    code: str
    name: str
    problem: str


@dataclass(frozen=True)
class TableFile:
    """A file that was read."""

    lines: Sequence[Line]
    sha256: str

    @property
    def problems(self) -> list[Line]:
        return [line for line in self.lines if line.problem]


def preview(system: JackpotSystem, content: bytes) -> TableFile:
    """What is in the file, line by line, each with its problem; nothing is stored.

    BadFile where it is no such file.
    """
    if len(content) > MOST_BYTES:
        raise BadFile(_("The file is too large: 64 KB at most."))
    rows = import_file.lines_of(content, MOST_LINES + 2)
    if not rows or tuple(cell.lower() for cell in rows[0][1]) != COLUMNS:
        raise BadFile(_("The first line must name the columns: code,name"))
    if len(rows) > MOST_LINES + 1:
        raise BadFile(_("The file has too many lines: 500 at most."))
    codes = set(GamingTable.objects.filter(system=system).values_list("code", flat=True))
    lines = []
    for number, row in rows[1:]:
        code, name = [*row, "", ""][:2]
        lines.append(Line(number, code, name, _problem(row, code, name, codes)))
        codes.add(code)
    if not lines:
        raise BadFile(_("The file has no tables."))
    return TableFile(lines, hashlib.sha256(content).hexdigest())


def confirm(by: Any, system: JackpotSystem, content: bytes, sha256: str) -> list[UnitKeyOnce]:
    """Make the tables of the file that was shown; BadFile where another one comes."""
    file = preview(system, content)
    if file.sha256 != sha256:
        raise BadFile(_("This is not the file that was shown: choose it again."))
    if file.problems:
        raise BadFile(_("Lines have problems: correct the file and choose it again."))
    return make_tables(by, system, [NewTable(each.code, each.name) for each in file.lines])


def _problem(row: Sequence[str], code: str, name: str, codes: set[str]) -> str:
    if len(row) != len(COLUMNS):
        return _("This line does not have two columns.")
    try:
        good_code(code)
    except BadSetUp as fault:
        return str(fault)
    if code in _NO_TABLES:
        return _("A table cannot have that code.")
    if code in codes:
        return _("There is a table of that code, here or above.")
    if not name or len(name) > 100:
        return _("A name has 1 to 100 characters.")
    return ""
