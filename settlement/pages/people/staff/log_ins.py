"""Who is logged in now: an administrator sees it, and ends a log-in at once."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.facets import context_of, facet_of, has_words, text_of
from settlement.people.log_ins import open_sessions
from settlement.people.log_ins.open_sessions import OpenSession
from settlement.people.rights.permissions import name_of
from settlement.people.staff import persons


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(persons.MAY)
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
    context = {
        "rows": rows,
        "count": len(sessions),
        "me": request.user.pk,
        **context_of(request, of_person),
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
