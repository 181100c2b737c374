"""Every change of set-up with before and after; and who may do what."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.auth.models import Group
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from settlement.pages.shared.choices import choice_of, days_of, query_without
from settlement.pages.shared.decorators import opens_for
from settlement.people import persons
from settlement.people.permissions import name_of
from settlement.set_up import change_log, who_may
from tables.models import Casino

ROWS = 100


@require_safe
@opens_for("view_set_up")
def changes(request: HttpRequest) -> HttpResponse:
    """By kind, person and gaming day, the newest first."""
    casino = Casino.objects.order_by("pk").first()
    days = days_of(request)
    kind = choice_of(request, "kind", change_log.KINDS)
    people = [(each.person.get_username(), name_of(each.person)) for each in persons.people()]
    by = choice_of(request, "person", dict(people))
    first: dt.datetime | None = days.start(casino) if casino else None
    last: dt.datetime | None = days.end(casino) if casino else None
    paginator = Paginator(change_log.changes(kind, by, first, last), ROWS)
    role_names = dict(Group.objects.values_list("pk", "name"))
    page: Page[Any] = paginator.get_page(request.GET.get("page"))
    context = {
        "zone_of": casino,
        "page": page,
        "rows": [
            {
                "change": each,
                "kind": change_log.KINDS.get(each.kind, each.kind),
                "what": change_log.WHAT.get(each.what, each.what),
                "fields": change_log.fields_of(each, role_names),
            }
            for each in page.object_list
        ],
        "days": days,
        "kinds": sorted(change_log.KINDS.items(), key=lambda item: item[1]),
        "kind": kind,
        "people": people,
        "whose": by,
        "is_filtered": bool(kind or by or days.first or days.last),
        "query": query_without(request, "page"),
    }
    return render(request, "console/set_up/changes.html", context)


@require_safe
@opens_for("view_set_up")
def who_may_what(request: HttpRequest) -> HttpResponse:
    """Each permission, and the roles that have it."""
    context = {"roles": who_may.role_names(), "rows": who_may.permission_rows()}
    return render(request, "console/set_up/who_may.html", context)
