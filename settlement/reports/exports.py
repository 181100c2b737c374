"""Reports as files: asked for on a page or by a schedule, written by the worker.

An export is of one report, or of all reports of a return. It is whole or it is not there: its
folder gets its name when all files and the manifest are in it. Everything is read at one moment, at
the standby where the house names one (jackpot.storage.pinned_read). Which export is next:
`settlement.reports.export_queue`.
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
from settlement.core.gaming_day import DAY
from settlement.jurisdiction.pack import Rule
from settlement.jurisdiction.returns import Return, ended_before, layouts_on
from settlement.models import ReportExport
from settlement.models.exports import RETURN_LENGTH
from settlement.people.rights.permissions import name_of, require
from settlement.reports import export_queue, manifest
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Definition, Filters
from settlement.reports.definitions.sources import open_from
from settlement.reports.export_queue import State
from settlement.reports.progress import Cancelled, Progress
from settlement.reports.writers import csv_file, parquet_file, pdf_file, xlsx_file
from settlement.reports.writers.sheet import Sheet, Tick
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
MOST_WAITING = 20  # of one person


def formats() -> list[str]:
    """Those that can be written here."""
    return [name for name in _WRITERS if name != "parquet" or parquet_file.is_installed()]


def first_formats(definition: Definition) -> list[str]:
    """Those that are proposed: of a long report no PDF."""
    return ["csv", "xlsx"] if definition.is_long else ["csv", "xlsx", "pdf"]


def request_export(
    definition: Definition, filters: Filters, format_names: list[str], user: Any, key: uuid.UUID
) -> ReportExport:
    """Ask for a report as files; the same key is the same export. WrongState: what to do."""
    return _request([definition], filters, format_names, user, key, report=definition.code)


def request_return(casino: Casino, due: Return, user: Any, key: uuid.UUID) -> ReportExport:
    """Ask for all reports of a return as one export: CSV, XLSX and, but of long ones, PDF."""
    filters, kinds = Filters(casino, due.first, due.last), ["csv", "xlsx", "pdf"]
    return _request(definitions_of(due.reports), filters, kinds, user, key, **of_return(due))


def of_return(rule: Return | Rule) -> dict[str, Any]:
    """What an export, or a schedule, stores of a return."""
    return {"of_return": rule.title[:RETURN_LENGTH], "reports": list(rule.reports)}


def definitions_of(codes: Sequence[str]) -> list[Definition]:
    """The reports of these codes, in this order. WrongState where there is no such report."""
    for code in codes:
        if code not in reports():
            raise WrongState(
                _("There is no report %(code)s: correct the rules of this place.") % {"code": code}
            )
    return [reports()[code] for code in codes]


def _request(
    definitions: list[Definition],
    filters: Filters,
    format_names: list[str],
    user: Any,
    key: uuid.UUID,
    **what: Any,
) -> ReportExport:
    if not definitions:
        raise WrongState(_("The rules of this place ask for no such return."))
    _require(user, definitions, filters)
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
            "filters": filters.as_json(),
            "formats": chosen,
            "person": user,
            "pins": pins_of(each.pk for each in filters.systems),
            **what,
        },
    )
    return export


def title_of(export: ReportExport) -> str:
    """Of its report or return, in the reader's language."""
    if export.of_return:
        return _(export.of_return)
    definition = reports().get(export.report)
    return _(definition.title) if definition else export.report


def write_archive(export: ReportExport, file: IO[bytes]) -> None:
    """Its files in one ZIP, in a folder with the signed manifest."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files_of(export):
            archive.write(path, f"{export.name}/{path.name}")


def _require(user: Any, definitions: Sequence[Definition], filters: Filters) -> None:
    for system in filters.systems:
        for permission in {"export_reports", *(each.permission for each in definitions)}:
            require(user, permission, system)


def cancel(export: ReportExport, user: Any) -> None:
    """The worker stops within some seconds. WrongState where it has ended."""
    require(user, "export_reports")
    changed = ReportExport.objects.filter(
        pk=export.pk, state__in=[State.WAITING, State.RUNNING], cancel_at=None
    ).update(cancel_at=timezone.now())
    if not changed:
        raise WrongState(_("This export has ended already."))


def again(export: ReportExport, user: Any, key: uuid.UUID) -> ReportExport:
    """The same report or return once more, as of now. PackError: as of `_named_now`."""
    filters = Filters.from_json(export.casino, export.filters)
    names = ("report", "of_return", "reports")
    what = {name: getattr(export, name) for name in names}
    if not export.codes:
        what["reports"] = _named_now(export, filters)
    codes = what["reports"] or export.codes
    return _request(definitions_of(codes), filters, export.formats, user, key, **what)


def _named_now(export: ReportExport, filters: Filters) -> list[str]:
    """The reports of a return that had none when its period was closed, as the rules of the
    period's last day are now; empty where they still ask for none. PackError: they cannot be read.
    """
    for rule in layouts_on(export.casino, filters.last):
        what = of_return(rule)
        span = rule.period and ended_before(filters.last + DAY, rule.period)
        if (what["of_return"], span) == (export.of_return, (filters.first, filters.last)):
            return list(rule.reports)
    return []


def folder_of(export: ReportExport) -> Path:
    return Path(settings.EXPORT_DIR) / str(export.pk)


def files_of(export: ReportExport) -> list[Path]:
    """What can be taken away; empty once the files were removed for their age."""
    folder = folder_of(export)
    return sorted(folder.iterdir()) if export.state == State.READY and folder.is_dir() else []


def run_next() -> bool:
    """Write the export that waits longest; whether there was one. For the worker."""
    export = export_queue.take()
    if export is None:
        return False
    part = folder_of(export).with_name(f"{export.pk}.{export.attempts}.part")
    try:
        reading = _write(export, part)
        _finish(export, part, reading)
    except Cancelled:
        export_queue.end(export, State.CANCELLED)
    except (RuleBroken, OSError) as why:
        export_queue.end(export, State.FAILED, str(why))
    except Exception:
        log.exception("Export %s failed", export.pk)
        export_queue.end(
            export, State.FAILED, _("The report could not be made: call technical support.")
        )
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
    rows = sum(each["rows"] * len(each["files"]) for each in manifest.reports_of(reading.answer))
    mine.update(
        state=State.READY,
        manifest=reading.answer,
        source=reading.source,
        refusal=reading.refusal,
        ended_at=timezone.now(),
        rows_total=rows,
        rows_done=rows,
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


def _write(export: ReportExport, part: Path) -> Reading[dict[str, Any]]:
    """The files and their manifest, all of one moment: of the standby where it is good."""
    definitions = definitions_of(export.codes)
    filters = Filters.from_json(export.casino, export.filters)
    # The worker reads no password hash.
    who: Any = get_user_model().objects.defer("password").get(pk=export.person_id)
    _sign_logs(filters)
    _require(who, definitions, filters)  # roles may have changed since

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
    filters = Filters.from_json(export.casino, export.filters)
    first_open = open_from(filters)
    facts = {
        "export": export.pk,
        "made_at": timezone.now().isoformat(),
        "made_by": who.get_username(),
        "version": manifest.version(filters),
        "checkpoints": manifest.checkpoints(filters),
        "open_from": first_open and str(first_open),
    }
    sheets = []
    for definition in definitions_of(export.codes):
        report = definition.report(filters)
        origin = _origin({**facts, "is_final": definition.is_final}, name_of(who))
        sheet = Sheet(definition, filters, report, definition.totals(report), origin)
        sheets.append((sheet, _writable(export, definition, sheet.totals["rows"])))
    progress.expect(sum(sheet.totals["rows"] * len(kinds) for sheet, kinds in sheets))
    bodies = []
    for number, (sheet, kinds) in enumerate(sheets, start=1):
        stem = f"{number:02}-{sheet.report.name}" if export.of_return else sheet.report.name
        files = {}
        for name in kinds:
            path = part / f"{stem}.{name}"
            files[path.name] = _WRITERS[name](sheet, path, progress.tell)
        missing = [name for name in export.formats if name not in kinds]
        bodies.append(manifest.report_body(part, sheet, files, missing))
    return manifest.body_of(filters, export.of_return, bodies, **facts)


def _writable(export: ReportExport, definition: Definition, rows: int) -> list[str]:
    """The kinds of files of a report of so many rows. A PDF that nobody can print is left out
    beside others, and in a return that of a long report; WrongState where nothing else was asked
    for, before anything is written."""
    others = [name for name in export.formats if name != "pdf"]
    if export.of_return and definition.is_long:
        if not others:
            raise WrongState(
                _("“%(report)s” has a row for each event, too many for a PDF: choose CSV or XLSX.")
                % {"report": _(definition.title)}
            )
        return others
    if rows <= pdf_file.MOST_ROWS:
        return list(export.formats)
    if not others:
        raise WrongState(pdf_file.too_long(rows))
    return others


def left_out(export: ReportExport) -> str:
    """Which files are not there for their many rows; empty where all are."""
    bodies = manifest.reports_of(export.manifest) if export.manifest else []
    return " ".join(
        pdf_file.too_long(each["rows"])
        for each in bodies
        if "pdf" in each.get("left_out", ()) and each["rows"] > pdf_file.MOST_ROWS
    )


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
