"""The page behind an invitation's link: who was invited chooses a password, once."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model, password_validation
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.core.words.translation import Text
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.people.provider import go
from settlement.pages.shared.forms import LONGEST_PASSWORD
from settlement.people.provider import house
from settlement.people.provider.attempts import Purpose
from settlement.people.staff import invitations


def _password(label: Text, help_text: Text = "") -> forms.CharField:
    return forms.CharField(
        label=label,
        help_text=help_text,
        strip=False,
        max_length=LONGEST_PASSWORD,
        widget=forms.PasswordInput({"class": "input", "autocomplete": "new-password"}),
    )


class NewPasswordForm(forms.Form):
    """A new password, twice; `username` is that of the form, or what is given."""

    new = _password(
        gettext_lazy("Password"), gettext_lazy("At least 12 characters; not one often used.")
    )
    again = _password(gettext_lazy("Password, again"))

    def __init__(self, data: Any = None, *, username: str = "") -> None:
        self._username = username
        super().__init__(data)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if new := values.get("new"):
            person = get_user_model()(username=values.get("username", self._username))
            try:
                password_validation.validate_password(new, person)
            except ValidationError as fault:
                self.add_error("new", fault)
            if "again" in values and values["again"] != new:
                self.add_error("again", _("The passwords do not match: type the password again."))
        return values


@sensitive_variables("secret")
@sensitive_post_parameters("new", "again")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """The form; a link that is over, or waits for a second person, says so."""
    row = invitations.by_secret(secret)
    if row is None:
        return render(request, "console/people/invitation_over.html", status=404)
    if request.POST.get("do") == "provider" and house.is_offered():
        return go(request, Purpose.INVITE, secret)
    takes_passwords = settings.PASSWORD_LOG_IN or not house.is_offered()
    data = request.POST if request.method == "POST" and takes_passwords else None
    form = NewPasswordForm(data, username=row.username)
    if form.is_bound and form.is_valid():
        try:
            invitations.accept(secret, form.cleaned_data["new"])
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            messages.success(
                request, _("Welcome. Log in with your name, %(name)s.") % {"name": row.username}
            )
            return redirect("login")
    context = {
        "form": form if takes_passwords else None,
        "invitation": row,
        "provider": house.name() if house.is_offered() else "",
    }
    status = REFUSED if form.is_bound else 200
    return render(request, "console/people/invitation.html", context, status=status)
