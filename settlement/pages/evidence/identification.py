"""Who the players of a claim are: a page of its own, and a look at it is an action."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from settlement.claims.lookup import claim_named
from settlement.claims.services import hit_of
from settlement.core.errors import NotPermitted, RuleBroken
from settlement.core.gaming_day import today
from settlement.evidence import identification as services
from settlement.exclusions import stops as exclusions
from settlement.jurisdiction.persons_day import paid_so_far
from settlement.models import Claim
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.claims.panels.workbench.forms import IdentifyForm, LookForm
from settlement.pages.shared.decorators import opens_for
from settlement.people.rights import staff_play


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@opens_for("view_claim")
def identification(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """Who was identified and who looked; a POST records a player, or shows who they are."""
    claim, user = claim_named(request.method, system, number), request.user
    may_add = user.has_perm("settlement.add_identification")
    may_look = user.has_perm("settlement.view_identification")
    if not (may_add or may_look):
        raise PermissionDenied(
            _("Your role does not allow this: ask a colleague who may see identifications.")
        )
    if request.method != "POST":
        return _page(request, claim)
    try:
        return _look(request, claim) if request.POST.get("do") == "look" else _add(request, claim)
    except NotPermitted as error:
        raise PermissionDenied(str(error)) from error


@sensitive_variables()
def _look(request: HttpRequest, claim: Claim) -> HttpResponse:
    form = LookForm(request.POST)
    if not form.is_valid():
        return _page(request, claim, REFUSED, look_form=form)
    players = services.look(claim, request.user, form.cleaned_data["purpose"])
    return _page(request, claim, players=players, looked=True)


@sensitive_variables()
def _add(request: HttpRequest, claim: Claim) -> HttpResponse:
    form = IdentifyForm(request.POST)
    if form.is_valid():
        values = {**form.cleaned_data}
        key = values.pop("key")
        try:
            services.identify(claim, request.user, services.PlayerIdentity(**values), key=key)
        except RuleBroken as error:
            if isinstance(error, NotPermitted):
                raise
            form.add_error(None, refusal_text(error))
            form.renew_key()
        else:
            seat = form.cleaned_data["seat"]
            messages.success(request, _("The player of seat %(seat)s is saved.") % {"seat": seat})
            if exclusions.of_claim(claim).get(seat):
                messages.error(request, exclusions.stopped_in_words(seat))
            return redirect(request.path)
    return _page(request, claim, REFUSED, identify_form=form)


def _page(request: HttpRequest, claim: Claim, status: int = 200, **more: Any) -> HttpResponse:
    user = request.user
    may_add = user.has_perm("settlement.add_identification")
    own = staff_play.is_dealt_in(claim, user)
    identified = services.recorded(claim)
    seats, casino = {each.seat for each in identified}, claim.system.casino
    context = {
        "claim": claim,
        "system": claim.system,
        "casino": casino,
        "hit": hit_of(claim),
        "identified": identified,
        "has_persons": bool(identified) or claim.sharers.exists(),
        "paid_today": paid_so_far(claim, seats, today(casino)).values() if seats else (),
        "looks": services.looks(claim),
        "identify_form": IdentifyForm() if may_add and not own else None,
        "look_form": LookForm() if user.has_perm("settlement.view_identification") else None,
        **more,
    }
    return render(request, "console/evidence/identification.html", context, status=status)
