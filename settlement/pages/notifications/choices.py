"""What a person wants to be notified of, by which ways, when it is quiet, and on which devices."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from settlement.core.errors import RuleBroken
from settlement.notifications import choices, personal_list
from settlement.notifications.choices import Quiet
from settlement.notifications.kinds import MAIL, PUSH, WAYS
from settlement.people.log_ins.browsers import device
from settlement.people.sessions import tablets
from tables.models import Casino


class QuietForm(forms.Form):
    """Quiet hours, and whether what is urgent breaks through."""

    quiet_from = forms.TimeField(
        label=gettext_lazy("From"),
        required=False,
        widget=forms.TimeInput({"class": "input short", "type": "time"}, format="%H:%M"),
    )
    quiet_until = forms.TimeField(
        label=gettext_lazy("Until"),
        required=False,
        widget=forms.TimeInput({"class": "input short", "type": "time"}, format="%H:%M"),
    )
    urgent_breaks = forms.BooleanField(
        label=gettext_lazy("Urgent notifications come through"), required=False
    )

    @property
    def quiet(self) -> Quiet:
        values = self.cleaned_data
        return Quiet(values["quiet_from"], values["quiet_until"], values["urgent_breaks"])


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def notification_choices(request: HttpRequest) -> HttpResponse:
    """The page: a box for each event and way."""
    choice = choices.chosen_of(request.user)
    initial = {name: getattr(choice, name) for name in QuietForm.base_fields}
    form = QuietForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound and form.is_valid():
        try:
            choices.choose(request.user, _ways(request), form.quiet)
        except RuleBroken as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Saved."))
            return redirect("notification-choices")
    ways = choices.open_ways(request.user)
    context = {
        "casino": Casino.objects.order_by("pk").first() or Casino(timezone="UTC"),
        "form": form,
        "rows": [
            (name, _(kind.label), kind.is_urgent, _boxes(chosen))
            for name, kind, chosen in choices.matrix(request.user)
        ],
        "mails": MAIL in ways,
        "pushes": PUSH in ways,
        "email": getattr(request.user, "email", ""),
        "browsers": personal_list.browsers(request.user),
        "push_key": settings.PUSH_PUBLIC_KEY,
    }
    status = 422 if form.is_bound else 200
    return render(request, "console/notifications/choices.html", context, status=status)


def _ways(request: HttpRequest) -> dict[str, list[str]]:
    """What is ticked, of each kind that the form showed."""
    ways: dict[str, list[str]] = {name: [] for name in request.POST.getlist("kind")}
    for ticked in request.POST.getlist("way"):
        name, _colon, way = ticked.rpartition(":")
        if name in ways:
            ways[name].append(way)
    return ways


def _boxes(chosen: tuple[str, ...]) -> list[tuple[str, str, bool]]:
    words = dict(zip(WAYS, (_("In the page"), _("Mail"), _("Push")), strict=True))
    return [(way, words[way], way in chosen) for way in WAYS]


@require_POST
@login_required
def browser_add(request: HttpRequest) -> HttpResponse:
    """The browser of this request takes push messages; its script sends what it was given.

    Not at a shared tablet: whoever stands there reads them.
    """
    if tablets.NAME in request.session or tablets.here(request) is not None:
        messages.error(request, _("Nothing is pushed to a shared tablet: others would read it."))
        return redirect("notification-choices")
    values: dict[str, Any] = {
        name: request.POST.get(name, "") for name in ("url", "public_key", "secret")
    }
    try:
        words = device(request.headers.get("User-Agent", ""))
        personal_list.add_browser(request.user, **values, device=words)
    except RuleBroken as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Notifications are pushed to this device."))
    return redirect("notification-choices")


@require_POST
@login_required
def browser_end(request: HttpRequest, number: int) -> HttpResponse:
    """Nothing is pushed to one of the person's devices any more."""
    if personal_list.end_browser(request.user, number):
        messages.success(request, _("Push notifications to that device are off."))
    return redirect("notification-choices")
