"""A forgotten password: asking for a link by mail, and the page behind the link."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import PasswordResetView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from settlement.core.errors import RuleBroken
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.people.invitation import NewPasswordForm
from settlement.pages.shared.fields import line
from settlement.people.log_ins import forgotten_password, password_codes


class AddressForm(forms.Form):
    """To which mail address the link goes."""

    email = forms.EmailField(
        label=gettext_lazy("Mail address"),
        max_length=254,
        widget=forms.EmailInput({"class": "input", "autocomplete": "email"}),
    )


class ForgottenPassword(PasswordResetView):
    """Django's page, whose link is drawn by two processes; where no mail goes out, whom to ask."""

    template_name = "registration/forgotten_password.html"
    form_class: Any = AddressForm
    success_url = reverse_lazy("password-asked")

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(is_offered=forgotten_password.is_offered(), **context)

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            forgotten_password.ask_for_link(self.request, form.cleaned_data["email"])
        except RuleBroken as refusal:  # of the key that seals
            form.add_error(None, refusal_text(refusal))
            return self.form_invalid(form)
        return redirect(str(self.success_url))


@require_safe
@never_cache
def password_asked(request: HttpRequest) -> HttpResponse:
    """The same whether the address is known or not."""
    context = {"minutes": forgotten_password.MINUTES}
    return render(request, "registration/forgotten_password_mail.html", context)


@sensitive_variables("secret")
@sensitive_post_parameters("new", "again")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def password_new(request: HttpRequest, secret: str) -> HttpResponse:
    """The page behind the link; it logs nobody in."""
    person = forgotten_password.person_of(secret)
    if person is None:
        answer = render(request, "registration/forgotten_password_over.html", status=404)
    else:
        answer = _new_password(request, person, secret)
    answer["Referrer-Policy"] = "no-referrer"
    return answer


@sensitive_variables("secret")
def _new_password(request: HttpRequest, person: Any, secret: str) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form = NewPasswordForm(data, username=person.get_username())
    if form.is_bound and form.is_valid():
        try:
            forgotten_password.set_password(request, secret, form.cleaned_data["new"])
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            messages.success(request, _("Your password is set. Log in with it."))
            return redirect(settings.LOGIN_URL)
    status = REFUSED if form.is_bound else 200
    return render(request, "registration/new_password.html", {"form": form}, status=status)


class CodeForm(NewPasswordForm):
    """Whose password, the code that was handed over, and the new password."""

    username = line(gettext_lazy("Log-in name"), 150, autocapitalize="none", spellcheck="false")
    code = line(
        gettext_lazy("Code"), 40, autocapitalize="characters", spellcheck="false", inputmode="text"
    )
    field_order = ("username", "code", "new", "again")


@sensitive_post_parameters("code", "new", "again")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def password_code(request: HttpRequest) -> HttpResponse:
    """A new password by the code that two colleagues gave; it logs nobody in."""
    form = CodeForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        values = form.cleaned_data
        try:
            password_codes.set_password(request, values["username"], values["code"], values["new"])
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            messages.success(request, _("Your password is set. Log in with it."))
            return redirect(settings.LOGIN_URL)
    context = {"form": form, "minutes": password_codes.MINUTES}
    status = REFUSED if form.is_bound else 200
    return render(request, "registration/password_code.html", context, status=status)
