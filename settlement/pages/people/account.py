"""A person's own account: password, second factors, log-ins, and how pages look."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from settlement.core.errors import RuleBroken
from settlement.models import Preference
from settlement.pages.people.mail_address import MailForm
from settlement.pages.shared.forms import LONGEST_PASSWORD
from settlement.people.factors import pins, second_factor
from settlement.people.factors.demand import needs_one
from settlement.people.factors.reauthentication import by_password
from settlement.people.log_ins import mail_changes, own_sessions
from settlement.people.log_ins.forgotten_password import is_offered
from settlement.people.log_ins.log_in import LOOK
from settlement.people.preferences.language import LANGUAGE, of_house
from settlement.people.provider import house
from settlement.people.provider.links import binds, link_of
from tables.models import Casino


def _choices(values: type[Preference.Theme] | type[Preference.TextSize]) -> list[tuple[str, str]]:
    return [(value, _(str(label))) for value, label in values.choices]


class PreferenceForm(forms.Form):
    """Language, theme and size of text."""

    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        required=False,
        choices=lambda: [("", _("Setting of the house or the browser")), *settings.LANGUAGES],
        widget=forms.Select({"class": "input"}),
    )

    theme = forms.ChoiceField(
        label=gettext_lazy("Theme"),
        choices=lambda: _choices(Preference.Theme),
        widget=forms.Select({"class": "input"}),
    )
    text_size = forms.ChoiceField(
        label=gettext_lazy("Size of text"),
        choices=lambda: _choices(Preference.TextSize),
        widget=forms.Select({"class": "input"}),
    )


class PinForm(forms.Form):
    """A new PIN, and the password."""

    pin = forms.CharField(
        label=gettext_lazy("New PIN"),
        max_length=pins.MOST,
        help_text=gettext_lazy(
            "6 to 12 digits. It opens your own locked screen, and nothing else."
        ),
        widget=forms.PasswordInput(
            {"class": "input", "autocomplete": "new-password", "inputmode": "numeric"}
        ),
    )
    password = forms.CharField(
        label=gettext_lazy("Confirm with your password"),
        strip=False,
        max_length=LONGEST_PASSWORD,
        widget=forms.PasswordInput(
            {
                "class": "input",
                "autocomplete": "current-password",
                "id": "pin-password",
                "data-password-only": True,
            }
        ),
    )


@require_safe
@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """The page."""
    preference = Preference.objects.filter(person_id=request.user.pk).first()
    look = {
        "theme": (preference and preference.theme) or Preference.Theme.DARK,
        "text_size": (preference and preference.text_size) or Preference.TextSize.NORMAL,
        "language": preference.language if preference else "",
    }
    factors = second_factor.factors_of(request.user)
    context = {
        # Of its zone are the times; of none while nothing is set up.
        "casino": Casino.objects.order_by("pk").first() or Casino(timezone="UTC"),
        "factors": [(each, _(each.get_kind_display())) for each in factors],
        "has_shown": second_factor.has_shown(request, request.user),
        "codes_left": second_factor.codes_left(request.user),
        "is_needed": needs_one(request.user),
        "sessions": own_sessions.sessions_of(request),
        "form": PreferenceForm(initial=look),
        "provider": house.name() if house.is_offered() else "",
        "provider_link": link_of(request.user),
        "groups_bind": binds(),
        "has_password": cast(Any, request.user).has_usable_password(),
        "has_pin": pins.has_pin(request.user),
        "pin_form": PinForm(),
        "mail_form": MailForm() if is_offered() else None,
        "mail_waits": mail_changes.waiting_of(request.user),
    }
    return render(request, "console/people/account.html", context)


@require_POST
@login_required
def preferences(request: HttpRequest) -> HttpResponse:
    """How pages look, on every device where this person logs in from now on."""
    form = PreferenceForm(request.POST)
    if form.is_valid():
        values = form.cleaned_data
        Preference.objects.update_or_create(person_id=request.user.pk, defaults=values)
        request.session[LOOK] = [values["theme"], values["text_size"]]
        chosen = values["language"] or of_house(request.user.pk)
        request.session[LANGUAGE] = chosen
        translation.activate(chosen or translation.get_language_from_request(request))
        messages.success(request, _("Saved."))
    else:
        messages.error(request, _("Choose from the lists."))
    return redirect("account")


@sensitive_post_parameters()
@require_POST
@login_required
def pin(request: HttpRequest) -> HttpResponse:
    """Another PIN, or none, with the password."""
    is_end = request.POST.get("do") == "end"
    try:
        person = by_password(request, request.POST.get("password", ""))
        if is_end:
            pins.end(person)
        else:
            pins.set_pin(person, request.POST.get("pin", ""))
    except RuleBroken as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("You have no PIN any more.") if is_end else _("Saved."))
    return redirect("account")


@require_POST
@login_required
def sessions_end(request: HttpRequest) -> HttpResponse:
    """End one other log-in of one's own, or all."""
    name: Any = request.POST.get("session", "")
    ended = own_sessions.end(request, name)
    messages.success(
        request,
        ngettext("%(count)s log-in has ended.", "%(count)s log-ins have ended.", ended)
        % {"count": ended},
    )
    return redirect("account")
