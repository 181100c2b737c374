"""Reports as files: ask, see how far they are, cancel, take away, once more."""

from __future__ import annotations

import mimetypes
import tempfile
import uuid
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from settlement.core.errors import RuleBroken
from settlement.core.gaming_day import today
from settlement.jurisdiction.returns import returns_of
from settlement.models import ReportExport
from settlement.pages.claims.actions import refusal_text
from settlement.pages.reports.views import definition_or_404, filters_of
from settlement.pages.shared.choices import casino_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.exports import IN_MEMORY, Export
from settlement.pages.shared.lists.cursor import page_of_rows
from settlement.pages.shared.lists.order import Column
from settlement.people.shared.security_log import What, note
from settlement.reports import exports as service
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters, particulars
from tables.models import Casino

MOST_SHOWN = 100  # on a page
COLUMNS = (Column("id", int, is_down=True),)
_MOVING = (ReportExport.State.WAITING, ReportExport.State.RUNNING)


def key_of(request: HttpRequest) -> uuid.UUID:
    """Of the form; a fresh one where it has none."""
    try:
        return uuid.UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid.uuid4()


@require_POST
@opens_for("export_reports")
def export_request(request: HttpRequest, report: str) -> HttpResponse:
    """Ask for the report of the same filters as files."""
    definition = definition_or_404(request, report)
    filters = filters_of(request, casino_or_404(request), definition)
    try:
        export = service.request_export(
            definition, filters, request.POST.getlist("format"), request.user, key_of(request)
        )
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect(f"{reverse('report', args=[report])}?{request.GET.urlencode()}")
    note(request, What.EXPORTED, request.user.get_username(), f"{report} #{export.pk}")
    return redirect("exports")


@require_POST
@opens_for("export_reports")
def return_request(request: HttpRequest) -> HttpResponse:
    """Ask for all reports of a return of the last period that ended."""
    casino, title = casino_or_404(request), request.POST.get("return", "")
    due = next((each for each in returns_of(casino, today(casino)) if each.title == title), None)
    if due is None:
        raise Http404(_("The rules of this place ask for no such return."))
    try:
        export = service.request_return(casino, due, request.user, key_of(request))
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect("reports")
    note(request, What.EXPORTED, request.user.get_username(), f"{export.name} #{export.pk}")
    return redirect("exports")


@require_safe
@opens_for("export_reports")
def exports(request: HttpRequest) -> HttpResponse:
    """Exports of the casinos that one sees, newest first, with their progress."""
    rows = ReportExport.objects.filter(casino__in=Casino.objects.all())
    rows = rows.select_related("casino", "person", "schedule")
    page = page_of_rows(request, rows, COLUMNS, MOST_SHOWN)
    return render(
        request,
        "console/reports/exports.html",
        {
            "exports": [_row_of(each) for each in page.rows],
            "page": page,
            "is_moving": any(each.state in _MOVING for each in page.rows),
        },
    )


def _row_of(export: ReportExport) -> dict[str, Any]:
    definitions = [reports()[code] for code in export.codes if code in reports()]
    total, row_count = export.rows_total, export.rows_done
    percent = min(100, 100 * row_count // total) if total else 0
    filters = Filters.from_json(export.casino, export.filters)
    return {
        "export": export,
        "state": _(export.get_state_display()),
        "title": service.title_of(export),
        "reports": [_(each.title) for each in definitions] if export.of_return else [],
        "particulars": particulars(definitions[0], filters)[2:-1] if definitions else [],
        "percent": percent,
        "source": _source_of(export),
        "left_out": service.left_out(export),
        "files": [
            (place, path.name, _kind_of(path), path.stat().st_size)
            for place, path in enumerate(service.files_of(export))
        ],
        "key": uuid.uuid4(),
    }


def _source_of(export: ReportExport) -> str:
    """Where it was read, where the house has a standby for that."""
    if export.refusal:
        reason = _(export.get_refusal_display())
        return _("Read from the database itself: %(reason)s") % {"reason": reason}
    return _("Read from the standby") if export.source else ""


def _kind_of(path: Path) -> str:
    """What a file is, for a link beside others of the same report and days."""
    names = {"manifest.json": _("Signed list"), "manifest.sig": _("Signature")}
    return names.get(path.name) or path.suffix.removeprefix(".").upper()


def export_or_404(request: HttpRequest, number: int) -> ReportExport:
    """One that may be seen; of reports that the person's role opens."""
    rows = ReportExport.objects.select_related("casino", "person")
    export = get_object_or_404(rows, pk=number, casino__in=Casino.objects.all())
    for code in export.codes:
        definition_or_404(request, code)
    return export


@require_POST
@opens_for("export_reports")
def export_cancel(request: HttpRequest, number: int) -> HttpResponse:
    """No more of it."""
    try:
        export = export_or_404(request, number)
        service.cancel(export, request.user)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        detail = f"{export.name} #{export.pk}"
        note(request, What.EXPORT_CANCELLED, request.user.get_username(), detail)
    return redirect("exports")


@require_POST
@opens_for("export_reports")
def export_again(request: HttpRequest, number: int) -> HttpResponse:
    """The same report, as of now."""
    try:
        export = export_or_404(request, number)
        again = service.again(export, request.user, key_of(request))
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        detail = f"{again.name} #{again.pk}, again after #{export.pk}"
        note(request, What.EXPORTED, request.user.get_username(), detail)
    return redirect("exports")


@require_safe
@opens_for("export_reports")
def export_download(request: HttpRequest, number: int, place: int) -> Export:
    """One of its files; who took it stands in the security log."""
    export = export_or_404(request, number)
    files = service.files_of(export)
    if place >= len(files):
        raise Http404(_("This file is not there any more: begin the export again."))
    path = files[place]
    note(request, What.EXPORTED, request.user.get_username(), f"#{export.pk} {path.name}")
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Export(path.open("rb"), as_attachment=True, filename=path.name, content_type=kind)


@require_safe
@opens_for("export_reports")
def export_archive(request: HttpRequest, number: int) -> Export:
    """All its files as one ZIP with the manifest."""
    export = export_or_404(request, number)
    if not service.files_of(export):
        raise Http404(_("Not all files are there: make them again, or wait until all are ready."))
    days = Filters.from_json(export.casino, export.filters).days.slug
    name = (
        f"{export.name}-{days}.zip" if export.of_return else f"{export.name}-{export.pk}-{days}.zip"
    )
    note(request, What.EXPORTED, request.user.get_username(), f"#{export.pk} {name}")
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it
    service.write_archive(export, file)
    file.seek(0)
    return Export(file, as_attachment=True, filename=name, content_type="application/zip")
