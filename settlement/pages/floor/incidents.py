"""Incidents on the floor: the list, entering one, resolving it."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from settlement.core.errors import RuleBroken
from settlement.core.gaming_day import today
from settlement.floor import incidents as service
from settlement.models import Incident
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.floor.ruling_forms import IncidentForm
from settlement.pages.shared.decorators import opens_for
from settlement.people.rights.permissions import name_of
from settlement.terms.local_rules import Statement, failures_of_the_place
from tables.models import Casino, GamingTable

ROWS = 40


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_claim")
def incidents(request: HttpRequest) -> HttpResponse:
    """Open incidents first; who may enters another."""
    may_report = request.user.has_perm("settlement.report_incident")
    tables = list(GamingTable.objects.select_related("system__casino").order_by("system", "pk"))
    form = IncidentForm(request.POST if request.method == "POST" else None, tables=tables)
    if form.is_valid():
        values = form.cleaned_data
        try:
            service.report(
                form.system,
                request.user,
                service.IncidentReport(
                    kind=values["kind"],
                    note=values["note"],
                    happened_at=form.instant(form.system.casino),
                    table=form.table,
                ),
                key=values["key"],
            )
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
            form.renew_key()
        else:
            messages.success(request, _("Entered. It stays open until somebody resolves it."))
            return redirect("incidents")
    past = Paginator(service.incidents().exclude(end=None), ROWS).get_page(request.GET.get("page"))
    context = {
        "places": _failures(),
        "form": form,
        "tables": tables,
        "open": [_row(incident) for incident in service.open_incidents()],
        "done": [_row(incident) for incident in past],
        "page": past,
        "may_report": may_report,
        "may_resolve": request.user.has_perm("settlement.resolve_incident"),
        "longest_note": service.LONGEST_NOTE,
        "now": timezone.now(),
    }
    return render(
        request, "console/floor/incidents.html", context, status=REFUSED if form.is_bound else 200
    )


@require_POST
@opens_for("resolve_incident")
def incident_resolve(request: HttpRequest, number: int) -> HttpResponse:
    """How it was resolved; it is resolved once."""
    incident = get_object_or_404(Incident, pk=number)
    try:
        service.resolve(incident, request.user, request.POST.get("note", ""))
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Resolved."))
    return redirect("incidents")


def _failures() -> list[tuple[Casino, list[Statement]]]:
    """By casino what the rules of its place say of failures; silent places are left out."""
    places = [
        (casino, failures_of_the_place(casino, today(casino)))
        for casino in Casino.objects.order_by("name")
    ]
    return [(casino, failures) for casino, failures in places if failures]


def _row(incident: Incident) -> dict[str, object]:
    end = getattr(incident, "end", None)
    return {
        "row": incident,
        "who": name_of(incident.person) if incident.person else "",
        "end": end,
        "by": name_of(end.person) if end else "",
        "casino": incident.system.casino,
    }
