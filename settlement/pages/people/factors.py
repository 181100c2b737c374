"""A person's second factors: add an app or a passkey, end one, new recovery codes."""

from __future__ import annotations

from typing import Any

import segno
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from settlement.core.errors import RuleBroken, WrongState
from settlement.models import SecondFactor
from settlement.pages.shared.forms import LONGEST_PASSWORD
from settlement.people.factors import factor_resets, passkeys, second_factor, totp
from settlement.people.factors.demand import needs_one
from settlement.people.factors.reauthentication import by_password, reauthenticate
from settlement.people.factors.second_factor import LogInFactor
from settlement.people.log_ins import own_sessions
from settlement.people.log_ins.log_in import remember
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.shared import sealing

ISSUER = "Jackpot Management Console"
_REFUSED = 422
_SECRET_WAITS_S = 1800
_NEW_APP = "new_app"  # in the session: the secret of an app that is not added yet, sealed


class FactorForm(forms.Form):
    """What a factor is called, and the password."""

    name = forms.CharField(
        label=gettext_lazy("Name of the device"),
        help_text=gettext_lazy("Such as: my phone."),
        max_length=60,
        widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Confirm with your password"),
        max_length=LONGEST_PASSWORD,
        required=False,  # confirmed at the log-in provider
        strip=False,
        widget=forms.PasswordInput(
            {
                "class": "input",
                "autocomplete": "current-password",
                "data-password-only": True,
                "required": True,
            }
        ),
    )

    def __init__(self, data: Any = None, *, asks_code: bool = False) -> None:
        super().__init__(data)
        if asks_code:
            self.fields["reset_code"] = forms.CharField(
                label=gettext_lazy("Code of your reset"),
                help_text=gettext_lazy("From the colleague who agreed to it."),
                max_length=40,
                widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
            )


class AppForm(FactorForm):
    """An authenticator app: a code that it shows."""

    code = forms.CharField(
        label=gettext_lazy("The code that the app shows now"),
        max_length=20,
        widget=forms.TextInput(
            {"class": "input", "autocomplete": "one-time-code", "inputmode": "numeric"}
        ),
    )
    field_order = ("code", "name", "password")


class PasskeyForm(FactorForm):
    """A passkey: what the browser answered when it made it."""

    passkey = forms.CharField(
        max_length=passkeys.LONGEST_ANSWER, required=False, widget=forms.HiddenInput
    )


@sensitive_post_parameters()
@never_cache
@login_required
def factor_app(request: HttpRequest) -> HttpResponse:
    """Add an authenticator app; the first factor of a person brings recovery codes along."""
    asks_code = factor_resets.awaits_code(request.user)
    form = AppForm(request.POST if request.method == "POST" else None, asks_code=asks_code)
    try:
        pending = _pending_secret(request)
        if form.is_bound and pending is None:
            messages.warning(request, _("The key was too old: scan the new one."))
            form = AppForm(asks_code=asks_code)
        secret = pending or _new_secret(request)
    except WrongState as refusal:  # of the key that seals
        messages.error(request, str(refusal))
        return redirect("factor-passkey")
    if form.is_bound and form.is_valid():
        values = form.cleaned_data

        def add(person: Reauthenticated) -> SecondFactor:
            return second_factor.add_app(person, values["name"], secret, values["code"])

        if answer := _added(request, form, add):
            request.session.pop(_NEW_APP, None)
            return answer
    username = request.user.get_username()
    context = {
        "form": form,
        "key_text": totp.as_text(secret),
        "qr": _qr(totp.address(secret, ISSUER, username)),
        "is_first": not second_factor.factors_of(request.user).exists(),
        "is_needed": needs_one(request.user) and not second_factor.has_shown(request, request.user),
    }
    status = _REFUSED if request.method == "POST" else 200
    return render(request, "console/people/factor_app.html", context, status=status)


def _qr(address: str) -> str:
    """The code as an element of the page; its words are the key that stands beside it."""
    code = segno.make_qr(address, error="m")
    element: str = code.svg_inline(omitsize=True, light="#ffffff", svgclass="qr", lineclass=None)
    return element


def _purpose(request: HttpRequest) -> str:
    return f"new app of {request.user.pk}"


def _pending_secret(request: HttpRequest) -> bytes | None:
    text = request.session.get(_NEW_APP)
    return sealing.unseal(text.encode(), _purpose(request), _SECRET_WAITS_S) if text else None


def _new_secret(request: HttpRequest) -> bytes:
    secret = totp.new_secret()
    request.session[_NEW_APP] = sealing.seal(secret, _purpose(request)).decode()
    return secret


@sensitive_post_parameters()
@never_cache
@login_required
def factor_passkey(request: HttpRequest) -> HttpResponse:
    """Add a passkey: the form's script lets the browser make it."""
    asks_code = factor_resets.awaits_code(request.user)
    form = PasskeyForm(request.POST if request.method == "POST" else None, asks_code=asks_code)
    if form.is_bound and form.is_valid():
        values = form.cleaned_data

        def add(person: Reauthenticated) -> SecondFactor:
            return passkeys.enrol(request, person, values["name"], values["passkey"])

        if answer := _added(request, form, add):
            return answer
    status = _REFUSED if form.is_bound else 200
    return render(request, "console/people/factor_passkey.html", {"form": form}, status=status)


def _added(request: HttpRequest, form: forms.Form, add: Any) -> HttpResponse | None:
    """The page after a factor was added; None where it was not, and the form says why."""
    try:
        person = by_password(request, form.cleaned_data["password"])  # a wrong one is counted
        with transaction.atomic():
            second_factor.hold(person)
            second_factor.require_shown(request, request.user)
            is_first = not second_factor.factors_of(request.user).exists()
            if "reset_code" in form.cleaned_data:
                factor_resets.take(request, request.user, form.cleaned_data["reset_code"])
            factor = add(person)
            codes = second_factor.new_codes(person) if is_first else []
            if is_first:
                own_sessions.end(request)  # they have not shown it
    except RuleBroken as refusal:
        if isinstance(refusal, factor_resets.WrongCode):
            second_factor.fails(request, request.user)
        form.add_error(None, str(refusal))
        return None
    remember(request, LogInFactor(str(factor.kind), factor.pk))
    if not is_first:
        messages.success(request, _("Added: %(name)s.") % {"name": factor.name})
        return redirect("account")
    return _with_codes(request, codes)


def _with_codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    return render(request, "console/people/recovery_codes.html", {"codes": codes})


@require_safe
@never_cache
@login_required
def passkey_options(request: HttpRequest) -> HttpResponse:
    """What the browser makes a passkey from."""
    return JsonResponse(passkeys.new_options(request, request.user))


@require_safe
@never_cache
@login_required
def passkey_challenge(request: HttpRequest) -> HttpResponse:
    """What the browser signs with a passkey, in place of the password given again."""
    options = passkeys.check_options(request, request.user, passkeys.CONFIRM)
    return JsonResponse(options or {}, status=200 if options else 404)


@sensitive_post_parameters()
@require_POST
@never_cache
@login_required
def factor_end(request: HttpRequest, number: int) -> HttpResponse:
    """End a factor of one's own, in a log-in that showed one."""
    try:
        second_factor.require_shown(request, request.user)
        person = reauthenticate(request, request.POST.get("password", ""))
        with transaction.atomic():
            ended = second_factor.end(person, number, needs_one=needs_one(request.user))
            if ended is not None:
                own_sessions.end(request)  # they may have shown it
    except RuleBroken as refusal:
        messages.error(request, str(refusal))
        return redirect("account")
    if ended is None:
        messages.info(request, _("That second factor has ended already."))
    else:
        remember(request, None)
        messages.success(request, _("Ended: %(name)s.") % {"name": ended.name})
    return redirect("account")


@sensitive_post_parameters()
@require_POST
@never_cache
@login_required
def recovery_codes(request: HttpRequest) -> HttpResponse:
    """New recovery codes in place of the old; shown once."""
    try:
        second_factor.require_shown(request, request.user)
        person = reauthenticate(request, request.POST.get("password", ""))
        if not second_factor.factors_of(request.user).exists():
            messages.error(request, _("They stand in for a second factor: add one first."))
            return redirect("account")
    except RuleBroken as refusal:
        messages.error(request, str(refusal))
        return redirect("account")
    return _with_codes(request, second_factor.new_codes(person))
