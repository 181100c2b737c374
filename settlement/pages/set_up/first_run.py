"""The page of an empty installation: against a one-time code, its first administrator."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.people.invitation import NewPasswordForm
from settlement.pages.shared.fields import line
from settlement.set_up import first_run as service


class FirstRunForm(NewPasswordForm):
    """The code, who the administrator is, and a password twice."""

    code = line(gettext_lazy("One-time code"), 64)
    username = line(gettext_lazy("Log-in name"), 150, autocomplete="username")
    first_name = line(gettext_lazy("First name"), 150, required=False)
    last_name = line(gettext_lazy("Last name"), 150)
    email = forms.EmailField(
        label=gettext_lazy("Mail address"),
        required=False,
        widget=forms.EmailInput({"class": "input", "autocomplete": "email"}),
    )
    field_order = ("code", "username", "first_name", "last_name", "email", "new", "again")


@sensitive_post_parameters("code", "new", "again")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def first_run(request: HttpRequest) -> HttpResponse:
    """The form; once somebody has a role there is no such page."""
    if not service.is_first_run():
        raise Http404
    form = FirstRunForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        values: dict[str, Any] = form.cleaned_data
        name = (values["first_name"], values["last_name"])
        try:
            service.begin(values["code"], values["username"], name, values["email"], values["new"])
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            messages.success(request, _("You are the administrator. Log in to set up the casino."))
            return redirect("login")
    status = REFUSED if form.is_bound else 200
    return render(request, "console/set_up/first_run.html", {"form": form}, status=status)
