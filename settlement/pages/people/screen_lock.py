"""The screen that is locked, and what locks it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from settlement.core.errors import RuleBroken
from settlement.people.factors import pins
from settlement.people.factors.second_factor import Kind, factors_of
from settlement.people.provider import house
from settlement.people.provider.links import link_of
from settlement.people.rights.permissions import name_of
from settlement.people.sessions import screen_lock
from settlement.people.sessions.screen_lock import Outcome

_WRONG = 422


@require_POST
@login_required
def lock_now(request: HttpRequest) -> HttpResponse:
    """Lock this log-in: by the button, by the key, or by the page that nobody touches."""
    screen_lock.lock(request)
    return redirect(screen_lock.address(_next_page(request)))


@require_POST
@login_required
def awake(_request: HttpRequest) -> HttpResponse:
    """Somebody touches the page: that counts as done, and tells the page that it is open."""
    return HttpResponse(status=204)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def locked(request: HttpRequest) -> HttpResponse:
    """The page in place of all others; a POST opens them again."""
    session: Any = request.session
    if not session.is_locked:
        return redirect(_next_page(request))
    refusal = ""
    if request.method == "POST":
        try:
            outcome = screen_lock.unlock(request)
        except RuleBroken as wrong:
            refusal = str(wrong)
        else:
            if outcome == Outcome.OPEN:
                return redirect(_next_page(request))
            if outcome != Outcome.WRONG:
                messages.warning(request, _("Five wrong PINs ended this log-in: log in again."))
                return redirect("login")
            refusal = _("Wrong PIN. The fifth wrong one ends the log-in.")
    user: Any = request.user
    context = {
        "name": name_of(user),
        "next": _next_page(request),
        "refusal": refusal,
        "has_pin": pins.has_pin(user) and screen_lock.takes_pin(request),
        "has_password": user.has_usable_password(),
        "provider": house.name() if house.is_offered() and link_of(user) else "",
        "has_passkey": factors_of(user).filter(kind=Kind.PASSKEY).exists(),
    }
    status = _WRONG if refusal else 200
    return render(request, "console/people/screen_lock.html", context, status=status)


def _next_page(request: HttpRequest) -> str:
    address = request.POST.get("next", request.GET.get("next", ""))
    is_ours = url_has_allowed_host_and_scheme(
        address, {request.get_host()}, require_https=request.is_secure()
    )
    return address if is_ours else resolve_url("home")
