"""Shared tablets: the change of person at one, and their list."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from jackpot.web.rehearsal_address import outside
from settlement.core.errors import RuleBroken
from settlement.models import SharedTablet
from settlement.models.access import ConsoleSession
from settlement.pages.claims.actions import refusal_text
from settlement.pages.people.staff.people import DOES, SEES
from settlement.pages.shared.decorators import opens_for
from settlement.people.factors.reauthentication import reauthenticate
from settlement.people.rights.permissions import name_of
from settlement.people.sessions import screen_lock, tablets
from settlement.people.sessions.screen_lock import Outcome
from tables.models import Casino

_WRONG = 422


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tablet(request: HttpRequest) -> HttpResponse:
    """Badge and PIN, at a shared tablet; elsewhere the log-in."""
    here = tablets.here(request)
    if here is None:
        return redirect("login")
    is_wrong = False
    if request.method == "POST":
        badge, pin = request.POST.get("badge", ""), request.POST.get("pin", "")
        if tablets.come_back(request, badge, pin) == Outcome.OPEN:
            return redirect(outside(reverse("home")))
        is_wrong = True
    context = {"tablet": here, "is_wrong": is_wrong}
    return render(
        request, "console/people/tablet.html", context, status=_WRONG if is_wrong else 200
    )


@require_POST
@login_required
def tablet_leave(request: HttpRequest) -> HttpResponse:
    """The person goes, and the log-in stays locked; elsewhere than at a tablet it only locks."""
    if tablets.here(request) is None:
        screen_lock.lock(request)
        return redirect("locked")
    tablets.stand_up(request)
    return redirect(outside(reverse("tablet")))  # whoever comes next begins outside


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(SEES)
def shared_tablets(request: HttpRequest) -> HttpResponse:
    """The list; a POST makes this browser one."""
    if request.method == "POST":
        casino = get_object_or_404(Casino, code=request.POST.get("casino", ""))
        try:
            by = reauthenticate(request, request.POST.get("password", ""))
            secret = tablets.add(by, casino, request.POST.get("name", ""))
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
            return redirect("tablets")
        messages.success(
            request, _("This browser is a shared tablet now. Log out, so that people log in here.")
        )
        answer = redirect("tablets")
        tablets.remember(answer, secret)
        return answer
    user = cast(Any, request.user)
    context = {
        "rows": _rows(),
        "here": tablets.here(request),
        "casinos": list(Casino.objects.order_by("name", "pk")),
        "may_act": user.has_perm(f"settlement.{DOES}"),
    }
    return render(request, "console/people/tablets.html", context)


@require_POST
@opens_for(DOES)
def tablet_end(request: HttpRequest, number: int) -> HttpResponse:
    """Revoke one: log-ins there end at once."""
    row = get_object_or_404(SharedTablet, pk=number)
    try:
        tablets.end(request.user, row)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Revoked: every log-in there has ended."))
    return redirect("tablets")


def _rows() -> list[dict[str, Any]]:
    """Tablets that hold, with who logged in there: open first."""
    people: dict[int, list[str]] = {}
    rows = ConsoleSession.objects.filter(tablet__ended_at=None).exclude(tablet=None)
    for session in rows.select_related("person").defer("session_data").order_by("locked_at"):
        name = name_of(session.person)
        words = _("%(name)s (locked)") % {"name": name} if session.locked_at else name
        people.setdefault(cast(int, session.tablet_id), []).append(words)
    holds = SharedTablet.objects.filter(ended_at=None).select_related("casino", "made_by")
    return [{"tablet": each, "people": people.get(each.pk, [])} for each in holds]
