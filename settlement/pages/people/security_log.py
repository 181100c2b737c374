"""The security log as people read it; the answer to an action that is refused goes into it."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import defaults
from django.views.decorators.http import require_safe

from settlement.core.report_query import Report
from settlement.pages.payments.register import Rows
from settlement.pages.shared.choices import (
    casino_or_404,
    choice_of,
    days_of,
    query_without,
    shortcuts,
)
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.exports import Export, as_csv
from settlement.people import security_log as log
from settlement.people.permissions import name_of
from tables.models import Casino

ROWS = 100


@require_safe
@opens_for("view_accessnote")
def security_log(request: HttpRequest) -> HttpResponse:
    """What happened at the doors: by person, kind and gaming day, the newest first."""
    casino = casino_or_404(request)
    report, kind, whose, people = _asked_for(request, casino)
    days = days_of(request)
    page: Page[dict[str, Any]] = Paginator(Rows(report), ROWS).get_page(request.GET.get("page"))
    context = {
        "casino": casino,
        "page": page,
        "days": days,
        "shortcuts": shortcuts(request, casino),
        "kinds": sorted(log.WORDS.items(), key=lambda item: item[1]),
        "kind": kind,
        "people": people,
        "whose": whose,
        "is_filtered": bool(kind or whose or days.first or days.last),
        "query": query_without(request, "page"),
    }
    return render(request, "console/people/security_log.html", context)


@require_safe
@opens_for("view_accessnote")
def security_log_csv(request: HttpRequest) -> Export:
    """The same filter, all of it."""
    report, *_ = _asked_for(request, casino_or_404(request))
    return as_csv(request, report)


def _asked_for(
    request: HttpRequest, casino: Casino
) -> tuple[Report, str, str, list[tuple[str, str]]]:
    people = [(user.get_username(), name_of(user)) for user in log.people_seen()]
    kind = choice_of(request, "kind", log.WORDS)
    whose = choice_of(request, "person", dict(people))
    return log.security_log(casino, days_of(request), kind, whose), kind, whose, people


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """In place of Django's page for what a role does not allow."""
    log.note_refusal(request, str(exception))
    return defaults.permission_denied(request, exception)
