"""Reports as files: asked for on a page or by a schedule, written by the worker.

An export is whole or it is not there: its folder gets its name when all files and the manifest
are in it. Everything is read at one moment. A worker that dies leaves a row that says nothing any
more; another worker takes it and begins again. Progress is written on a connection of its own,
as the one that reads stands in its moment.
"""

from __future__ import annotations

import datetime as dt
import logging
import shutil
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.storage.snapshot import snapshot
from settlement.core.errors import RuleBroken, WrongState
from settlement.models import ReportExport
from settlement.people.permissions import name_of, require
from settlement.reports import manifest
from settlement.reports.catalogue import reports
from settlement.reports.definition import Definition, Filters
from settlement.reports.writers import csv_file, parquet_file, pdf_file, xlsx_file
from settlement.reports.writers.sheet import Sheet, Tick

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
TELL_EVERY_S = 1.0


class Cancelled(Exception):
    """Somebody wants no more of it, or another worker has it."""


def formats() -> list[str]:
    """Those that can be written here."""
    return [name for name in _WRITERS if name != "parquet" or parquet_file.is_installed()]


def request_export(
    definition: Definition, filters: Filters, wanted: list[str], user: Any, key: uuid.UUID
) -> ReportExport:
    """Ask for a report as files; the same key is the same export. WrongState: what to do."""
    for system in filters.systems:
        require(user, "export_reports", system)
    chosen = [name for name in formats() if name in wanted]
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
        },
    )
    return export


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
    return sorted(folder.iterdir()) if export.state == State.DONE and folder.is_dir() else []


def run_next() -> bool:
    """Write the export that waits longest; whether there was one. For the worker."""
    export = _take()
    if export is None:
        return False
    folder = folder_of(export)
    part = folder.with_name(f"{export.pk}.{export.attempts}.part")
    try:
        body = _write(export, part)
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
        ended: dict[str, Any] = {"state": State.DONE, "manifest": body}
    except Cancelled:
        ended = {"state": State.CANCELLED}
    except (RuleBroken, OSError) as why:
        ended = {"state": State.FAILED, "fault": str(why)[:500]}
    except Exception:
        log.exception("Export %s failed", export.pk)
        ended = {
            "state": State.FAILED,
            "fault": _("The report could not be made: call technical support."),
        }
    shutil.rmtree(part, ignore_errors=True)
    # Only what this worker still has: a row that another one took over is that one's.
    ReportExport.objects.filter(pk=export.pk, state=State.RUNNING, attempts=export.attempts).update(
        ended_at=timezone.now(), **ended
    )
    return True


def prune() -> None:
    """Remove files that are older than EXPORT_DAYS, and what dead workers left."""
    folder, now = Path(settings.EXPORT_DIR), time.time()
    if not folder.is_dir():
        return
    for each in folder.iterdir():
        age = dt.timedelta(seconds=now - each.stat().st_mtime)
        is_part = each.name.endswith(".part")
        if age > (dt.timedelta(days=1) if is_part else dt.timedelta(days=settings.EXPORT_DAYS)):
            shutil.rmtree(each, ignore_errors=True)


@transaction.atomic
def _take() -> ReportExport | None:
    """The next one that waits, or that a dead worker left."""
    now = timezone.now()
    due = Q(state=State.WAITING) | Q(state=State.RUNNING, alive_at__lt=now - SILENT)
    rows = ReportExport.objects.filter(due).order_by("pk")
    export = rows.select_for_update(skip_locked=True, of=("self",)).first()
    if export is None:
        return None
    if export.cancel_at is not None or export.attempts >= MOST_ATTEMPTS:
        is_cancelled = export.cancel_at is not None
        export.state = State.CANCELLED if is_cancelled else State.FAILED
        if not is_cancelled:
            export.fault = _("The worker died %(times)s times over it: call technical support.") % {
                "times": MOST_ATTEMPTS
            }
        export.ended_at = now
        export.save(update_fields=["state", "fault", "ended_at"])
        return None
    export.state, export.attempts = State.RUNNING, export.attempts + 1
    export.alive_at, export.rows_done = now, 0
    export.save(update_fields=["state", "attempts", "alive_at", "rows_done"])
    return export


def _write(export: ReportExport, part: Path) -> dict[str, Any]:
    definition = reports()[export.report]
    filters = Filters.from_json(export.casino, export.filters)
    part.mkdir(parents=True)
    # The worker reads no password hash.
    who: Any = get_user_model().objects.defer("password").get(pk=export.person_id)
    with _Progress(export) as progress, snapshot():
        made_at = timezone.now()
        report = definition.report(filters)
        totals = definition.totals(report)
        progress.expect(totals["rows"] * len(export.formats))
        points = manifest.checkpoints(filters)
        facts = {
            "export": export.pk,
            "made_at": made_at.isoformat(),
            "made_by": who.get_username(),
            "version": manifest.version(filters),
            "checkpoints": points,
        }
        sheet = Sheet(definition, filters, report, totals, _origin(facts, name_of(who)))
        files = {}
        for name in export.formats:
            path = part / f"{report.name}.{name}"
            files[path.name] = _WRITERS[name](sheet, path, progress.tell)
        return manifest.write(part, sheet, files, **facts)


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
        (_("Checkpoint"), points or _("no order yet")),
    ]


class _Progress:
    """Says how far an export is, on a connection of its own, and hears that it is cancelled."""

    def __init__(self, export: ReportExport) -> None:
        self.export, self.done, self.next = export, 0, 0.0
        self.beside = connection.copy()

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_fault: object) -> None:
        self.beside.close()

    def expect(self, rows: int) -> None:
        self._say("rows_total = %s", rows)

    def tell(self, rows: int) -> None:
        """So many rows more. Cancelled where nobody wants it any more."""
        self.done += rows
        if time.monotonic() >= self.next:
            self._say("rows_done = %s", self.done)
            self.next = time.monotonic() + TELL_EVERY_S

    def _say(self, what: str, value: int) -> None:
        with self.beside.cursor() as cursor:
            cursor.execute(
                f"UPDATE settlement_reportexport SET {what}, alive_at = now() WHERE id = %s"  # noqa: S608
                " AND state = 'running' AND attempts = %s AND cancel_at IS NULL RETURNING id",
                [value, self.export.pk, self.export.attempts],
            )
            if cursor.fetchone() is None:
                raise Cancelled
