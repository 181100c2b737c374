"""Webhooks: endpoints of the casinos, what was sent to each, and sending it again."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.events.kinds import KINDS, TEST
from settlement.models import WebhookDelivery, WebhookEndpoint
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.fields import line
from settlement.pages.shared.forms import ActionForm
from settlement.webhooks import endpoints as service
from settlement.webhooks.endpoints import NewEndpoint
from tables.models import Casino, JackpotSystem

MAY, SEES = service.MAY, "view_set_up"
ROWS = 100
LARGEST = 2**62


class EndpointForm(ActionForm):
    """Where to, what of, and for which systems."""

    name = line(gettext_lazy("For which receiver"), service.LONGEST_NAME)
    url = line(
        gettext_lazy("Address"), service.LONGEST_URL, inputmode="url", placeholder="https://"
    )
    casino = forms.ChoiceField(
        label=gettext_lazy("Casino"), widget=forms.Select({"class": "input"})
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("What is sent"), widget=forms.CheckboxSelectMultiple
    )
    systems = forms.MultipleChoiceField(
        label=gettext_lazy("Of which jackpot systems"),
        help_text=gettext_lazy("Leave empty for the whole casino, including what is added later."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="id_%s")
        self._casinos = {each.code: each for each in Casino.objects.order_by("name", "pk")}
        self._systems = {each.code: each for each in JackpotSystem.objects.order_by("name", "pk")}
        fields = cast(Any, self.fields)
        fields["casino"].choices = [(code, each.name) for code, each in self._casinos.items()]
        fields["events"].choices = list(KINDS.items())
        fields["systems"].choices = [(code, each.name) for code, each in self._systems.items()]

    @property
    def casino_chosen(self) -> Casino:
        return self._casinos[self.cleaned_data["casino"]]

    @property
    def endpoint(self) -> NewEndpoint:
        values = self.cleaned_data
        chosen = tuple(self._systems[code] for code in values["systems"])
        return NewEndpoint(values["name"], values["url"], tuple(values["events"]), chosen or None)


class ReplayForm(forms.Form):
    """From which number on."""

    first = forms.IntegerField(
        label=gettext_lazy("From number"),
        min_value=1,
        max_value=LARGEST,
        widget=forms.NumberInput({"class": "input short"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(SEES)
@sensitive_variables("secret")
def webhooks(request: HttpRequest) -> HttpResponse:
    """The endpoints; the secret of a new one is shown in the answer to its form alone."""
    form = EndpointForm(request.POST if request.method == "POST" else None)
    secret = ""
    if form.is_bound and form.is_valid():
        try:
            key = form.cleaned_data["key"]
            _endpoint, secret = service.make(request.user, form.casino_chosen, form.endpoint, key)
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
            form.renew_key()
        else:
            form = EndpointForm()
    status = 422 if form.is_bound else 200
    context = {
        "form": form,
        "secret": secret,
        "rows": service.endpoints(),
        "may_act": request.user.has_perm(f"settlement.{MAY}"),
    }
    return render(request, "console/set_up/webhooks.html", context, status=status)


class SecretForm(forms.Form):
    """For how long the secret before signs, too."""

    hours = forms.TypedChoiceField(
        label=gettext_lazy("The old secret signs, too, for"),
        choices=(
            ("1", gettext_lazy("1 hour")),
            ("24", gettext_lazy("24 hours")),
            ("168", gettext_lazy("7 days")),
            ("0", gettext_lazy("Ends now")),
        ),
        initial="24",
        coerce=int,
        widget=forms.Select({"class": "input"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(SEES)
@sensitive_variables("secret")
def webhook(request: HttpRequest, number: int) -> HttpResponse:
    """One endpoint and its deliveries; a POST ends or tests it, exchanges its secret, which is
    shown in the answer alone, or sends again."""
    endpoint = get_object_or_404(service.endpoints(), pk=number)
    secret = ""
    if request.method == "POST":
        secret = _act(request, endpoint)
        if not secret:
            return redirect("webhook", endpoint.pk)
        endpoint = get_object_or_404(service.endpoints(), pk=number)
    paginator = Paginator(service.deliveries(endpoint), ROWS)
    page: Page[WebhookDelivery] = paginator.get_page(request.GET.get("page"))
    names = dict(JackpotSystem.objects.values_list("pk", "name"))
    context = {
        "endpoint": endpoint,
        "events": [words for kind, words in KINDS.items() if kind in endpoint.events],
        "systems": [names[each] for each in endpoint.systems or () if each in names],
        "page": page,
        "rows": [(each, _kind(each.event.kind)) for each in page.object_list],
        "form": ReplayForm(),
        "secret_form": SecretForm(),
        "secret": secret,
        "now": timezone.now(),
        "may_act": request.user.has_perm(f"settlement.{MAY}") and endpoint.ended_at is None,
    }
    return render(request, "console/set_up/webhook.html", context)


def _kind(kind: str) -> str:
    return _("Test event") if kind == TEST else KINDS.get(kind, kind)


def _act(request: HttpRequest, endpoint: WebhookEndpoint) -> str:
    """Do what the form says, and say it; the new secret where it is exchanged."""
    try:
        match request.POST.get("do"):
            case "end":
                service.end(request.user, endpoint)
                messages.success(request, _("Webhook ended."))
            case "test":
                number = service.test(request.user, endpoint, None)
                text = _("A test event is sent under number %(number)s: see below what came of it.")
                messages.success(request, text % {"number": number})
            case "secret":
                return _new_secret(request, endpoint)
            case "replay" | "resend" as do:
                _send_again(request, endpoint, is_one=do == "resend")
            case _:
                raise BadRequest
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    return ""


def _new_secret(request: HttpRequest, endpoint: WebhookEndpoint) -> str:
    form = SecretForm(request.POST)
    if not form.is_valid():
        raise BadRequest(_("Only part of the form was sent: open the page again."))
    hours: int = form.cleaned_data["hours"]
    return service.rotate(request.user, endpoint, dt.timedelta(hours=hours) if hours else None)


def _send_again(request: HttpRequest, endpoint: WebhookEndpoint, *, is_one: bool) -> None:
    form = ReplayForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Enter the number to start from."))
        return
    first = form.cleaned_data["first"]
    count = service.replay(request.user, endpoint, first, first if is_one else None)
    again = ngettext(
        "%(count)s delivery will be sent again.", "%(count)s deliveries will be sent again.", count
    )
    messages.success(request, again % {"count": count})
