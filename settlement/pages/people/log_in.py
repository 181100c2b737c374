"""The log-in page: Django's, with the proof of the password for the database, then the factor."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from jackpot.web.rehearsal_address import outside
from settlement.core.errors import WrongState
from settlement.pages.shared.forms import LONGEST_PASSWORD
from settlement.people.factors import passkeys, second_factor
from settlement.people.factors.reauthentication import PASSKEY_FIELD
from settlement.people.factors.second_factor import Kind, LogInFactor
from settlement.people.log_ins.lockout import count_failure
from settlement.people.log_ins.log_in import come_in, slip, wait_for_factor, who_waits
from settlement.people.provider import house, metadata
from settlement.people.provider.links import is_password_enough
from settlement.people.sessions import tablets

_WRONG = 422


class PasswordForm(AuthenticationForm):
    """Name and password; where they log nobody in, of those for whom the owner opened it."""

    password = forms.CharField(
        strip=False,
        max_length=LONGEST_PASSWORD,
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )

    def confirm_login_allowed(self, user: Any) -> None:
        super().confirm_login_allowed(user)
        if not is_password_enough(user):
            count_failure(self.request, user.get_username())
            raise self.get_invalid_login_error()


class LogIn(LoginView):
    """Who comes in has shown the password, and then the second factor, where there is one.

    The database sees the password before it takes the session.
    """

    redirect_authenticated_user = True

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        # Of a casino no stranger reads whether a password is enough: `manage.py check` says it.
        nobody_needs = settings.DEMO and not settings.SECOND_FACTOR_DEMANDED
        return super().get_context_data(
            nobody_needs_a_factor=nobody_needs,
            shared_tablet=tablets.here(self.request),
            **_of_provider(self.request),
            **context,
        )

    form_class = PasswordForm

    def get_default_redirect_url(self) -> str:
        return outside(reverse("home"))

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        person: Any = form.get_user()
        if second_factor.factors_of(person).exists():
            try:
                wait_for_factor(self.request, person)
            except WrongState as refusal:  # of the key that seals
                return _to_start(self.request, refusal)
            return _to_code(self.get_redirect_url())
        come_in(self.request, person)
        return HttpResponseRedirect(self.get_success_url())


def _of_provider(request: HttpRequest) -> dict[str, Any]:
    """What the page says of it; the form for a password shows where passwords log people in, or
    where somebody asks for it in an emergency."""
    offered = house.is_offered()
    is_emergency = not settings.PASSWORD_LOG_IN and "emergency" in request.GET
    log_out = metadata.cached() if offered and "out" in request.GET else None
    return {
        "provider": house.name() if offered else "",
        "takes_passwords": settings.PASSWORD_LOG_IN or is_emergency or request.method == "POST",
        "is_emergency": not settings.PASSWORD_LOG_IN,
        "log_out_there": log_out and house.log_out_address(log_out.log_out),
    }


def _to_start(request: HttpRequest, refusal: WrongState) -> HttpResponse:
    messages.error(request, str(refusal))
    return redirect("login")


def _to_code(next_page: str) -> HttpResponse:
    answer = redirect("log-in-code")
    if next_page:
        answer["Location"] += f"?{urlencode({'next': next_page})}"
    return answer


@sensitive_post_parameters()
@never_cache
def log_in_code(request: HttpRequest) -> HttpResponse:
    """The second step: a code of the app, a recovery code, or a passkey."""
    try:
        return _second_step(request)
    except WrongState as refusal:
        return _to_start(request, refusal)


def _second_step(request: HttpRequest) -> HttpResponse:
    person = who_waits(request)
    if person is None:
        return redirect("login")
    is_wrong = False
    if request.method == "POST":
        factor = _factor_of(request, person)
        if factor is not None:
            come_in(request, person, factor)
            return redirect(_next_page(request))
        is_wrong = True
        slip(request)
    kinds = set(second_factor.factors_of(person).values_list("kind", flat=True))
    context = {
        "is_wrong": is_wrong,
        "next": request.POST.get("next", request.GET.get("next", "")),
        "takes_no_codes": second_factor.takes_no_codes(person),
        "has_passkey": Kind.PASSKEY in kinds,
    }
    return render(request, "registration/code.html", context, status=_WRONG if is_wrong else 200)


def _factor_of(request: HttpRequest, person: Any) -> LogInFactor | None:
    signed = request.POST.get(PASSKEY_FIELD, "")
    if signed:
        factor = passkeys.show(request, person, signed, passkeys.LOG_IN)
        return LogInFactor(Kind.PASSKEY, factor.pk) if factor else None
    return second_factor.show(request, person, request.POST.get("code", ""))


def _next_page(request: HttpRequest) -> str:
    address = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        address, {request.get_host()}, require_https=request.is_secure()
    )
    return address if is_ours else outside(reverse("home"))


@require_safe
@never_cache
def log_in_passkey(request: HttpRequest) -> HttpResponse:
    """What the browser of the second step signs with a passkey."""
    try:
        person = who_waits(request)
    except WrongState:  # the page says it
        person = None
    options = (
        passkeys.check_options(request, person, passkeys.LOG_IN) if person is not None else None
    )
    return JsonResponse(options or {}, status=200 if options else 404)
