"""A person's access tokens: for programs that read the API."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from settlement.core.errors import RuleBroken
from settlement.models import AccessToken
from settlement.pages.shared.decorators import opens_for
from settlement.people import tokens
from settlement.people.reauthentication import by_password

SHOWN = 50


class TokenForm(forms.Form):
    """For which program, for how long, and the person's password."""

    name = forms.CharField(
        label=gettext_lazy("For which program"),
        max_length=60,
        widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
    )
    days = forms.IntegerField(
        label=gettext_lazy("Valid for how many days"),
        min_value=1,
        max_value=tokens.LONGEST_DAYS,
        initial=90,
        widget=forms.NumberInput({"class": "input short"}),
    )
    password = forms.CharField(
        max_length=1024,
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(
            {"class": "input", "autocomplete": "current-password", "data-password-only": True}
        ),
    )


@sensitive_post_parameters()
@opens_for(tokens.READING)
def access_tokens(request: HttpRequest) -> HttpResponse:
    """The list; what a new one is called is shown in the answer to its form, and never again."""
    form, secret = TokenForm(request.POST if request.method == "POST" else None), ""
    if form.is_bound and form.is_valid():
        values = form.cleaned_data
        try:
            person = by_password(request, values["password"])
            _, secret = tokens.issue(person, values["name"], values["days"])
        except RuleBroken as refusal:
            form.add_error(None, str(refusal))
        else:
            form = TokenForm()
    status = 422 if form.is_bound else 200
    context = {"form": form, "secret": secret, "rows": _rows(request.user)}
    return render(request, "console/people/tokens.html", context, status=status)


@require_POST
@opens_for(tokens.READING)
def token_end(request: HttpRequest, number: int) -> HttpResponse:
    """End one at once."""
    ended = tokens.end(request.user, number)
    if ended is None:
        messages.info(request, gettext("That token has ended already."))
    else:
        messages.success(
            request, gettext("The token for %(ended_name)s has ended.") % {"ended_name": ended.name}
        )
    return redirect("tokens")


def _rows(person: Any) -> list[dict[str, Any]]:
    now = timezone.now()
    return [
        {"token": token, "holds": token.revoked_at is None and token.expires_at > now}
        for token in AccessToken.objects.filter(person=person)[:SHOWN]
    ]
