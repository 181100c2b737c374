"""Credentials for many tables in one go, as a sheet of cards that is printed and cut apart.

Where scripts run the page asks for some devices at a time (`X-Console-Part`) and shows how far it
is; without them one answer has the whole sheet. Secrets stand in these answers alone.
"""

from __future__ import annotations

import base64
import datetime as dt
import re
from typing import Any, cast

import segno
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.devices import accounts, authority, credentials, many
from settlement.devices.credentials import CERTIFICATE, PASSWORD, Issued, Kind
from settlement.devices.setup_code import broker_address, setup_code
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.choices import system_or_404
from settlement.pages.shared.decorators import opens_for
from tables.models import GamingTable, JackpotSystem

PART = "X-Console-Part"  # a header: the cards alone are wanted
OVERLAPS = (
    ("1", gettext_lazy("1 hour")),
    ("24", gettext_lazy("24 hours")),
    ("168", gettext_lazy("7 days")),
)
NOW = "0"
_UNFIT = re.compile(r"[^a-z0-9-]")  # in the name of a file


class SheetForm(forms.Form):
    """How the devices log in, and which tables' they are."""

    way = forms.ChoiceField(
        label=gettext_lazy("Log in with"), widget=forms.Select({"class": "input"})
    )
    hours = forms.ChoiceField(
        label=gettext_lazy("The keys that the units have now still hold for"),
        choices=((NOW, gettext_lazy("Ends now")), *OVERLAPS),
        initial="24",
        widget=forms.Select({"class": "input"}),
    )
    tables = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)

    def __init__(self, data: Any, *, system: JackpotSystem, kind: Kind) -> None:
        super().__init__(data)
        fields = cast(Any, self.fields)
        ways = [(PASSWORD, _("Password"))]
        if authority.is_configured():
            ways.append((CERTIFICATE, _("Certificate")))
        fields["way"].choices = ways
        if kind != Kind.UNIT:
            del self.fields["hours"]
        rows = GamingTable.objects.filter(system=system, moved_to=None)
        self._tables = {each.code: each for each in rows.select_related("system__casino")}
        fields["tables"].choices = [(code, each.name) for code, each in self._tables.items()]
        fields["tables"].error_messages["required"] = _("Choose at least one table.")

    @property
    def tables_chosen(self) -> list[GamingTable]:
        return [self._tables[code] for code in self.cleaned_data["tables"]]

    @property
    def overlap(self) -> dt.timedelta | None:
        hours = int(self.cleaned_data.get("hours", NOW))
        return dt.timedelta(hours=hours) if hours else None


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(credentials.MAY)
@sensitive_variables("cards")
def device_sheet(request: HttpRequest, system: str) -> HttpResponse:
    """The tables without a credential; a POST issues those that are ticked, and shows the cards."""
    place = system_or_404(system)
    kind = Kind.DISPLAY if request.GET.get("kind") == Kind.DISPLAY else Kind.UNIT
    data = request.POST if request.method == "POST" else None
    form = SheetForm(data, system=place, kind=kind)
    cards: list[dict[str, Any]] = []
    refusals: list[tuple[str, str]] = []
    if form.is_bound and form.is_valid():
        way, tables = form.cleaned_data["way"], form.tables_chosen
        try:
            issued_list, refused = many.issue_all(request.user, kind, tables, way, form.overlap)
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            cards = [_card(each) for each in issued_list]
            refusals = [(each.table.name, refusal_text(each.fault)) for each in refused]
    status = REFUSED if form.is_bound and form.errors else 200
    context = {"form": form, "cards": cards, "refusals": refusals}
    if PART in request.headers:
        return render(request, "console/set_up/device_cards.html", context, status=status)
    context |= {
        "system": place,
        "kind": kind,
        "tables": many.without_one(place, kind),
        "ticked": set(form["tables"].value() or ()),
        "is_done": form.is_bound and not form.errors,
        "is_kept": accounts.is_kept(),
        "has_authority": authority.is_configured(),
    }
    return render(request, "console/set_up/device_sheet.html", context, status=status)


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
