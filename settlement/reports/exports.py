"""Reports as files: asked for on a page or by a schedule, written by the worker.

One at a time, so that the worker always has hands free for displays. An export is whole or it is
not there: its folder gets its name when all files and the manifest are in it. Everything is read at
one moment, at the standby where the house names one (jackpot.storage.pinned_read). A worker that
dies leaves a row that says nothing any more; another worker takes it and begins again.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import logging
import shutil
import time
import uuid
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.models.transparency import CheckpointCause
from jackpot.storage.pinned_read import Reading, pins_of, read
from jackpot.transparency import checkpoints
from jackpot.transparency.notes import KeyUnreadable
from settlement.approvals.capacities import visible_to
from settlement.audit import file_keys
from settlement.core.errors import RuleBroken, WrongState
from settlement.core.words.house_alarms import HouseAlarm
from settlement.jurisdiction.returns import Return
from settlement.models import ReportExport
from settlement.people.rights.permissions import name_of, require
from settlement.reports import manifest
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Definition, Filters
from settlement.reports.definitions.sources import open_from
from settlement.reports.progress import Cancelled, Progress
from settlement.reports.writers import csv_file, parquet_file, pdf_file, xlsx_file
from settlement.reports.writers.sheet import Sheet, Tick
from tables.alarms import raise_alarm
from tables.models import Casino
from tables.visibility.scope import only

log = logging.getLogger(__name__)

Writer = Callable[[Sheet, Path, Tick], dict[str, int]]
_WRITERS: dict[str, Writer] = {
    "csv": csv_file.write,
    "xlsx": xlsx_file.write,
    "pdf": pdf_file.write,
    "parquet": parquet_file.write,
}
State = ReportExport.State
SILENT = dt.timedelta(seconds=60)  # a worker that says nothing for so long is gone
MOST_ATTEMPTS = 3
MOST_WAITING = 20  # of one person
FAILED = "report_failed"  # an alarm


def formats() -> list[str]:
    """Those that can be written here."""
    return [name for name in _WRITERS if name != "parquet" or parquet_file.is_installed()]


def first_formats(definition: Definition) -> list[str]:
    """Those that are proposed: of a long report no PDF."""
    return ["csv", "xlsx"] if definition.is_long else ["csv", "xlsx", "pdf"]


def request_export(
    definition: Definition,
    filters: Filters,
    format_names: list[str],
    user: Any,
    key: uuid.UUID,
    **of_return: Any,
) -> ReportExport:
    """Ask for a report as files; the same key is the same export. WrongState: what to do."""
    _require(user, definition, filters)
    chosen = [name for name in formats() if name in format_names]
    if not chosen:
        raise WrongState(_("Choose at least one kind of file."))
    waiting = ReportExport.objects.filter(person=user, state__in=[State.WAITING, State.RUNNING])
    if waiting.count() >= MOST_WAITING:
        raise WrongState(
            _("%(count)s of your exports are not ready yet: wait, or cancel one.")
            % {"count": MOST_WAITING}
        )
    export, _is_new = ReportExport.objects.get_or_create(
        key=key,
        defaults={
            "casino": filters.casino,
            "report": definition.code,
            "filters": filters.as_json(),
            "formats": chosen,
            "person": user,
            "pins": pins_of(each.pk for each in filters.systems),
            **of_return,
        },
    )
    return export


def request_return(casino: Casino, due: Return, user: Any, key: uuid.UUID) -> list[ReportExport]:
    """Ask for all reports of a return, in their order, as CSV, XLSX and, but for long ones, PDF."""
    filters = Filters(casino, due.first, due.last)
    exports = []
    with transaction.atomic():
        for code in due.reports:
            definition = reports().get(code)
            if definition is None:
                raise WrongState(
                    _("There is no report %(code)s: correct the rules of this place.")
                    % {"code": code}
                )
            kinds = first_formats(definition)
            of_return = {"of_return": due.title[:120], "return_key": key}
            own = uuid.uuid5(key, code)
            exports.append(request_export(definition, filters, kinds, user, own, **of_return))
    return exports


def whole_return(export: ReportExport) -> list[ReportExport]:
    """All reports of the return that it is part of, in their order; alone where it is of none."""
    if export.return_key is None:
        return [export]
    rows = ReportExport.objects.filter(return_key=export.return_key, casino=export.casino)
    return list(rows.select_related("casino", "person").order_by("pk"))


def write_archive(exports: list[ReportExport], file: IO[bytes]) -> None:
    """Their files in one ZIP, a folder for each with its signed manifest."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, export in enumerate(exports, start=1):
            for path in files_of(export):
                archive.write(path, f"{number:02}-{export.report}/{path.name}")


def _require(user: Any, definition: Definition, filters: Filters) -> None:
    for system in filters.systems:
        require(user, "export_reports", system)
        require(user, definition.permission, system)


def cancel(export: ReportExport, user: Any) -> None:
    """The worker stops within some seconds. WrongState where it has ended."""
    require(user, "export_reports")
    changed = ReportExport.objects.filter(
        pk=export.pk, state__in=[State.WAITING, State.RUNNING], cancel_at=None
    ).update(cancel_at=timezone.now())
    if not changed:
        raise WrongState(_("This export has ended already."))


def again(export: ReportExport, user: Any, key: uuid.UUID) -> ReportExport:
    """The same report once more, as of now."""
    definition = reports()[export.report]
    filters = Filters.from_json(export.casino, export.filters)
    return request_export(definition, filters, list(export.formats), user, key)


def folder_of(export: ReportExport) -> Path:
    return Path(settings.EXPORT_DIR) / str(export.pk)


def files_of(export: ReportExport) -> list[Path]:
    """What can be taken away; empty once the files were removed for their age."""
    folder = folder_of(export)
    return sorted(folder.iterdir()) if export.state == State.READY and folder.is_dir() else []


def run_next() -> bool:
    """Write the export that waits longest; whether there was one. For the worker."""
    export = _take()
    if export is None:
        return False
    part = folder_of(export).with_name(f"{export.pk}.{export.attempts}.part")
    try:
        reading = _write(export, part)
        _finish(export, part, reading)
    except Cancelled:
        _end(export, State.CANCELLED)
    except (RuleBroken, OSError) as why:
        _end(export, State.FAILED, str(why))
    except Exception:
        log.exception("Export %s failed", export.pk)
        _end(export, State.FAILED, _("The report could not be made: call technical support."))
    for each in part.parent.glob(f"{export.pk}.*.part"):  # of dead workers, too
        shutil.rmtree(each, ignore_errors=True)
    return True


@transaction.atomic
def _finish(export: ReportExport, part: Path, reading: Reading[dict[str, Any]]) -> None:
    """The files get their name together with the row's word that they are there."""
    mine = ReportExport.objects.select_for_update().filter(
        pk=export.pk, state=State.RUNNING, attempts=export.attempts, cancel_at=None
    )
    if mine.first() is None:
        raise Cancelled
    shutil.rmtree(folder_of(export), ignore_errors=True)
    part.rename(folder_of(export))
    rows = reading.answer["rows"] * len(reading.answer["files"])
    mine.update(
        state=State.READY,
        manifest=reading.answer,
        source=reading.source,
        refusal=reading.refusal,
        ended_at=timezone.now(),
        rows_total=rows,
        rows_done=rows,
    )


def _end(export: ReportExport, state: str, fault: str = "") -> None:
    """Only what this worker still has: a row that another one took over is that one's."""
    changed = ReportExport.objects.filter(
        pk=export.pk, state=State.RUNNING, attempts=export.attempts
    ).update(state=state, fault=fault[:500], ended_at=timezone.now())
    if changed and state == State.FAILED and export.schedule_id is not None:
        _raise_failed(export, fault)


def _raise_failed(export: ReportExport, fault: str) -> None:
    """Nobody waits for what a schedule asked for: an alarm says that it is missing."""
    raise_alarm(
        FAILED,
        f"{export.casino.code} {export.report} {export.pk}",
        HouseAlarm.FAILED_REPORT
        % {
            "casino": export.casino.name,
            "report": export.report,
            "export": export.pk,
            "fault": fault,
        },
        export.casino.systems.order_by("pk").first(),
    )


def prune() -> None:
    """Remove what dead workers left; of whole exports `settlement.archives.retention` says."""
    folder, now = Path(settings.EXPORT_DIR), time.time()
    if not folder.is_dir():
        return
    for each in folder.iterdir():
        age = dt.timedelta(seconds=now - each.stat().st_mtime)
        if each.name.endswith(".part") and age > dt.timedelta(days=1):
            shutil.rmtree(each, ignore_errors=True)


@transaction.atomic
def _take() -> ReportExport | None:
    """The next one that waits, or that a dead worker left; None while one is being written."""
    now = timezone.now()
    # All of them, so that of two workers who look at once the second sees what the first took.
    rows = ReportExport.objects.filter(state__in=[State.WAITING, State.RUNNING]).order_by("pk")
    due = list(rows.select_for_update(of=("self",)))
    if not due or any(_is_alive(each, now) for each in due):
        return None
    export = due[0]
    if export.cancel_at is not None or export.attempts >= MOST_ATTEMPTS:
        is_cancelled = export.cancel_at is not None
        export.state = State.CANCELLED if is_cancelled else State.FAILED
        if not is_cancelled:
            export.fault = _("The worker died %(times)s times over it: call technical support.") % {
                "times": MOST_ATTEMPTS
            }
        export.ended_at = now
        export.save(update_fields=["state", "fault", "ended_at"])
        if export.fault and export.schedule_id is not None:
            _raise_failed(export, export.fault)
        return _take()
    export.state, export.attempts = State.RUNNING, export.attempts + 1
    export.alive_at, export.rows_done = now, 0
    export.save(update_fields=["state", "attempts", "alive_at", "rows_done"])
    return export


def _is_alive(export: ReportExport, now: dt.datetime) -> bool:
    """Whether a worker is writing it."""
    heard = export.alive_at
    return export.state == State.RUNNING and heard is not None and heard > now - SILENT


def _write(export: ReportExport, part: Path) -> Reading[dict[str, Any]]:
    """The files and their manifest, all of one moment: of the standby where it is good."""
    definition = reports()[export.report]
    filters = Filters.from_json(export.casino, export.filters)
    # The worker reads no password hash.
    who: Any = get_user_model().objects.defer("password").get(pk=export.person_id)
    _sign_logs(filters)
    _require(who, definition, filters)  # roles may have changed since

    def write_files() -> dict[str, Any]:
        shutil.rmtree(part, ignore_errors=True)  # of a standby that was lost
        part.mkdir(parents=True)
        return _write_files(export, part, who, progress)

    file_keys.signer()  # before minutes of work: whether there is a key
    systems = [each.pk for each in filters.systems]
    with Progress(export) as progress, only(visible_to(who)):
        reading = read(write_files, systems, export.pins, pause=progress.pause)
        return replace(reading, answer=manifest.sign(part, reading.answer))


def _write_files(export: ReportExport, part: Path, who: Any, progress: Progress) -> dict[str, Any]:
    definition = reports()[export.report]
    filters = Filters.from_json(export.casino, export.filters)
    report = definition.report(filters)
    totals = definition.totals(report)
    kinds = _writable(export.formats, totals["rows"])
    progress.expect(totals["rows"] * len(kinds))
    points, first_open = manifest.checkpoints(filters), open_from(filters)
    facts = {
        "export": export.pk,
        "made_at": timezone.now().isoformat(),
        "made_by": who.get_username(),
        "version": manifest.version(filters),
        "checkpoints": points,
        "open_from": first_open and str(first_open),
        "is_final": definition.is_final,
        "left_out": [name for name in export.formats if name not in kinds],
    }
    sheet = Sheet(definition, filters, report, totals, _origin(facts, name_of(who)))
    files = {}
    for name in kinds:
        path = part / f"{report.name}.{name}"
        files[path.name] = _WRITERS[name](sheet, path, progress.tell)
    return manifest.body_of(part, sheet, files, **facts)


def _writable(kinds: Sequence[str], rows: int) -> list[str]:
    """Those of these kinds of files that so many rows have. A PDF that nobody can print is left out
    beside others; WrongState where nothing else was asked for, before anything is written."""
    if "pdf" not in kinds or rows <= pdf_file.MOST_ROWS:
        return list(kinds)
    if list(kinds) == ["pdf"]:
        raise WrongState(pdf_file.too_long(rows))
    return [name for name in kinds if name != "pdf"]


def left_out(export: ReportExport) -> str:
    """Why a file that was asked for is not there; empty where all are."""
    manifest = export.manifest or {}
    return pdf_file.too_long(manifest["rows"]) if "pdf" in manifest.get("left_out", ()) else ""


def _sign_logs(filters: Filters) -> None:
    """A checkpoint of each log, so that the report names one that covers what it says.

    What the order takes in meanwhile the next one covers. Without a readable key there is none:
    the task that makes them raises the alarm.
    """
    for system in filters.systems:
        with contextlib.suppress(KeyUnreadable):
            checkpoints.make(system, CheckpointCause.REPORT)


def _origin(facts: Mapping[str, Any], who: str) -> list[tuple[str, str]]:
    at = facts["made_at"][:19].replace("T", " ")
    points = "; ".join(
        _("%(system)s entry %(entry)s, block %(block)s, %(hash)s")
        % {**each, "hash": each["hash"][:16]}
        for each in facts["checkpoints"]
    )
    return [
        (_("Made"), _("%(at)s UTC by %(who)s") % {"at": at, "who": who}),
        (_("Version"), facts["version"]),
        (_("Gaming days closed"), _closed(facts["open_from"], facts["is_final"])),
        (_("Checkpoint"), points or _("no order yet")),
        (_("Signed log"), manifest.log_in_words(facts["checkpoints"]) or _("no signed log")),
    ]


def _closed(first_open: str | None, is_final: bool) -> str:
    if first_open is None and is_final:
        return _("all: these figures do not change any more")
    if first_open is None:
        return _("all; rows say what is known now: later payments and decisions change them")
    return _("not from %(day)s on: figures of open days can still change") % {"day": first_open}
