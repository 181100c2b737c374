"""Lists of excluded persons from a CSV or Excel file: judged line by line, stored when confirmed;
longer ones by `settlement.exclusions.long_files`.

The first line names the columns: `name,born,kind,from,reference`, and where they are known
`document,number,until`. Whoever confirms posts the file and its hash, both as previewed.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from settlement.core.errors import BadExclusion, BadFile
from settlement.core.imports import import_file
from settlement.exclusions import entries
from settlement.exclusions.entries import Comparison, ExclusionList, Person
from settlement.models import ExclusionImport
from tables.models import Casino

MOST_BYTES = 512 * 1024
MOST_LINES = 5000
COLUMNS = ("name", "born", "kind", "from", "reference")
FURTHER = ("document", "number", "until")
FORM = import_file.Form(
    {
        frozenset((*COLUMNS, *some))
        for count in range(len(FURTHER) + 1)
        for some in combinations(FURTHER, count)
    },
    ",".join((*COLUMNS, *FURTHER)),
    MOST_BYTES,
    MOST_LINES,
)


@dataclass(frozen=True, slots=True, repr=False)
class Line:
    """A line of the file, `number` as an editor counts; `problem` is empty where it is good."""

    number: int
    cells: Mapping[str, str]
    person: Person | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Preview:
    """What a file says. It can be confirmed where no line has a problem."""

    list_name: str
    sha256: str
    lines: list[Line]
    comparison: Comparison | None  # with what stands; None where a line has a problem

    @property
    def problems(self) -> list[Line]:
        return [line for line in self.lines if line.problem]


@sensitive_variables()
def preview(casino: Casino, user: Any, list_name: str, content: bytes) -> Preview:
    """Read a file and judge each line; nothing is stored. BadFile where it cannot be read."""
    entries.require_in(casino, user, "import_exclusions")
    name = entries.list_name_of(list_name)
    lines = _judged([line_of(*row) for row in import_file.read(content, FORM)])
    persons = [line.person for line in lines if line.person is not None]
    is_good = len(persons) == len(lines)
    comparison = entries.compare(casino, user, name, persons) if is_good else None
    return Preview(name, hashlib.sha256(content).hexdigest(), lines, comparison)


@dataclass(frozen=True, slots=True, repr=False)
class Choice:
    """The file that was shown, and what is to be done with it."""

    list_name: str
    content: bytes
    sha256: str
    is_whole: bool


@sensitive_variables()
def confirm(
    casino: Casino, user: Any, choice: Choice, key: uuid.UUID | None = None
) -> ExclusionImport:
    """Store all lines of the file that was previewed, or none."""
    if hashlib.sha256(choice.content).hexdigest() != choice.sha256:
        raise BadFile(_("This is not the file that was shown: choose it again."))
    file = preview(casino, user, choice.list_name, choice.content)
    if file.problems:
        raise BadFile(_("Some lines have problems: correct the file and choose it again."))
    persons = [line.person for line in file.lines if line.person is not None]
    exclusions = ExclusionList(file.list_name, persons, choice.is_whole, choice.sha256)
    return entries.take_in(casino, user, exclusions, key=key)


@sensitive_variables()
def line_of(number: int, cells: dict[str, str]) -> Line:
    """A line as it is judged by itself."""
    days: dict[str, dt.date | None] = {"until": None}
    for column in ("born", "from", "until"):
        text = cells.get(column, "")
        if column == "until" and not text:
            continue
        try:
            days[column] = dt.date.fromisoformat(text)
        except ValueError:
            return Line(number, cells, problem=_WHEN[column]())
    born, since = days["born"], days["from"]
    if born is None or since is None:
        raise TypeError(number)
    person = Person(
        name=cells["name"],
        born=born,
        kind=cells["kind"].lower(),
        since=since,
        reference=cells["reference"],
        document=cells.get("document", "").lower(),
        document_number=cells.get("number", ""),
        until=days["until"],
    )
    try:
        entries.judge(person)
    except BadExclusion as refusal:
        return Line(number, cells, problem=str(refusal))
    return Line(number, cells, person)


_WHEN = {
    "born": lambda: _("The date of birth (born) is written like 1980-02-29."),
    "from": lambda: _("The first day (from) is written like 2026-11-21."),
    "until": lambda: _("The last day (until) is written like 2026-11-21, or left empty."),
}


def same_line(first: int) -> str:
    """What is wrong with a line that says what an earlier one does."""
    return _("Line %(first)s has this already.") % {"first": first}


def _judged(lines: list[Line]) -> list[Line]:
    """The same; of two that say the same the second has a problem."""
    first: dict[Person, int] = {}
    judged = []
    for line in lines:
        if line.person is not None and first.setdefault(line.person, line.number) != line.number:
            words = same_line(first[line.person])
            judged.append(Line(line.number, line.cells, problem=words))
        else:
            judged.append(line)
    return judged
