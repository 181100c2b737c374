"""Incidents on the floor: the list, entering one, resolving it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce, Concat
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST

from settlement.core.errors import RuleBroken
from settlement.core.gaming_day import today
from settlement.floor import incidents as service
from settlement.models import Incident
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.floor.place_facets import at_place, place_facets
from settlement.pages.floor.ruling_forms import IncidentForm
from settlement.pages.shared.choices import days_of
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.cursor import page_of_rows
from settlement.pages.shared.lists.facets import Facet, facet_of, person_facet, text_of
from settlement.pages.shared.lists.facets import context_of as facets_context
from settlement.pages.shared.lists.narrowing import within
from settlement.pages.shared.lists.order import Column, Sort, order_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.pages.shared.lists.saved_views import has_views
from settlement.people.preferences.saved_views import USUAL
from settlement.people.rights.permissions import name_of
from settlement.terms.local_rules import Statement, failures_of_the_place
from tables.models import Casino, GamingTable

ROWS = 40
_LAST = (Column("happened_at", dt.datetime), Column("id", int))
SORTS = (
    Sort("happened", gettext_noop("When"), _LAST),
    Sort("kind", gettext_noop("What"), (Column("kind", str), *_LAST), starts_down=False),
    Sort("where", gettext_noop("Where"), (Column("where", str), *_LAST), starts_down=False),
    Sort("resolved", gettext_noop("Resolved"), (Column("end__at", dt.datetime), _LAST[1])),
)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_claim")
@has_views("incidents")
def incidents(request: HttpRequest) -> HttpResponse:
    """Open incidents first, of which none is left out; who may enters another."""
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
            return redirect(f"{reverse('incidents')}?{USUAL}")  # where it is seen
    context = {
        **_chosen_rows(request, tables),
        "form": form,
        "tables": tables,
        "may_report": may_report,
        "may_resolve": request.user.has_perm("settlement.resolve_incident"),
        "longest_note": service.LONGEST_NOTE,
        "now": timezone.now(),
    }
    return render(
        request, "console/floor/incidents.html", context, status=REFUSED if form.is_bound else 200
    )


def _chosen_rows(request: HttpRequest, tables: list[GamingTable]) -> dict[str, Any]:
    """Every open incident, the resolved ones that the address asks for, and what the places say."""
    casinos = list(Casino.objects.order_by("name"))
    facets, days = _facets(request, tables), days_of(request)
    order = order_of(request, SORTS)
    resolved = service.incidents().exclude(end=None)
    chosen = _chosen(resolved, facets, text_of(request))
    past = page_of_rows(request, within(chosen, "happened_at", days, casinos), order.columns, ROWS)
    return {
        **facets_context(request, *facets, days=days),
        **order_context(request, SORTS, order),
        **views_context(request, "incidents"),
        "places": _failures(casinos),
        "open": [_row(incident) for incident in service.open_incidents()],
        "done": [_row(incident) for incident in past.rows],
        "page": past,
    }


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


def _facets(request: HttpRequest, tables: list[GamingTable]) -> tuple[Facet, ...]:
    kinds = [(code, str(label)) for code, label in Incident.Kind.choices]
    every = Incident.objects.order_by()
    who = (every.values("person"), every.values("end__person"))  # who entered or resolved one
    return (
        facet_of(request, "kind", _("Kind"), kinds),
        *place_facets(request, tables),
        person_facet(request, _("Person"), *who),
    )


def _chosen(rows: QuerySet[Incident], facets: tuple[Facet, ...], text: str) -> QuerySet[Any]:
    """Those that the address asks for; words are looked for in both notes."""
    kind, system, table, person = facets
    rows = at_place(rows, system, table)
    if kind:
        rows = rows.filter(kind=kind.chosen)
    if person:
        by = person.chosen
        rows = rows.filter(Q(person__username=by) | Q(end__person__username=by))
    for word in text.split():
        rows = rows.filter(Q(note__icontains=word) | Q(end__note__icontains=word))
    table_name = Coalesce("table__name", Value(""))
    return rows.annotate(where=Concat("system__name", Value(" "), table_name))


def _failures(casinos: list[Casino]) -> list[tuple[Casino, list[Statement]]]:
    """By casino what the rules of its place say of failures; silent places are left out."""
    places = [(casino, failures_of_the_place(casino, today(casino))) for casino in casinos]
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
