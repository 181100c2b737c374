"""Who is logged in now: an administrator sees it, and ends a log-in at once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.facets import context_of, facet_of, has_words, text_of
from settlement.pages.shared.lists.order import Column, Sort, order_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.pages.shared.lists.saved_views import has_views
from settlement.people.log_ins import open_sessions
from settlement.people.log_ins.open_sessions import OpenSession
from settlement.people.rights.permissions import name_of
from settlement.people.staff import persons

SORTS = (
    Sort("seen", gettext_noop("Last seen"), (Column("seen", dt.datetime),)),
    Sort("since", gettext_noop("Since"), (Column("since", dt.datetime),)),
    Sort("name", gettext_noop("Name"), (Column("name", str),), starts_down=False),
    Sort("device", gettext_noop("Device"), (Column("device", str),), starts_down=False),
    Sort("address", gettext_noop("Address"), (Column("address", str),), starts_down=False),
)
_UNKNOWN = dt.datetime.min.replace(tzinfo=dt.UTC)  # of before it was kept
_KEYS: Mapping[str, Callable[[OpenSession], Any]] = {
    "seen": lambda row: row.seen_at or _UNKNOWN,
    "since": lambda row: row.began_at or _UNKNOWN,
    "name": lambda row: name_of(row.person).casefold(),
    "device": lambda row: row.device.casefold(),
    "address": lambda row: row.address,
}


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(persons.MAY)
@has_views("log-ins")
def log_ins(request: HttpRequest) -> HttpResponse:
    """The list, also of one person; a POST ends the log-in that it names."""
    if request.method == "POST":
        return _end(request)
    sessions = open_sessions.of_everybody(request.user)
    people = {each.person.get_username(): name_of(each.person) for each in sessions}
    of_person = facet_of(
        request, "person", _("Person"), sorted(people.items(), key=lambda one: one[1].casefold())
    )
    rows = [
        each
        for each in sessions
        if of_person.chosen in ("", each.person.get_username())
        and has_words(text_of(request), *_words_of(each))
    ]
    order = order_of(request, SORTS)
    context = {
        "rows": sorted(rows, key=_KEYS[order.sort.code], reverse=order.is_down),
        "count": len(sessions),
        "me": request.user.pk,
        **context_of(request, of_person),
        **order_context(request, SORTS, order),
        **views_context(request, "log-ins"),
    }
    return render(request, "console/people/log_ins.html", context)


def _words_of(session: OpenSession) -> tuple[str, ...]:
    person = session.person
    return name_of(person), person.get_username(), session.device, session.address, session.way


def _end(request: HttpRequest) -> HttpResponse:
    person: Any = persons.person_of(request.POST.get("person", ""))
    if person is None:
        raise Http404
    try:
        count = open_sessions.end(request.user, person, request.POST.get("session", ""))
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        words = ngettext("%(count)s log-in has ended.", "%(count)s log-ins have ended.", count)
        messages.success(request, words % {"count": count})
    return redirect(request.get_full_path())
