"""Reports that are made at each close: which there are, a new one, an end."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from settlement.core.errors import RuleBroken
from settlement.models import ReportSchedule
from settlement.pages.claims.actions import refusal_text
from settlement.pages.reports.views import choices
from settlement.pages.shared.choices import casino_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.reports import exports
from settlement.reports import schedules as service
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import CODES, Filters, chosen
from settlement.reports.delivery import has_folders
from tables.models import Casino


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("export_reports")
def schedules(request: HttpRequest) -> HttpResponse:
    """Those that run, and a form for one more."""
    casino = casino_or_404(request)
    if request.method == "POST":
        _add(request, casino)
        return redirect("schedules")
    return render(
        request,
        "console/reports/schedules.html",
        {
            "casino": casino,
            "systems": casino.systems.order_by("name"),
            "schedules": [
                {
                    "schedule": each,
                    "title": _(reports()[each.report].title),
                    "moment": _(each.get_moment_display()),
                    "filters": chosen(Filters.from_codes(casino, each.filters)),
                }
                for each in service.of_casino(casino)
            ],
            "choices": choices(CODES, Filters.from_codes(casino, {})),
            "reports": [(each.code, _(each.title)) for each in reports().values()],
            "moments": [(code, _(words)) for code, words in ReportSchedule.Moment.choices],
            "formats": exports.formats(),
            "has_folders": has_folders(),
        },
    )


def _add(request: HttpRequest, casino: Casino) -> None:
    definition = reports().get(request.POST.get("report", ""))
    moment = request.POST.get("moment", "")
    if definition is None or moment not in ReportSchedule.Moment.values:
        messages.error(request, _("Choose a report and when it is made."))
        return
    filters = Filters.from_codes(casino, {name: request.POST.get(name, "") for name in CODES})
    plan = service.Plan(
        moment,
        request.POST.getlist("format"),
        request.POST.get("mail", "")[:500],
        request.POST.get("folder", "")[:100],
    )
    try:
        service.add(definition, filters, plan, request.user)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    except ValidationError:
        messages.error(request, _("One of the addresses is not a mail address: correct it."))
    else:
        messages.success(request, _("It is made from the next close on."))


@require_POST
@opens_for("export_reports")
def schedule_end(request: HttpRequest, number: int) -> HttpResponse:
    """No more of it."""
    schedule = get_object_or_404(ReportSchedule, pk=number, casino__in=Casino.objects.all())
    service.end(schedule, request.user)
    messages.success(request, _("Ended: nothing more is made."))
    return redirect("schedules")
