"""What an administrator changes of somebody's log-in: name, mail address, a code for a password."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from settlement.core.errors import BadSetUp
from settlement.models import SetUpProposal
from settlement.pages.shared.fields import line
from settlement.people.factors.reauthentication import reauthenticate
from settlement.people.log_ins import password_codes
from settlement.people.staff import persons
from settlement.set_up import proposals

Kind = SetUpProposal.Kind
DOES = ("rename", "mail", "code")


class NameForm(forms.Form):
    """The name of somebody."""

    first_name = line(gettext_lazy("First name"), 150, required=False)
    last_name = line(gettext_lazy("Last name"), 150)


class AddressForm(forms.Form):
    """The mail address of somebody; empty: none."""

    email = forms.EmailField(
        label=gettext_lazy("Mail address"),
        required=False,
        max_length=254,
        widget=forms.EmailInput({"class": "input", "autocomplete": "off"}),
    )


def context_of(somebody: Any) -> dict[str, Any]:
    """The forms, and what is proposed already."""
    waiting = proposals.waiting_for(somebody)
    names = {"first_name": somebody.first_name, "last_name": somebody.last_name}
    return {
        "name_form": NameForm(initial=names),
        "mail_form": AddressForm(initial={"email": somebody.email}),
        "mail_waits": Kind.MAIL_ADDRESS in waiting,
        "code_waits": Kind.NEW_PASSWORD in waiting,
        "has_password": somebody.has_usable_password(),
    }


def act(request: HttpRequest, somebody: Any) -> str:
    """Do what the form says, and say it."""
    match request.POST.get("do"):
        case "rename":
            names = _values(NameForm(request.POST))
            persons.rename(request.user, somebody, names["first_name"], names["last_name"])
            return _("Saved.")
        case "mail":
            email = _values(AddressForm(request.POST))["email"]
            by = reauthenticate(request, request.POST.get("password", "")).user
            if persons.propose_mail(by, somebody, email):
                return _("Saved. The previous mail address is notified.")
            return _("Proposed: the mail address changes when a second person approves it.")
        case "code":
            confirmed = reauthenticate(request, request.POST.get("password", ""))
            password_codes.propose(confirmed, somebody)
            return _("Proposed: the person who approves it reads the code and hands it over.")
    raise BadRequest(_("The form does not say which action it is for."))


def _values(form: forms.Form) -> dict[str, Any]:
    """BadSetUp where the form is not good."""
    if not form.is_valid():
        first = next(iter(form.errors.values()))
        raise BadSetUp(" ".join(map(str, first)))
    return form.cleaned_data
