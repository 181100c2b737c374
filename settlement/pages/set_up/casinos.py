"""The way to an open casino: its facts, jackpot systems and tables."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from settlement.core.errors import RuleBroken
from settlement.devices.credentials import with_credential
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.set_up.step_links import step_lines
from settlement.pages.shared.choices import system_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.fields import line
from settlement.pages.shared.imports import content_of
from settlement.set_up import casinos as service
from settlement.set_up import table_imports
from settlement.set_up.casinos import CasinoFacts, NewTable, UnitKeyOnce
from settlement.set_up.house_rules import is_posted
from settlement.set_up.steps import is_open, lacking
from tables.models import Casino, GamingTable, JackpotSystem
from tables.visibility.scope import sees_all

MAY = service.MAY


class NamedForm(forms.Form):
    """A code, which stays, and a name."""

    code = line(
        gettext_lazy("Code"),
        32,
        help_text=gettext_lazy("Small letters, digits, hyphens. It cannot be changed later."),
        autocapitalize="none",
        spellcheck="false",
    )
    name = line(gettext_lazy("Name"), 100)


class CasinoForm(NamedForm):
    """What a casino is."""

    timezone = line(
        gettext_lazy("Time zone"),
        64,
        help_text=gettext_lazy("Type the city, such as Auckland, and choose."),
        list="zones",
    )
    currency = line(
        gettext_lazy("Currency"), 3, help_text=gettext_lazy("Three letters, such as NZD.")
    )
    minor_digits = forms.TypedChoiceField(
        label=gettext_lazy("Decimals of the currency"),
        choices=[("2", "2"), ("1", "1"), ("0", "0")],
        coerce=int,
        widget=forms.Select({"class": "input"}),
    )
    day_starts = forms.TimeField(
        label=gettext_lazy("Start of the gaming day"),
        initial="06:00",
        widget=forms.TimeInput({"class": "input", "type": "time"}, format="%H:%M"),
    )

    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        help_text=gettext_lazy("Of people who chose none, and of their mails."),
        required=False,
        choices=lambda: [("", _("Setting of each browser")), *settings.LANGUAGES],
        widget=forms.Select({"class": "input"}),
    )
    dates = forms.ChoiceField(
        label=gettext_lazy("Dates"),
        required=False,
        choices=lambda: list(service.DATES.items()),
        widget=forms.Select({"class": "input"}),
    )
    clock = forms.ChoiceField(
        label=gettext_lazy("Clock"),
        required=False,
        choices=lambda: list(service.CLOCKS.items()),
        widget=forms.Select({"class": "input"}),
    )
    slip_language = forms.ChoiceField(
        label=gettext_lazy("Second language of slips"),
        help_text=gettext_lazy("Slips for players say each line in English and in this language."),
        required=False,
        choices=lambda: [
            ("", _("None: in English alone")),
            *(each for each in settings.LANGUAGES if each[0] != "en"),
        ],
        widget=forms.Select({"class": "input"}),
    )

    def __init__(self, data: Any = None, *, casino: Casino | None = None) -> None:
        initial = None
        if casino is not None:
            names = {each.name for each in dataclasses.fields(CasinoFacts)} - {"code"}
            initial = {name: getattr(casino, name) for name in names}
        super().__init__(data, initial=initial)
        self._casino = casino
        if casino is not None:
            del self.fields["code"]

    @property
    def facts(self) -> CasinoFacts:
        values = dict(self.cleaned_data)
        if self._casino is not None:
            values["code"] = self._casino.code
        return CasinoFacts(**{**values, "currency": values["currency"].upper()})


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(MAY)
def set_up(request: HttpRequest) -> HttpResponse:
    """Every casino with its steps; a POST makes a casino."""
    form = CasinoForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            casino = service.make_casino(request.user, form.facts)
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            messages.success(request, _("The casino is created. Next: its jackpot systems."))
            return redirect("set-up-casino", casino.code)
    rows = [
        (each, step_lines(each, request.user)) for each in Casino.objects.order_by("name", "pk")
    ]
    no_casino = step_lines(None, request.user)
    context = {"form": form, "rows": rows, "steps": no_casino, "zones": service.zones()}
    context["sees_all"] = sees_all()
    status = REFUSED if form.is_bound else 200
    return render(request, "console/set_up/set_up.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(MAY)
def set_up_casino(request: HttpRequest, casino: str) -> HttpResponse:
    """A casino's steps, facts and systems; a POST changes it, or makes or renames a system."""
    house = get_object_or_404(Casino.objects.all(), code=casino)
    do = request.POST.get("do")
    facts = CasinoForm(request.POST if do == "change" else None, casino=house)
    new = NamedForm(request.POST if do == "system" else None, auto_id="id_system_%s")
    if request.method == "POST" and do not in ("change", "system", "rename"):
        raise BadRequest(_("The form does not say which action it is for."))
    if do == "rename":
        return _system_renamed(request, house)
    bound = next((form for form in (facts, new) if form.is_bound), None)
    if bound is not None and bound.is_valid():
        try:
            if bound is facts:
                service.change_casino(request.user, house, facts.facts)
            else:
                values = new.cleaned_data
                service.make_system(request.user, house, values["code"], values["name"])
        except RuleBroken as refusal:
            bound.add_error(None, refusal_text(refusal))
        else:
            messages.success(request, _("Saved."))
            return redirect("set-up-casino", house.code)
    context = {
        "house": house,
        "steps": step_lines(house, request.user),
        "lacking": lacking(house) if not is_open(house) else [],
        "facts": facts,
        "day_takes_two": service.day_takes_two(house) and not is_posted(house),
        "zones": service.zones(),
        "new": new,
        "systems": list(
            JackpotSystem.objects.for_money().filter(casino=house).order_by("name", "pk")
        ),
    }
    status = REFUSED if bound is not None else 200
    return render(request, "console/set_up/casino.html", context, status=status)


@require_POST
@opens_for(MAY)
def set_up_open(request: HttpRequest, casino: str) -> HttpResponse:
    """Write down that the set-up of a casino is done."""
    house = get_object_or_404(Casino.objects.all(), code=casino)
    try:
        service.open_casino(request.user, house)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("%(name)s is open.") % {"name": house.name})
    return redirect("set-up-casino", house.code)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(MAY, service.PUTS_INTO_SERVICE)
def set_up_tables(request: HttpRequest, system: str) -> HttpResponse:
    """The tables of a system; a POST makes one, changes one, or reads or takes in a file."""
    place = system_or_404(system)
    form = NamedForm(request.POST if request.POST.get("do") == "add" else None)
    if request.method != "POST":
        return _tables_page(request, place, form=form)
    try:
        match request.POST.get("do"):
            case "add" if not form.is_valid():
                return _tables_page(request, place, REFUSED, form=form)
            case "add":
                values = form.cleaned_data
                table = NewTable(values["code"], values["name"])
                keys = service.make_tables(request.user, place, [table])
                return _tables_page(request, place, keys=keys)
            case "rename":
                return _table_renamed(request, place)
            case "rekey":
                key = service.rekey_table(request.user, _table(request, place))
                return _tables_page(request, place, keys=[key])
            case "service":
                service.put_into_service(request.user, _table(request, place))
                messages.success(request, _("Saved."))
                return redirect("set-up-tables", place.code)
            case "file":
                return _file(request, place)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
        return _tables_page(request, place, REFUSED, form=form)
    raise BadRequest(_("The form does not say which action it is for."))


def _file(request: HttpRequest, system: JackpotSystem) -> HttpResponse:
    content = content_of(request, table_imports.MOST_BYTES)
    if "sha256" in request.POST:
        keys = table_imports.confirm(request.user, system, content, request.POST["sha256"])
        return _tables_page(request, system, keys=keys)
    file = table_imports.preview(system, content)
    status = REFUSED if file.problems else 200
    encoded = base64.b64encode(content).decode("ascii")
    return _tables_page(request, system, status, file=file, content=encoded)


def _table_renamed(request: HttpRequest, system: JackpotSystem) -> HttpResponse:
    service.rename_table(request.user, _table(request, system), request.POST.get("name", ""))
    messages.success(request, _("Saved."))
    return redirect("set-up-tables", system.code)


def _table(request: HttpRequest, system: JackpotSystem) -> GamingTable:
    """The one that a form names."""
    rows = GamingTable.objects.filter(system=system)
    return get_object_or_404(rows, code=request.POST.get("code", ""))


def _system_renamed(request: HttpRequest, casino: Casino) -> HttpResponse:
    system = get_object_or_404(
        JackpotSystem.objects.filter(casino=casino), code=request.POST.get("code", "")
    )
    try:
        service.rename_system(request.user, system, request.POST.get("name", ""))
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Saved."))
    return redirect("set-up-casino", casino.code)


@sensitive_variables("keys")
def _tables_page(
    request: HttpRequest,
    system: JackpotSystem,
    status: int = 200,
    keys: Sequence[UnitKeyOnce] = (),
    **more: Any,
) -> HttpResponse:
    user = cast(Any, request.user)
    context = {
        "may_set_up": user.has_perm(f"settlement.{MAY}", system),
        "may_put_into_service": user.has_perm(f"settlement.{service.PUTS_INTO_SERVICE}", system),
        "system": system,
        "house": system.casino,
        "tables": list(GamingTable.objects.filter(system=system).order_by("code")),
        "with_credential": with_credential(system),
        "form": NamedForm(),
        "keys": keys,
        **more,
    }
    return render(request, "console/set_up/tables.html", context, status=status)
