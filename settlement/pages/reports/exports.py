"""Reports as files: ask, see how far they are, cancel, take away, once more."""

from __future__ import annotations

import mimetypes
import tempfile
import uuid
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST, require_safe

from settlement.core.errors import RuleBroken
from settlement.core.gaming_day import today
from settlement.jurisdiction.returns import returns_of
from settlement.models import ReportExport
from settlement.pages.claims.actions import refusal_text
from settlement.pages.reports.views import definition_or_404, filters_of
from settlement.pages.shared.choices import casino_or_404, days_of
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.exports import IN_MEMORY, Export
from settlement.pages.shared.lists.cursor import page_of_rows
from settlement.pages.shared.lists.facets import Facet, facet_of, person_facet
from settlement.pages.shared.lists.facets import context_of as facets_context
from settlement.pages.shared.lists.narrowing import within
from settlement.pages.shared.lists.order import Column, Sort, order_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.pages.shared.lists.saved_views import has_views
from settlement.people.preferences.saved_views import USUAL
from settlement.people.shared.security_log import What, note
from settlement.reports import exports as service
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters, particulars
from tables.models import Casino

MOST_SHOWN = 100  # on a page
RETURNS = "returns"  # instead of one report
_ID = Column("id", int)
SORTS = (
    Sort("number", gettext_noop("Number"), (_ID,)),
    Sort(
        "report",
        gettext_noop("Report"),
        (Column("report", str), Column("of_return", str), _ID),
        starts_down=False,
    ),
    Sort(
        "person", gettext_noop("Person"), (Column("person__username", str), _ID), starts_down=False
    ),
    Sort("state", gettext_noop("State"), (Column("state", str), _ID), starts_down=False),
)
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
    return _all_files()


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
    return _all_files()


def _all_files() -> HttpResponse:
    """The list with what was just asked for, whichever view a person keeps."""
    return redirect(f"{reverse('exports')}?{USUAL}")


@require_safe
@opens_for("export_reports")
@has_views("exports")
def exports(request: HttpRequest) -> HttpResponse:
    """Exports of the casinos that one sees, newest first, with their progress."""
    casinos = list(Casino.objects.order_by("pk"))
    facets, days = _facets(request, casinos), days_of(request)
    rows = within(_chosen(facets), "at", days, casinos, "casino")
    order = order_of(request, SORTS)
    page = page_of_rows(request, rows, order.columns, MOST_SHOWN)
    return render(
        request,
        "console/reports/exports.html",
        {
            "exports": [_row_of(each) for each in page.rows],
            "page": page,
            "is_moving": any(each.state in _MOVING for each in page.rows),
            **facets_context(request, *facets, days=days, has_text=False),
            **order_context(request, SORTS, order),
            **views_context(request, "exports"),
        },
    )


def _facets(request: HttpRequest, casinos: list[Casino]) -> tuple[Facet, ...]:
    who = ReportExport.objects.filter(casino__in=casinos).order_by().values("person")
    titles = [(code, _(each.title)) for code, each in reports().items()]
    states = [(code, _(label)) for code, label in ReportExport.State.choices]
    return (
        facet_of(request, "casino", _("Casino"), [(each.code, each.name) for each in casinos]),
        facet_of(request, "report", _("Report"), [*titles, (RETURNS, _("Returns"))]),
        facet_of(request, "state", _("State"), states),
        person_facet(request, _("Person"), who),
    )


def _chosen(facets: tuple[Facet, ...]) -> QuerySet[ReportExport]:
    """Those that the address asks for; a return has no report of its own."""
    rows = ReportExport.objects.filter(casino__in=Casino.objects.all())
    casino, report, state, person = (facet.chosen for facet in facets)
    names = {"casino__code": casino, "state": state, "person__username": person}
    names["report"] = "" if report == RETURNS else report
    rows = rows.filter(**{name: chosen for name, chosen in names.items() if chosen})
    if report == RETURNS:
        rows = rows.exclude(of_return="")
    return rows.select_related("casino", "person", "schedule")


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
    return _all_files()


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
