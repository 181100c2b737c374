"""A person's own mail address, and the page behind the link that confirms it."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from settlement.core.errors import RuleBroken
from settlement.models import MailChange
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.forms import LONGEST_PASSWORD
from settlement.people.factors.reauthentication import by_password
from settlement.people.log_ins import mail_changes


class MailForm(forms.Form):
    """A new mail address, and the password."""

    email = forms.EmailField(
        label=gettext_lazy("New mail address"),
        max_length=254,
        widget=forms.EmailInput({"class": "input", "autocomplete": "email"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Confirm with your password"),
        strip=False,
        required=False,
        max_length=LONGEST_PASSWORD,
        widget=forms.PasswordInput(
            {
                "class": "input",
                "autocomplete": "current-password",
                "id": "mail-password",
                "data-password-only": True,
                "required": True,
            }
        ),
    )


@sensitive_post_parameters("password")
@require_POST
@login_required
def mail_address(request: HttpRequest) -> HttpResponse:
    """Ask for another one: it changes when the link that goes there is opened."""
    form = MailForm(request.POST)
    if not form.is_valid():
        faults = map(str, form.errors.get("email", ()))
        messages.error(request, " ".join(faults) or _("Enter a mail address."))
        return redirect("account")
    try:
        by = by_password(request, form.cleaned_data["password"])
        mail_changes.ask_for(by, form.cleaned_data["email"])
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        text = _("A link was sent to %(email)s: open it within %(minutes)s minutes.")
        email = form.cleaned_data["email"]
        messages.success(request, text % {"email": email, "minutes": mail_changes.MINUTES})
    return redirect("account")


@sensitive_variables("secret")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mail_confirm(request: HttpRequest, secret: str) -> HttpResponse:
    """The page behind the link; a scanner of mails that opens it changes nothing."""
    change = mail_changes.change_of(secret)
    if change is None:
        answer = render(request, "registration/mail_confirm_over.html", status=404)
    elif request.method == "POST":
        answer = _confirmed(request, change, secret)
    else:
        answer = render(request, "registration/mail_confirm.html", {"change": change})
    answer["Referrer-Policy"] = "no-referrer"
    return answer


@sensitive_variables("secret")
def _confirmed(request: HttpRequest, change: MailChange, secret: str) -> HttpResponse:
    try:
        mail_changes.confirm(secret)
    except RuleBroken:
        return render(request, "registration/mail_confirm_over.html", status=REFUSED)
    text = _("The mail address of the log-in %(name)s is changed.")
    messages.success(request, text % {"name": change.person.get_username()})
    return redirect("account" if request.user.pk == change.person_id else settings.LOGIN_URL)
