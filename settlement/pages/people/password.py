"""Changing one's own password: the old one first, which counts for the lock like every other."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import password_validation, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from settlement.core.errors import WrongPassword
from settlement.core.words.translation import Text
from settlement.pages.shared.forms import LONGEST_PASSWORD
from settlement.people import passwords
from settlement.people.factors import pins
from settlement.people.factors.reauthentication import by_password
from settlement.people.sessions import tablets
from settlement.people.shared.security_log import What, note


def _field(label: Text, autocomplete: str, help_text: Text = "") -> forms.CharField:
    widget = forms.PasswordInput({"class": "input", "autocomplete": autocomplete})
    return forms.CharField(
        label=label, strip=False, max_length=LONGEST_PASSWORD, help_text=help_text, widget=widget
    )


class PasswordChangeForm(forms.Form):
    """The present password, and twice the new one."""

    present = _field(gettext_lazy("Current password"), "current-password")
    new = _field(
        gettext_lazy("New password"),
        "new-password",
        gettext_lazy(
            "At least 12 characters; not one that is often used, and not the current one."
        ),
    )
    again = _field(gettext_lazy("Repeat the new password"), "new-password")

    def __init__(self, user: Any, data: Any = None) -> None:
        self._user = user
        super().__init__(data)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        new = values.get("new")
        if new and new == values.get("present"):
            self.add_error("new", _("This is the current password: choose another one."))
        elif new:
            try:
                password_validation.validate_password(new, self._user)
            except ValidationError as fault:
                self.add_error("new", fault)
        if new and "again" in values and values["again"] != new:
            self.add_error("again", _("The two do not match: type the new password again."))
        return values


@sensitive_post_parameters()
@never_cache
@login_required
def password(request: HttpRequest) -> HttpResponse:
    """The form; once changed, every other log-in of this person has ended."""
    form = PasswordChangeForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            person: Any = by_password(request, form.cleaned_data["present"]).user
        except WrongPassword:
            form.add_error("present", _("That is not your current password."))
        else:
            session: Any = request.session
            had_pin = pins.has_pin(person)
            session.proof = passwords.change(person, form.cleaned_data["new"])
            update_session_auth_hash(request, person)
            tablets.sit_down(request)
            note(request, What.CAME_FROM, person.get_username(), "of a changed password")
            messages.success(
                request, _("Your password is changed. You are logged out on all other devices.")
            )
            if had_pin:
                messages.info(
                    request, _("Your PIN has ended too: set a new one on the page Your account.")
                )
            return redirect("home")
    status = 422 if form.is_bound else 200
    return render(request, "console/people/password.html", {"form": form}, status=status)
