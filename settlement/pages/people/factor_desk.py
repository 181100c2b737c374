"""Second factors of others: who has one, their reset, and which roles need one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from settlement.core.errors import NotPermitted, RuleBroken, SamePerson
from settlement.pages.shared.decorators import opens_for
from settlement.people import demand, second_factor
from settlement.people.permissions import name_of
from settlement.people.reauthentication import reauthenticate
from settlement.people.roles import ROLE_NAMES, held
from settlement.people.security_log import note_refusal, people_seen


@require_safe
@opens_for(second_factor.RESETS, demand.SETS)
def second_factors(request: HttpRequest) -> HttpResponse:
    """Who has one, and which roles need one."""
    needed = demand.by_role()
    context = {
        "people": _people(needed, request.user),
        "roles": [(role, ROLE_NAMES.get(role, role), needs) for role, needs in needed.items()],
        "is_demanded": settings.SECOND_FACTOR_DEMANDED,
        "may_set": demand.may_set(request.user),
    }
    return render(request, "console/people/second_factors.html", context)


def _people(needed: Mapping[str, bool], reader: Any) -> list[dict[str, Any]]:
    reset_by_reader = second_factor.reset_by(reader) - {reader.pk}
    holds = Count("second_factors", filter=Q(second_factors__ended_at=None))
    return [
        {
            "person": person,
            "name": name_of(person),
            "roles": [ROLE_NAMES.get(role, role) for role in held(person).names],
            "count": person.factor_count,
            "may_reset": person.factor_count and person.pk in reset_by_reader,
            "is_needed": demand.one_needs(held(person).names, needed),
        }
        for person in people_seen().filter(is_active=True).annotate(factor_count=holds)
    ]


@sensitive_post_parameters()
@require_POST
@opens_for(second_factor.RESETS)
def factor_reset(request: HttpRequest, number: int) -> HttpResponse:
    """End all of another person's: they add a new one at the next log-in."""
    person = get_object_or_404(people_seen(), pk=number)
    try:
        by = reauthenticate(request, request.POST.get("password", ""))
        second_factor.reset(by, person)
    except RuleBroken as refusal:
        _say(request, refusal)
    else:
        text = _("The second factors of %(name)s have ended, and so have their log-ins.")
        messages.success(request, text % {"name": name_of(person)})
    return redirect("second-factors")


@sensitive_post_parameters()
@require_POST
@opens_for(demand.SETS)
def factor_demand(request: HttpRequest) -> HttpResponse:
    """Which roles need one from now on: those ticked, of those that the page showed."""
    post = request.POST
    shown = dict.fromkeys(post.getlist("free"), False)
    shown.update(dict.fromkeys(post.getlist("needed"), True))
    try:
        by = reauthenticate(request, request.POST.get("password", ""))
        changed = demand.change(by, shown, post.getlist("role"))
    except RuleBroken as refusal:
        _say(request, refusal)
    else:
        messages.success(request, _("Saved.") if changed else _("Nothing was changed."))
    return redirect("second-factors")


def _say(request: HttpRequest, refusal: RuleBroken) -> None:
    if isinstance(refusal, (NotPermitted, SamePerson)):
        note_refusal(request, str(refusal))
    messages.error(request, str(refusal))
