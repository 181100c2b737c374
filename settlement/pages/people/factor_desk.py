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
from settlement.people.factors import demand, factor_resets, second_factor
from settlement.people.factors.reauthentication import reauthenticate
from settlement.people.rights.permissions import name_of
from settlement.people.rights.role_holders import names_held
from settlement.people.rights.roles import PROGRAM, ROLE_NAMES
from settlement.people.shared.security_log import note_refusal, people_seen
from settlement.set_up import proposals


@require_safe
@opens_for(second_factor.RESETS, demand.SETS)
def second_factors(request: HttpRequest) -> HttpResponse:
    """Who has one, and which roles need one."""
    needed, proposed = demand.by_role(), demand.proposed()
    context = {
        "people": _people(needed, request.user),
        "roles": [
            (role, ROLE_NAMES.get(role, role), needs, role in proposed)
            for role, needs in needed.items()
            if role != PROGRAM  # which comes by tokens alone
        ],
        "is_demanded": settings.SECOND_FACTOR_DEMANDED,
        "may_set": demand.may_set(request.user),
    }
    return render(request, "console/people/second_factors.html", context)


def _people(needed: Mapping[str, bool], reader: Any) -> list[dict[str, Any]]:
    may_reset = factor_resets.may_propose(reader)
    proposed = proposals.resets_proposed()
    holds = Count("second_factors", filter=Q(second_factors__ended_at=None), distinct=True)
    waits = Q(enrolment_codes__used_at=None, enrolment_codes__ended_at=None)
    codes = Count("enrolment_codes", filter=waits, distinct=True)
    annotated = people_seen().filter(is_active=True, program=None)
    persons = list(annotated.annotate(factor_count=holds, code_count=codes))
    roles = names_held(person.pk for person in persons)
    return [
        {
            "person": person,
            "name": name_of(person),
            "roles": [ROLE_NAMES.get(role, role) for role in roles.get(person.pk, ())],
            "count": person.factor_count,
            "is_proposed": person.pk in proposed,
            "waits": person.code_count > 0,
            "may_reset": (person.factor_count or person.code_count) and person.pk in may_reset,
            "is_needed": demand.one_needs(roles.get(person.pk, ()), needed),
        }
        for person in persons
    ]


@sensitive_post_parameters()
@require_POST
@opens_for(second_factor.RESETS)
def factor_reset(request: HttpRequest, number: int) -> HttpResponse:
    """Propose to end all of another person's: nothing happens before a second person agrees."""
    person = get_object_or_404(people_seen().filter(program=None), pk=number)
    try:
        by = reauthenticate(request, request.POST.get("password", ""))
        factor_resets.propose(by, person)
    except RuleBroken as refusal:
        _say(request, refusal)
    else:
        text = _(
            "Proposed: the second factors of %(name)s end when somebody else approves it, who then"
            " hands over the code for the next device."
        )
        messages.success(request, text % {"name": name_of(person)})
    return redirect("second-factors")


@sensitive_post_parameters()
@require_POST
@opens_for(demand.SETS)
def factor_demand(request: HttpRequest) -> HttpResponse:
    """Which roles need one from now on: those ticked, of those that the page showed. That one
    needs none any more is proposed."""
    post = request.POST
    states = dict.fromkeys(post.getlist("free"), False)
    states.update(dict.fromkeys(post.getlist("needed"), True))
    try:
        by = reauthenticate(request, request.POST.get("password", ""))
        changes = demand.change(by, states, post.getlist("role"))
    except RuleBroken as refusal:
        _say(request, refusal)
    else:
        if changes.saved or not changes.proposed:
            messages.success(request, _("Saved.") if changes.saved else _("Nothing was changed."))
        if changes.proposed:
            messages.success(
                request,
                _("Proposed: a role needs its second factor until somebody else approves it."),
            )
    return redirect("second-factors")


def _say(request: HttpRequest, refusal: RuleBroken) -> None:
    if isinstance(refusal, (NotPermitted, SamePerson)):
        note_refusal(request, str(refusal))
    messages.error(request, str(refusal))
