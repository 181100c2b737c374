"""Programs that are nobody's: the list, one of them with its tokens, and what is done there."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.models import AccessToken, Program
from settlement.models.access import PROGRAM_SCOPES
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.people.programs.tokens import ROWS, rows_of
from settlement.pages.people.staff.people import SEES
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.fields import line
from settlement.people.factors.reauthentication import by_password, reauthenticate
from settlement.people.programs import programs as services
from settlement.people.programs import tokens
from settlement.people.programs.programs import NewProgram
from settlement.people.rights.permissions import may, name_of
from settlement.people.rights.scopes import LABELS
from tables.models import Casino, JackpotSystem

_SELECT = {"class": "input"}
_LOGIN = r"^[a-z0-9][a-z0-9._-]{1,59}$"


class ProgramForm(forms.Form):
    """What a program is, may do and where, and who answers for it."""

    name = line(gettext_lazy("Name"), 60)
    username = forms.RegexField(
        _LOGIN,
        label=gettext_lazy("Name in records"),
        help_text=gettext_lazy(
            "Small letters, digits, dots and dashes. It cannot be changed later."
        ),
        widget=forms.TextInput({"class": "input", "autocomplete": "off", "autocapitalize": "none"}),
    )
    purpose = line(gettext_lazy("What it is for"), 200)
    owner = forms.ChoiceField(label=gettext_lazy("Answers for it"), widget=forms.Select(_SELECT))
    casino = forms.ChoiceField(
        label=gettext_lazy("Holds in"), required=False, widget=forms.Select(_SELECT)
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it may do"), widget=forms.CheckboxSelectMultiple
    )
    systems = forms.MultipleChoiceField(
        label=gettext_lazy("In which jackpot systems"),
        help_text=gettext_lazy("Leave empty for the whole casino."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self._casinos = {each.code: each for each in Casino.objects.order_by("name", "pk")}
        self._systems = {each.code: each for each in JackpotSystem.objects.order_by("name", "pk")}
        self._owners = {each.get_username(): each for each in services.owners()}
        fields = cast(Any, self.fields)
        fields["owner"].choices = [
            ("", "–"),
            *((login, f"{name_of(each)} ({login})") for login, each in self._owners.items()),
        ]
        fields["casino"].choices = [
            ("", _("Every casino")),
            *((each.code, each.name) for each in self._casinos.values()),
        ]
        fields["scopes"].choices = [(scope, LABELS[scope]) for scope in PROGRAM_SCOPES]
        fields["systems"].choices = [(code, each.name) for code, each in self._systems.items()]

    @property
    def new(self) -> NewProgram:
        values = self.cleaned_data
        codes = values["systems"]
        return NewProgram(
            values["username"],
            values["name"],
            values["purpose"],
            self._owners[values["owner"]],
            tuple(values["scopes"]),
            self._casinos.get(values["casino"]),
            tuple(self._systems[code] for code in codes) if codes else None,
        )


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(SEES)
def programs(request: HttpRequest) -> HttpResponse:
    """The list; a POST makes one, or proposes to."""
    form = ProgramForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            by = reauthenticate(request, request.POST.get("password", "")).user
            new_program = services.add(by, form.new)
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            return redirect("program", new_program.person.get_username())
    rows = [_row(each) for each in services.programs()]
    context = {"rows": rows, "form": form, "may_act": may(request.user, services.MAY)}
    status = REFUSED if form.is_bound else 200
    return render(request, "console/people/programs.html", context, status=status)


def _row(program: Program) -> dict[str, Any]:
    systems = services.systems_of(program)
    return {
        "program": program,
        "name": name_of(program.person),
        "acts": services.may_act(program),
        "scopes": services.scope_words(program),
        "systems": None if systems is None else [each.name for each in systems],
        "tokens": tokens.open_tokens(program.person).count(),
    }


@sensitive_post_parameters("password")
@sensitive_variables("secret")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(SEES)
def program(request: HttpRequest, username: str) -> HttpResponse:
    """One of them; a POST issues, rotates or ends a token, names an owner, or ends the program."""
    it = services.programs().filter(person__username=username).first()
    if it is None:
        raise Http404
    secret = ""
    if request.method == "POST":
        try:
            secret = _act(request, it)
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
        if not secret:
            return redirect("program", username)
    own_tokens = AccessToken.objects.filter(person=it.pk).select_related("ended_by")
    reach = _row(it)
    context = {
        **reach,
        "reach": reach,
        "secret": secret,
        "rows": rows_of(own_tokens[:ROWS]),
        "holding": tokens.that_hold(own_tokens),
        "owners": services.owners(),
        "may_act": may(request.user, services.MAY) and it.person.is_active,
    }
    return render(request, "console/people/program.html", context)


def _act(request: HttpRequest, it: Program) -> str:
    """The secret of a new token, else nothing."""
    password = request.POST.get("password", "")
    match request.POST.get("do"):
        case "issue":
            name = request.POST.get("name", "").strip()[:60] or it.person.first_name
            by = by_password(request, password)
            return services.issue(by, it, name, _number(request, "days", 1))[1]
        case "rotate":
            by = by_password(request, password)
            days, hours = _number(request, "days", 1), _number(request, "hours", 0)
            return services.rotate(by, _token(request, it), days, hours)[1]
        case "owner":
            owner = get_object_or_404(services.owners(), username=request.POST.get("owner", ""))
            services.put_owner(request.user, it, owner)
            messages.success(request, _("Saved."))
        case "end":
            services.end(request.user, it)
            messages.success(request, _("The program has ended, with all its tokens."))
        case _unknown:
            raise BadRequest(_("The form does not say which action it is for."))
    return ""


def _token(request: HttpRequest, it: Program) -> AccessToken:
    rows = AccessToken.objects.filter(person=it.pk)
    return get_object_or_404(rows, pk=_number(request, "token", 0))


def _number(request: HttpRequest, name: str, least: int) -> int:
    text = request.POST.get(name, "")
    if not text.isascii() or not text.isdigit() or not least <= int(text[:9]):
        raise BadRequest(_("Enter a whole number."))
    return int(text[:9])
