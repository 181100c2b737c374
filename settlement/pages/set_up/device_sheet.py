"""Credentials for many tables in one go, as a sheet of cards that is printed and cut apart.

Where scripts run the page asks for some devices at a time (`X-Console-Part`) and shows how far it
is; without them one answer has the whole sheet. Secrets stand in these answers alone.
"""

from __future__ import annotations

import base64
import datetime as dt
import re
from dataclasses import dataclass
from typing import Any, cast

import segno
from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.devices import accounts, authority, credentials, many
from settlement.devices.credentials import CERTIFICATE, PASSWORD, Issued, Kind
from settlement.devices.many import Refusal
from settlement.devices.setup_code import broker_address, setup_code
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.choices import system_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.fields import line
from tables.models import GamingTable, JackpotSystem

PART = "X-Console-Part"  # a header: the cards alone are wanted
OVERLAPS = (
    ("1", gettext_lazy("1 hour")),
    ("24", gettext_lazy("24 hours")),
    ("168", gettext_lazy("7 days")),
)
NOW = "0"
_UNFIT = re.compile(r"[^a-z0-9-]")  # in the name of a file


ISSUE, ROTATE, REVOKE = "issue", "rotate", "revoke"
TITLES = {
    ISSUE: gettext_lazy("Credentials for many tables"),
    ROTATE: gettext_lazy("Rotate many credentials"),
    REVOKE: gettext_lazy("Revoke many credentials"),
}


@dataclass(frozen=True)
class Task:
    """What is done with the credentials of which devices of a system."""

    do: str
    system: JackpotSystem
    kind: Kind

    @property
    def tables(self) -> list[GamingTable]:
        """Those that it can be done with."""
        choose = many.without_one if self.do == ISSUE else many.with_one
        return choose(self.system, self.kind)


class SheetForm(forms.Form):
    """How the devices log in, and for how long with what they have now; or why no more. And which
    tables' they are."""

    way = forms.ChoiceField(
        label=gettext_lazy("Log in with"), widget=forms.Select({"class": "input"})
    )
    hours = forms.ChoiceField(initial="24", widget=forms.Select({"class": "input"}))
    note = line(gettext_lazy("Why are they revoked?"), LONGEST_TEXT)
    tables = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)

    def __init__(self, data: Any, task: Task) -> None:
        super().__init__(data)
        fields = cast(Any, self.fields)
        ways = [(PASSWORD, _("Password"))]
        if authority.is_configured():
            ways.append((CERTIFICATE, _("Certificate")))
        fields["way"].choices = ways
        if task.do == ROTATE:
            fields["hours"].label = _("The old ones hold for, at most")
            fields["hours"].choices = OVERLAPS
        else:
            fields["hours"].label = _("The keys that the units have now still hold for")
            fields["hours"].choices = ((NOW, _("Ends now")), *OVERLAPS)
        unneeded = {ISSUE: ["note"], ROTATE: ["note"], REVOKE: ["way", "hours"]}[task.do]
        if task.do == ISSUE and task.kind != Kind.UNIT:
            unneeded.append("hours")
        for name in unneeded:
            del self.fields[name]
        self._tables = {each.code: each for each in many.tables_of(task.system)}
        fields["tables"].choices = [(code, each.name) for code, each in self._tables.items()]
        fields["tables"].error_messages["required"] = _("Choose at least one table.")

    @property
    def tables_chosen(self) -> list[GamingTable]:
        return [self._tables[code] for code in self.cleaned_data["tables"]]

    @property
    def overlap(self) -> dt.timedelta:
        """None at all: what the devices have now ends now."""
        return dt.timedelta(hours=int(self.cleaned_data.get("hours", NOW)))


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(credentials.MAY)
@sensitive_variables("cards")
def device_sheet(request: HttpRequest, system: str) -> HttpResponse:
    """The tables that credentials are issued for, rotated or revoked at; a POST does it with those
    that are ticked, and shows the cards."""
    place = system_or_404(system)
    kind = Kind.DISPLAY if request.GET.get("kind") == Kind.DISPLAY else Kind.UNIT
    do = request.GET.get("do", ISSUE)
    if do not in TITLES:
        raise Http404
    task = Task(do, place, kind)
    form = SheetForm(request.POST if request.method == "POST" else None, task)
    cards: list[dict[str, Any]] = []
    refusals: list[tuple[str, str]] = []
    if form.is_bound and form.is_valid():
        try:
            cards, refused = _carry_out(request, task, form)
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            refusals = [(each.table.name, refusal_text(each.fault)) for each in refused]
    status = REFUSED if form.is_bound and form.errors else 200
    context = {"form": form, "cards": cards, "refusals": refusals}
    if PART in request.headers:
        return render(request, "console/set_up/device_cards.html", context, status=status)
    chosen = form["tables"].value() if form.is_bound else request.GET.getlist("tables")
    context |= {
        "system": place,
        "kind": kind,
        "do": do,
        "title": TITLES[do],
        "tables": task.tables,
        "others": [(code, label) for code, label in TITLES.items() if code != do],
        "ticked": set(chosen or ()),
        "is_all_ticked": do == ISSUE and not form.is_bound and not chosen,
        "has_cards": do != REVOKE,
        "is_done": form.is_bound and not form.errors,
        "is_kept": accounts.is_kept(),
        "has_authority": authority.is_configured(),
    }
    return render(request, "console/set_up/device_sheet.html", context, status=status)


@sensitive_variables("issued_list")
def _carry_out(
    request: HttpRequest, task: Task, form: SheetForm
) -> tuple[list[dict[str, Any]], list[Refusal]]:
    """The cards of what was issued; and what was left as it was, and why."""
    by, tables = request.user, form.tables_chosen
    if task.do == REVOKE:
        revoked, refusals = many.revoke_all(by, task.kind, tables, form.cleaned_data["note"])
        names = ", ".join(each.username for each in revoked)
        if names:
            messages.success(request, _("Revoked: %(name)s.") % {"name": names})
        return [], refusals
    way, overlap = form.cleaned_data["way"], form.overlap
    if task.do == ROTATE:
        issued_list, refusals = many.rotate_all(by, task.kind, tables, way, overlap)
    else:
        issued_list, refusals = many.issue_all(by, task.kind, tables, way, overlap or None)
    return [_card(each) for each in issued_list], refusals


@sensitive_variables()
def _card(issued: Issued) -> dict[str, Any]:
    """What one device is set up with."""
    bundle = issued.private_key + issued.certificate
    return {
        "issued": issued,
        "table": issued.credential.table,
        "qr": qr_of(setup_code(issued)),
        "address": broker_address(issued),
        "file": base64.b64encode(bundle.encode()).decode(),
        "file_name": file_name_of(issued),
    }


def file_name_of(issued: Issued) -> str:
    """Of the file with certificate and key."""
    return f"{_UNFIT.sub('-', issued.credential.username)}.pem"


def qr_of(code: str) -> str:
    """A set-up code as a picture, as SVG."""
    picture: str = segno.make_qr(code, error="m").svg_inline(
        omitsize=True, light="#ffffff", svgclass="qr", lineclass=None
    )
    return picture
