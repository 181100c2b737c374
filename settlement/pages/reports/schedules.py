"""Reports that are made at each close: which there are, a new one, an end."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from settlement.core.errors import RuleBroken, WrongState
from settlement.core.gaming_day import today
from settlement.jurisdiction.returns import layouts_on
from settlement.jurisdiction.rules import PackError
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

RETURN = "return: "  # before its title, in a form


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("export_reports")
def schedules(request: HttpRequest) -> HttpResponse:
    """Those that wait for approval or run, and a form for one more."""
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
                    "title": _(each.of_return or reports()[each.report].title),
                    "moment": _(each.get_moment_display()),
                    "filters": chosen(Filters.from_codes(casino, each.filters)),
                }
                for each in [*service.waiting(casino), *service.of_casino(casino)]
            ],
            "choices": choices(CODES, Filters.from_codes(casino, {})),
            "reports": [(each.code, _(each.title)) for each in reports().values()],
            "returns": _returns(casino),
            "moments": [(code, _(words)) for code, words in ReportSchedule.Moment.choices],
            "formats": exports.formats(),
            "has_folders": has_folders(),
        },
    )


def _returns(casino: Casino) -> list[tuple[str, str, str]]:
    """Of each return that the rules ask for today: what a form names it by, title and period."""
    moments = dict(ReportSchedule.Moment.choices)
    try:
        rules = layouts_on(casino, today(casino))
    except PackError:  # the page of the jurisdiction pack says so, and an alarm
        return []
    return [
        (f"{RETURN}{each.title}", _(each.title), _(moments[each.period]))
        for each in rules
        if each.period is not None
    ]


def _add(request: HttpRequest, casino: Casino) -> None:
    name, moment = request.POST.get("report", ""), request.POST.get("moment", "")
    definition = reports().get(name)
    is_report = definition is not None and moment in ReportSchedule.Moment.values
    if not is_report and not name.startswith(RETURN):
        messages.error(request, _("Choose a report and when it is made."))
        return
    plan = service.Plan(
        moment,
        request.POST.getlist("format"),
        request.POST.get("mail", "")[:500],
        request.POST.get("folder", "")[:100],
    )
    filters = Filters.from_codes(casino, {name: request.POST.get(name, "") for name in CODES})
    try:
        if definition is not None:
            schedule = service.add(definition, filters, plan, request.user)
        elif any(filters.codes.values()):
            raise WrongState(_("A return is of the whole casino: leave its filters at “All”."))
        else:
            schedule = service.add_return(casino, name.removeprefix(RETURN), plan, request.user)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    except ValidationError:
        messages.error(request, _("One of the addresses is not a mail address: correct it."))
    else:
        text = _(
            "It waits for approval, as an address is of nobody here who may export reports: nothing"
            " is made or sent until somebody else approves it in the rules of the house."
        )
        messages.success(request, _("It is made from the next close on.") if schedule else text)


@require_POST
@opens_for("export_reports")
def schedule_end(request: HttpRequest, number: int) -> HttpResponse:
    """No more of it."""
    schedule = get_object_or_404(ReportSchedule, pk=number, casino__in=Casino.objects.all())
    service.end(schedule, request.user)
    messages.success(request, _("Ended: nothing more is made."))
    return redirect("schedules")
