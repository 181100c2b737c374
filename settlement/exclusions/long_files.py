"""Long lists of excluded persons, such as a national register: read line by line, shown, confirmed,
and taken in by the worker, step by step.

Lines wait in the database, where no process reads who they are about: the one whose file it is gets
the first of them to look at. Every step is a transaction of its own, so that a worker that is
killed holds nothing up, and players are identified and paid between two steps.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import logging
from collections.abc import Iterable
from dataclasses import asdict, replace
from itertools import islice
from typing import Any, BinaryIO

from django.core.files.uploadedfile import UploadedFile
from django.db import OperationalError, transaction
from django.db.utils import DatabaseError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from settlement.core import guards
from settlement.core.imports import import_file, workbook
from settlement.exclusions import entries, imports
from settlement.exclusions.imports import Line
from settlement.models import ExclusionFile
from tables.models import Casino
from tables.process.prepared_statements import prepared_cursor

MOST_BYTES = 16 * 1024 * 1024
MOST_LINES = 200_000
AT_ONCE = 2000  # lines of a step
MOST_SHOWN = 100  # lines
_PIECE = 1024 * 1024  # bytes
AGE_LIMIT = dt.timedelta(days=1)  # of a file that nobody confirms
log = logging.getLogger(__name__)
_FORM = replace(imports.FORM, most_bytes=MOST_BYTES, most_lines=MOST_LINES)
State = ExclusionFile.State


def is_long(upload: UploadedFile) -> bool:
    """Whether it is a CSV file that is longer than what is imported at once."""
    start = upload.read(len(workbook.SIGNATURE))
    upload.seek(0)
    if start == workbook.SIGNATURE:
        return False
    if (upload.size or 0) > imports.MOST_BYTES:
        return True
    lines = upload.read().count(b"\n")
    upload.seek(0)
    return lines > imports.MOST_LINES + 1


@sensitive_variables()
def read(casino: Casino, user: Any, list_name: str, file: BinaryIO) -> ExclusionFile:
    """Judge each line and compare the list with what stands; nothing of it counts yet. BadFile:
    nothing of it is kept."""
    entries.require_in(casino, user, "import_exclusions")
    name = entries.list_name_of(list_name)
    digest = hashlib.sha256()
    while piece := file.read(_PIECE):
        digest.update(piece)
    file.seek(0)
    with transaction.atomic():
        number: int = _call("open_exclusion_file", casino.pk, name, user.pk)
        lines = (imports.line_of(*row) for row in import_file.stream(file, _FORM))
        while step := list(islice(lines, AT_ONCE)):
            _call("stage_exclusions", number, user.pk, _as_json(step))
        _call("show_exclusion_file", number, user.pk, digest.hexdigest())
    return ExclusionFile.objects.get(pk=number)


def _as_json(lines: Iterable[Line]) -> str:
    """As the database has them: of a good one the entry, of another one its cells."""
    return json.dumps(
        [
            {
                "number": line.number,
                "body": asdict(line.person) if line.person else line.cells,
                "problem": line.problem,
            }
            for line in lines
        ],
        default=str,  # days
    )


@sensitive_variables()
def first_lines(file: ExclusionFile, user: Any) -> list[Line]:
    """Those with a problem, or all where none has one; of a file that is shown to its person."""
    with guards.in_words(), prepared_cursor(is_watched=False) as cursor:
        cursor.execute(
            "SELECT number, body::text, problem, same_as FROM look_at_exclusion_file(%s, %s, %s)",
            [file.pk, user.pk, MOST_SHOWN],
        )
        rows = cursor.fetchall()
    return [
        Line(number, _cells(json.loads(body)), problem=problem or _same_as(first))
        for number, body, problem, first in rows
    ]


def _cells(body: dict[str, Any]) -> dict[str, str]:
    """An entry under the headings of the file."""
    names = {"since": "from", "document_number": "number"}
    return {names.get(name, name): text or "" for name, text in body.items()}


def _same_as(first: int | None) -> str:
    return imports.same_line(first) if first else ""


def confirm(file: ExclusionFile, user: Any, *, is_whole: bool) -> None:
    """It is taken in as it was shown: what it lacks of a whole list ends now, and the worker writes
    the entries. WrongState: it is past, or another file of the list is taken in."""
    entries.require_in(file.casino, user, "import_exclusions")
    _call("confirm_exclusion_file", file.pk, user.pk, is_whole)


def of_casino(casino: Casino, user: Any) -> list[ExclusionFile]:
    """Those on their way in, and of the last days those that failed or wait for this person."""
    rows = ExclusionFile.objects.filter(casino=casino).exclude(state=State.READY)
    rows = rows.filter(at__gt=timezone.now() - 7 * AGE_LIMIT) | rows.filter(state=State.RUNNING)
    others_wait = rows.filter(state=State.PREVIEW).exclude(person=user)
    return list(rows.exclude(pk__in=others_wait).select_related("person"))


# --- the worker -------------------------------------------------------------------------------


def take_in() -> None:
    """Every file that was confirmed, from where it stands, the oldest first."""
    rows = ExclusionFile.objects.filter(state=State.RUNNING).order_by("pk")
    for number in rows.values_list("pk", flat=True):
        while _step(number) == State.RUNNING:
            pass


def _step(number: int) -> str:
    """What was taken in before a fault stays: the same file may be chosen again."""
    try:
        state: str = _call("take_in_exclusions", number, AT_ONCE)
    except OperationalError:
        raise  # the database is away: the next one goes on
    except DatabaseError:
        log.exception("File %s of excluded persons failed", number)
        return _drop(number, _("The list could not be imported: call technical support."))
    return state


def prune() -> None:
    """Let go what nobody confirmed."""
    rows = ExclusionFile.objects.filter(state=State.PREVIEW, at__lt=timezone.now() - AGE_LIMIT)
    for number in rows.values_list("pk", flat=True):
        _drop(number, _("Nobody confirmed it within a day: choose the file again."))


def _drop(number: int, why: str) -> str:
    _call("drop_exclusion_file", number, why[:500])
    return State.FAILED


@sensitive_variables()
def _call(function: str, *values: Any) -> Any:
    """A function of the database, whose values no log shows."""
    marks = ", ".join(["%s"] * len(values))
    with guards.in_words(), transaction.atomic(), prepared_cursor(is_watched=False) as cursor:
        cursor.execute(f"SELECT {function}({marks})", list(values))
        (answer,) = cursor.fetchall()[0]
    return answer
