"""Long lists of excluded persons, such as a national register: read line by line, shown, confirmed,
and taken in by the worker, step by step.

Lines wait in the database, where no process reads who they are about: the one whose file it is gets
the first of them to look at. Every step is a transaction of its own, so that a worker that is
killed holds nothing up, and players are identified and paid between two steps. What a whole list
lacks ends behind the last entry, so that nobody is on no list meanwhile. Whoever may import stops
it between two steps, and has it go on or leaves out the rest.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import logging
import time
import uuid
from collections.abc import Iterable
from dataclasses import asdict, replace
from itertools import islice
from typing import Any, BinaryIO

from django.core.files.uploadedfile import UploadedFile
from django.db import OperationalError, transaction
from django.db.models import F, Q, QuerySet
from django.db.utils import DatabaseError
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from settlement.core import guards
from settlement.core.errors import USED, KeyUsed, RuleBroken
from settlement.core.imports import import_file, workbook
from settlement.core.words.house_alarms import HouseAlarm
from settlement.exclusions import entries, imports
from settlement.exclusions.imports import Line
from settlement.models import ExclusionFile, ExclusionImport, ExclusionStop
from tables.alarms import raise_alarm
from tables.models import Casino, JackpotSystem
from tables.process.prepared_statements import prepared_cursor

MOST_BYTES = 16 * 1024 * 1024
MOST_LINES = 200_000
AT_ONCE = 2000  # records of a step
LEAST_AT_ONCE = 100  # lines of a step, whatever the number of systems
LONGEST_S = 60.0  # of one task
MOST_FAULTS = 20  # steps, one after the other, that did not come to their end
WAITS = "waits"  # for the next task
FAILED = "exclusion_file_failed"  # an alarm
MOST_SHOWN = 100  # lines
_PIECE = 1024 * 1024  # bytes
AGE_LIMIT = dt.timedelta(days=1)  # of a file that nobody confirms
STOP_LIMIT = dt.timedelta(days=7)  # of a stop that nobody ends
log = logging.getLogger(__name__)
_FORM = replace(imports.FORM, most_bytes=MOST_BYTES, most_lines=MOST_LINES)
State, Fault = ExclusionFile.State, ExclusionFile.Fault


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
def read(
    casino: Casino, user: Any, list_name: str, file: BinaryIO, key: uuid.UUID | None = None
) -> ExclusionFile:
    """Judge each line and compare the list with what stands; nothing of it counts yet. BadFile:
    nothing of it is kept. The same `key` again is the same file."""
    entries.require_in(casino, user, "import_exclusions")
    name = entries.list_name_of(list_name)
    digest = hashlib.sha256()
    while piece := file.read(_PIECE):
        digest.update(piece)
    file.seek(0)
    if earlier := ExclusionFile.objects.filter(key=key).first() if key else None:
        if _bound_to_key(earlier) != (casino.pk, name, user.pk, digest.hexdigest()):
            raise KeyUsed(USED)
        return earlier
    with transaction.atomic():
        key = key or uuid.uuid4()
        number: int = _call("open_exclusion_file", casino.pk, name, user.pk, key)
        lines = (imports.line_of(*row) for row in import_file.stream(file, _FORM))
        while step := list(islice(lines, AT_ONCE)):
            _call("stage_exclusions", number, user.pk, _as_json(step))
        _call("show_exclusion_file", number, user.pk, digest.hexdigest())
    return ExclusionFile.objects.get(pk=number)


def _bound_to_key(file: ExclusionFile) -> tuple[object, ...]:
    """What its key is of."""
    return file.casino_id, file.name, file.person_id, file.digest


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


def confirm(
    file: ExclusionFile, user: Any, *, is_whole: bool, key: uuid.UUID | None = None
) -> None:
    """It is taken in as it was shown: the worker writes the entries, and then ends what it lacks of
    a whole list. The same `key` again changes nothing. WrongState: it is past, or another file of
    the list is taken in."""
    entries.require_in(file.casino, user, "import_exclusions")
    if earlier := ExclusionFile.objects.filter(confirmation_key=key).first() if key else None:
        if (earlier.pk, earlier.person_id, earlier.replaces) != (file.pk, user.pk, is_whole):
            raise KeyUsed(USED)
        return
    _call("confirm_exclusion_file", file.pk, user.pk, is_whole, key)


def stop(file: ExclusionFile, user: Any, *, key: uuid.UUID | None = None) -> None:
    """What is written of it stays in force, and the rest waits until somebody continues it. The
    same `key` again changes nothing. WrongState: it is not taken in now."""
    entries.require_in(file.casino, user, "import_exclusions")
    if not _is_done(file, user, ExclusionStop.Kind.STOP, key):
        _call("stop_exclusion_file", file.pk, user.pk, key)


def go_on(file: ExclusionFile, user: Any, *, key: uuid.UUID | None = None) -> None:
    """Have the worker take in the rest of what was stopped. The same `key` again changes nothing.
    WrongState: it is past, or another file of the list is taken in."""
    entries.require_in(file.casino, user, "import_exclusions")
    if not _is_done(file, user, ExclusionStop.Kind.CONTINUE, key):
        _call("continue_exclusion_file", file.pk, user.pk, key)


def leave(file: ExclusionFile, user: Any, *, key: uuid.UUID | None = None) -> None:
    """Leave out the rest of what was stopped, as where the wrong file was chosen: what is written
    of it stays in force. The same `key` again changes nothing. WrongState: it is not stopped."""
    entries.require_in(file.casino, user, "import_exclusions")
    if not _is_done(file, user, ExclusionStop.Kind.LEAVE, key):
        _call("leave_exclusion_file", file.pk, user.pk, key)


def _is_done(file: ExclusionFile, user: Any, kind: str, key: uuid.UUID | None) -> bool:
    """Whether this was done with the key. KeyUsed: something else was."""
    earlier = ExclusionStop.objects.filter(key=key).first() if key else None
    if earlier is None:
        return False
    if (earlier.origin_id, earlier.person_id, earlier.kind) != (file.origin_id, user.pk, kind):
        raise KeyUsed(USED)
    return True


def stops_of(file: ExclusionFile) -> list[ExclusionStop]:
    """Who stopped it, had it go on or left out the rest, the newest first."""
    rows = ExclusionStop.objects.filter(origin=file.origin_id)
    return list(rows.select_related("person"))


def of_casino(casino: Casino, user: Any) -> list[ExclusionFile]:
    """Those on their way in or stopped, and of the last days those that failed or wait for this
    person."""
    rows = ExclusionFile.objects.filter(casino=casino).exclude(state=State.READY)
    on_the_way = rows.filter(state__in=[State.RUNNING, State.STOPPED])
    rows = rows.filter(at__gt=timezone.now() - 7 * AGE_LIMIT) | on_the_way
    others_wait = rows.filter(state=State.PREVIEW).exclude(person=user)
    return list(rows.exclude(pk__in=others_wait).select_related("person", "origin"))


def seen_by(user: Any, casino: Casino | None = None) -> QuerySet[ExclusionFile]:
    """The files whose progress somebody may see, who may import there: their own, and all that were
    confirmed."""
    rows = ExclusionFile.objects.filter(casino__in=[casino] if casino else Casino.objects.all())
    return rows.filter(Q(person=user) | Q(origin__isnull=False)).select_related(
        "casino", "origin", "person"
    )


def in_part(imports_: Iterable[ExclusionImport]) -> dict[int, tuple[int, int]]:
    """Of those whose file is not done, how many of the new entries are written, and how many of
    those that it lacks have ended, by import."""
    files = ExclusionFile.objects.filter(origin__in=imports_).exclude(state=State.READY)
    rows = files.values_list("origin", F("lines_done") - F("origin__known"), "ends_done")
    return {origin: (lines, ends) for origin, lines, ends in rows}


# --- the worker -------------------------------------------------------------------------------


def take_in() -> None:
    """Every file that was confirmed, from where it stands, the oldest first, for a minute: the next
    call goes on. One process does it at a time; whoever finds it at work comes back at once."""
    until = time.monotonic() + LONGEST_S
    rows = ExclusionFile.objects.filter(state=State.RUNNING).order_by("pk")
    for number in rows.values_list("pk", flat=True):
        state: str | None = State.RUNNING
        while state == State.RUNNING:
            state = _step(number)
            if state is None or time.monotonic() > until:
                return


def _step(number: int) -> str | None:
    """The state of the file afterwards; None where another process works.

    What was taken in before a fault stays: the same file may be chosen again.
    """
    try:
        # Every entry is a record of each system.
        systems = JackpotSystem.objects.filter(casino__exclusion_files=number).count()
        lines = min(AT_ONCE, max(LEAST_AT_ONCE, AT_ONCE // max(systems, 1)))
        state: str | None = _call("take_in_exclusions", number, lines)
    except OperationalError:
        log.exception("A step of file %s of excluded persons failed", number)
        # This fails, too, where the database is away: that counts for nothing.
        faults: int | None = _call("count_exclusion_fault", number)
        return _fail(number, State.RUNNING, Fault.BROKEN) if (faults or 0) >= MOST_FAULTS else WAITS
    except (DatabaseError, RuleBroken):
        log.exception("File %s of excluded persons failed", number)
        return _fail(number, State.RUNNING, Fault.BROKEN)
    return state


@transaction.atomic
def _fail(number: int, state: str, why: str) -> str:
    """A part of the list is in force, and nobody looks at its page any more: an alarm."""
    if _drop(number, state, why):
        file = ExclusionFile.objects.select_related("casino").get(pk=number)
        words = HouseAlarm.FAILED_EXCLUSIONS % {
            "casino": file.casino.name,
            "list": file.name,
            "lines": file.lines_done,
            "total": file.lines,
        }
        raise_alarm(
            FAILED,
            f"{file.casino.code} file {number}",
            words,
            file.casino.systems.order_by("pk").first(),
        )
    return State.FAILED


def prune() -> None:
    """Let go what nobody confirmed, and the rest of what was stopped days ago."""
    now = timezone.now()
    rows = ExclusionFile.objects.filter(state=State.PREVIEW, at__lt=now - AGE_LIMIT)
    for number in rows.values_list("pk", flat=True):
        _drop(number, State.PREVIEW, Fault.UNCONFIRMED)
    young = ExclusionStop.objects.filter(at__gte=now - STOP_LIMIT)
    left = ExclusionFile.objects.filter(state=State.STOPPED)
    left = left.exclude(origin__in=young.values("origin"))
    for number in left.values_list("pk", flat=True):
        _fail(number, State.STOPPED, Fault.LEFT)


def _drop(number: int, state: str, why: str) -> bool:
    """Whether it went; not, where it is not in that state any more."""
    is_gone: bool = _call("drop_exclusion_file", number, state, why)
    return is_gone


@sensitive_variables()
def _call(function: str, *values: Any) -> Any:
    """A function of the database, whose values no log shows."""
    marks = ", ".join(["%s"] * len(values))
    with guards.in_words(), transaction.atomic(), prepared_cursor(is_watched=False) as cursor:
        cursor.execute(f"SELECT {function}({marks})", list(values))
        (answer,) = cursor.fetchall()[0]
    return answer
