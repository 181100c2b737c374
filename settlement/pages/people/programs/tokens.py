"""Access tokens for programs: a person's own, and for administrators everybody's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.core.validators import MaxValueValidator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from settlement.core.errors import RuleBroken
from settlement.models import AccessToken
from settlement.pages.shared.decorators import opens_for
from settlement.people.factors.reauthentication import by_password
from settlement.people.programs import tokens
from settlement.people.rights.permissions import may
from settlement.people.rights.scopes import LABELS
from tables.models import JackpotSystem

ROWS = 50


class TokenForm(forms.Form):
    """For which program, what it may do and where, for how long, and the person's password."""

    name = forms.CharField(
        label=gettext_lazy("For which program"),
        max_length=60,
        widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it may do"), widget=forms.CheckboxSelectMultiple
    )
    systems = forms.MultipleChoiceField(
        label=gettext_lazy("In which jackpot systems"),
        help_text=gettext_lazy("Leave empty for all that you can see."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.IntegerField(
        label=gettext_lazy("Valid for how many days"),
        min_value=1,
        max_value=tokens.MOST_DAYS,
        initial=90,
        widget=forms.NumberInput({"class": "input short"}),
    )
    password = forms.CharField(
        max_length=1024,
        label=gettext_lazy("Your password"),
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

    def __init__(self, person: Any, data: Any = None) -> None:
        super().__init__(data)
        self._systems = {each.code: each for each in JackpotSystem.objects.order_by("name", "pk")}
        fields = cast(Any, self.fields)
        fields["scopes"].choices = list(tokens.scopes_of(person).items())
        fields["systems"].choices = [(code, each.name) for code, each in self._systems.items()]
        longest = tokens.longest_days()
        fields["days"].validators.append(MaxValueValidator(longest))
        fields["days"].widget.attrs["max"] = longest

    @property
    def reach(self) -> tokens.Reach:
        codes = self.cleaned_data["systems"]
        systems = tuple(self._systems[code] for code in codes) if codes else None
        return tokens.Reach(tuple(self.cleaned_data["scopes"]), systems)


@sensitive_post_parameters()
@opens_for(tokens.READING)
def access_tokens(request: HttpRequest) -> HttpResponse:
    """The list; what a new one is called is shown in the answer to its form, and never again."""
    form = TokenForm(request.user, request.POST if request.method == "POST" else None)
    secret = ""
    if form.is_bound and form.is_valid():
        values = form.cleaned_data
        try:
            person = by_password(request, values["password"])
            _, secret = tokens.issue(person, values["name"], values["days"], form.reach)
        except RuleBroken as refusal:
            form.add_error(None, str(refusal))
        else:
            form = TokenForm(request.user)
    status = 422 if form.is_bound else 200
    context = {"form": form, "secret": secret, **_list_context(request, tokens.own(request.user))}
    return render(request, "console/people/tokens.html", context, status=status)


@require_POST
@opens_for(tokens.READING)
def token_end(request: HttpRequest, number: int) -> HttpResponse:
    """End one at once."""
    _say(request, tokens.end(request.user, number))
    return redirect("tokens")


@opens_for("view_set_up")
def all_tokens(request: HttpRequest) -> HttpResponse:
    """The tokens of everybody who is seen."""
    may_end = may(request.user, tokens.ADMINISTERS)
    context = {**_list_context(request, tokens.everybodys()), "may_end": may_end}
    return render(request, "console/people/all_tokens.html", context)


@require_POST
@opens_for(tokens.ADMINISTERS)
def anothers_token_end(request: HttpRequest, number: int) -> HttpResponse:
    """End somebody's token at once."""
    token = get_object_or_404(tokens.everybodys(), pk=number)
    try:
        ended = tokens.end_of_another(request.user, token)
    except RuleBroken as refusal:
        messages.error(request, str(refusal))
    else:
        _say(request, ended)
    return redirect("all-tokens")


def _say(request: HttpRequest, ended: AccessToken | None) -> None:
    if ended is None:
        messages.info(request, gettext("That token has ended already."))
    else:
        messages.success(
            request, gettext("The token for %(ended_name)s has ended.") % {"ended_name": ended.name}
        )


def _list_context(request: HttpRequest, all_tokens: QuerySet[AccessToken]) -> dict[str, Any]:
    """Those that hold, or with `?ended=1` the others, a page of them."""
    holding = tokens.that_hold(all_tokens)
    ended = request.GET.get("ended") == "1"
    chosen = all_tokens.exclude(pk__in=holding.order_by().values("pk")) if ended else holding
    page: Page[AccessToken] = Paginator(chosen, ROWS).get_page(request.GET.get("page"))
    return {"page": page, "rows": rows_of(page.object_list), "ended": ended}


def rows_of(rows: Iterable[AccessToken]) -> list[dict[str, Any]]:
    """What a table of tokens shows of each."""
    now = timezone.now()
    names = dict(JackpotSystem.objects.values_list("pk", "name"))
    return [
        {
            "token": token,
            "holds": token.revoked_at is None and token.expires_at > now,
            "scopes": [LABELS[scope] for scope in token.scopes if scope in LABELS],
            "systems": [names[each] for each in token.systems or () if each in names],
        }
        for token in rows
    ]
