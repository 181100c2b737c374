"""Devices: how each is, and with what it logs in at the broker; issue, rotate, revoke."""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.core.words.alarm_words import alarm_in_words
from settlement.core.words.labels import clock_words
from settlement.devices import accounts, authority, credentials, expiry
from settlement.devices.credentials import CERTIFICATE, PASSWORD, Device, Issued, Kind, Standing
from settlement.devices.health import Health, health_of
from settlement.devices.intakes import intake_named, intakes
from settlement.devices.setup_code import broker_address, setup_code
from settlement.devices.unit_states import QUIET, UnitState
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.set_up.device_sheet import NOW, OVERLAPS, file_name_of, qr_of
from settlement.pages.shared.choices import system_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.fields import line
from settlement.pages.shared.lists.facets import Facet, facet_of, has_words, text_of
from settlement.pages.shared.lists.facets import context_of as facets_context
from settlement.pages.shared.lists.order import Column, Order, Sort, by_name, order_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.pages.shared.lists.saved_views import has_views
from tables.models import BrokerAccounts, Casino, DeviceCredential, GamingTable, JackpotSystem
from tables.visibility.scope import sees_all

MAY = credentials.MAY
_LAST = dt.datetime.min.replace(tzinfo=dt.UTC)
SORTS = (
    Sort("table", gettext_noop("Table"), (Column("table", str),), starts_down=False),
    Sort("unit", gettext_noop("Unit"), (Column("unit", dt.datetime),), starts_down=False),
    Sort("clock", gettext_noop("Clock"), (Column("clock", int),)),
    Sort("events", gettext_noop("Events"), (Column("events", int),)),
    Sort("macs", gettext_noop("Wrong MAC, 24 h"), (Column("macs", int),)),
    Sort("credentials", gettext_noop("Credentials"), (Column("credentials", int),)),
)
_KEYS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "table": lambda row: by_name(row["health"].table.name),
    "unit": lambda row: row["health"].facts["heard_at"] or _LAST,  # never heard: first of all
    "clock": lambda row: abs(row["health"].clock or dt.timedelta()),  # how far off, either way
    "events": lambda row: (row["health"].facts["has_gap"], row["health"].facts["resent"] or 0),
    "macs": lambda row: row["health"].facts["wrong_macs"],
    "credentials": lambda row: len(row["units"]) + len(row["displays"]),
}
# What tiles count and the list is narrowed to, by its code in the address.
STATES: Mapping[str, tuple[str, Callable[[dict[str, Any]], bool]]] = {
    "online": (gettext_noop("Online"), lambda row: row["health"].state == UnitState.ONLINE),
    "quiet": (gettext_noop("Offline or silent"), lambda row: row["health"].state in QUIET),
    "ailing": (gettext_noop("Clock, gap or MAC to look at"), lambda row: row["health"].is_ailing),
    "without": (gettext_noop("Units without a credential"), lambda row: not row["units"]),
    "ending": (
        gettext_noop("Certificates that end within 30 days"),
        lambda row: row["is_ending"],
    ),
}


class IssueForm(forms.Form):
    """How a device logs in, and for how long what it has now holds beside it."""

    way = forms.ChoiceField(
        label=gettext_lazy("Logs in with"), widget=forms.Select({"class": "input"})
    )
    hours = forms.ChoiceField(
        label=gettext_lazy("The old one holds for, at most"),
        initial="24",
        widget=forms.Select({"class": "input"}),
    )

    def __init__(self, data: Any = None, *, device: Device, is_first: bool, key: str) -> None:
        super().__init__(data, auto_id=f"id_{key}_%s")
        ways = [(PASSWORD, _("Password"))]
        if authority.is_configured() and device.kind != Kind.INTAKE:
            ways.append((CERTIFICATE, _("Certificate")))
        cast(forms.ChoiceField, self.fields["way"]).choices = ways
        hours = cast(forms.ChoiceField, self.fields["hours"])
        hours.choices = [*(((NOW, _("Ends now")),) if is_first else ()), *OVERLAPS]
        if is_first:
            hours.label = _("The key that the unit has now still holds for")
        if is_first and device.kind != Kind.UNIT:
            del self.fields["hours"]

    @property
    def overlap(self) -> dt.timedelta | None:
        hours = int(self.cleaned_data.get("hours", NOW))
        return dt.timedelta(hours=hours) if hours else None


@dataclass(frozen=True)
class Credential:
    """A credential with the forms for it."""

    standing: Standing
    rotate: IssueForm | None


@dataclass(frozen=True)
class DevicePanel:
    """A device with all its credentials, the newest first, and the form for the first one."""

    device: Device
    credentials: list[Credential]
    issue: IssueForm | None

    @property
    def name(self) -> str:
        return self.device.name or _(Kind(self.device.kind).label)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(MAY)
@has_views("devices")
def devices(request: HttpRequest) -> HttpResponse:
    """Every table's devices and how they are; the intakes. A POST opens the page of an intake."""
    form = _IntakeForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        name = form.cleaned_data["name"]
        try:
            credentials.require_intake_name(name)
        except RuleBroken as refusal:
            form.add_error("name", refusal_text(refusal))
        else:
            return redirect("device-intake", name)
    now = timezone.now()
    holding: dict[int | None, list[Standing]] = {}
    standings = credentials.credentials_of(DeviceCredential.objects.all(), now)
    for each in standings:
        if each.holds:
            holding.setdefault(each.credential.table_id, []).append(each)
    order = order_of(request, SORTS)
    ending = expiry.ending(standings, now)
    ends = {each.table_id for each in ending}
    all_systems = [
        (system, [_row(each, holding, ends) for each in health_of(system)])
        for system in JackpotSystem.objects.select_related("casino").order_by("name", "pk")
    ]
    names = [(system.code, system.name) for system, _rows in all_systems]
    state = facet_of(request, "state", _("State"), _state_choices())
    of_system = facet_of(request, "system", _("Jackpot system"), names)
    is_narrowed = bool(state or of_system or text_of(request))
    systems = [
        (system, _sorted([row for row in rows if _is_among(row, request, state)], order))
        for system, rows in all_systems
        if of_system.chosen in ("", system.code)
    ]
    context = {
        "systems": [(system, rows) for system, rows in systems if rows or not is_narrowed],
        "has_systems": bool(all_systems),
        **_counts([row for _system, rows in all_systems for row in rows]),
        "ending": len(ending),
        "state": state.chosen,
        **facets_context(request, state, of_system),
        "intakes": intakes(now, standings) if sees_all() else [],
        "console_release": settings.CONSOLE_VERSION,
        "sees_all": sees_all(),
        "form": form,
        **_broker(standings),
        **order_context(request, SORTS, order),
        **views_context(request, "devices"),
    }
    status = REFUSED if form.is_bound else 200
    return render(request, "console/set_up/devices.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(MAY)
def device_table(request: HttpRequest, system: str, table: str) -> HttpResponse:
    """The unit and the display of a table; a POST issues, rotates or revokes."""
    place = system_or_404(system)
    rows = GamingTable.objects.filter(system=place, moved_to=None).select_related("system__casino")
    gaming_table = get_object_or_404(rows, code=table)
    both = [Device(kind, gaming_table) for kind in (Kind.UNIT, Kind.DISPLAY)]
    (health,) = (each for each in health_of(place) if each.table == gaming_table)
    context = {
        "table": gaming_table,
        "house": place.casino,
        "health": health,
        "clock": _clock(health),
        "back": reverse("device-table", args=[system, table]),
    }
    return _page(request, both, context)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(MAY)
def device_intake(request: HttpRequest, intake: str) -> HttpResponse:
    """An intake's credentials, for whoever sees every casino; a POST issues, rotates or revokes."""
    if not sees_all():
        raise Http404
    context = {
        "intake": intake_named(intake, timezone.now()),
        "house": Casino.objects.order_by("pk").first(),  # whose clock the page shows
        "console_release": settings.CONSOLE_VERSION,
        "back": reverse("device-intake", args=[intake]),
    }
    return _page(request, [Device(Kind.INTAKE, None, intake)], context)


class _IntakeForm(forms.Form):
    """The name of an intake, as INTAKE_INSTANCE has it."""

    name = line(
        gettext_lazy("Name of the intake"),
        32,
        help_text=gettext_lazy("Small letters, digits, hyphens, such as intake-2."),
        autocapitalize="none",
        spellcheck="false",
    )


def _page(request: HttpRequest, both: list[Device], context: dict[str, Any]) -> HttpResponse:
    """The page of devices that belong together."""
    panels = [_panel(device) for device in both]
    status = 200
    if request.method == "POST":
        try:
            if answer := _answer_to_form(request, panels, context):
                return answer
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
        status = REFUSED
        panels = [_panel(device) for device in both]
    standings = credentials.credentials_of(DeviceCredential.objects.all(), timezone.now())
    own = {"panels": panels, "has_authority": authority.is_configured(), **_broker(standings)}
    return render(request, "console/set_up/device.html", {**own, **context}, status=status)


@sensitive_variables("issued")
def _answer_to_form(
    request: HttpRequest, panels: list[DevicePanel], context: dict[str, Any]
) -> HttpResponse | None:
    """What the form asks for; None where it is not filled in."""
    panel = next((each for each in panels if each.device.kind == request.POST.get("kind")), None)
    do = request.POST.get("do")
    if panel is None or do not in ("issue", "rotate", "revoke"):
        raise BadRequest(_("The form does not say which action it is for."))
    if do == "issue":
        form = IssueForm(request.POST, device=panel.device, is_first=True, key="bound")
        if not form.is_valid():
            return None
        issued = credentials.issue(
            request.user, panel.device, form.cleaned_data["way"], form.overlap
        )
        return _shown_once(request, issued, context)
    row = get_object_or_404(
        credentials.of_device(panel.device).defer("password_hash", "key_digest"),
        number=_number(request),
    )
    if do == "revoke":
        credentials.revoke(request.user, row, request.POST.get("note", ""))
        messages.success(request, _("Revoked: %(name)s.") % {"name": row.username})
        return redirect(context["back"])
    form = IssueForm(request.POST, device=panel.device, is_first=False, key="bound")
    if not form.is_valid() or form.overlap is None:
        return None
    issued = credentials.rotate(request.user, row, form.cleaned_data["way"], form.overlap)
    return _shown_once(request, issued, context)


@sensitive_variables("issued", "code", "bundle")
def _shown_once(request: HttpRequest, issued: Issued, context: dict[str, Any]) -> HttpResponse:
    """What the device is set up with: in this answer, and never again."""
    code = setup_code(issued)
    bundle = issued.private_key + issued.certificate
    own = {
        "issued": issued,
        "code": code,
        "qr": qr_of(code),
        "address": broker_address(issued),
        "file": base64.b64encode(bundle.encode()).decode(),
        "file_name": file_name_of(issued),
        "is_kept": accounts.is_kept(),
    }
    return render(request, "console/set_up/device_credential.html", {**own, **context})


def _panel(device: Device) -> DevicePanel:
    rows = credentials.credentials_of(credentials.of_device(device), timezone.now())
    holding = [each for each in rows if each.holds]
    lines = [
        Credential(each, _rotation(device, each) if [each] == holding else None)
        for each in reversed(rows)
    ]
    first = None
    if not holding:
        first = IssueForm(device=device, is_first=True, key=device.kind)
    return DevicePanel(device, lines, first)


def _rotation(device: Device, standing: Standing) -> IssueForm:
    key = f"{device.kind}_{standing.credential.number}"
    return IssueForm(device=device, is_first=False, key=key)


def _number(request: HttpRequest) -> int:
    text = request.POST.get("number", "")
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise BadRequest(_("The form does not say which credential it is for."))
    return int(text)


def _state_choices() -> list[tuple[str, str]]:
    return [(code, _(label)) for code, (label, _is_so) in STATES.items()]


def _is_among(row: dict[str, Any], request: HttpRequest, state: Facet) -> bool:
    """Whether a table's devices are among those that the address asks for."""
    if state and not STATES[state.chosen][1](row):
        return False
    table = row["health"].table
    return has_words(text_of(request), table.name, table.code, table.system.name)


def _row(
    health: Health, holding: dict[int | None, list[Standing]], ends: set[int | None]
) -> dict[str, Any]:
    standings = holding.get(health.table.pk, [])
    return {
        "health": health,
        "clock": _clock(health),
        "is_ending": health.table.pk in ends,
        "units": [each for each in standings if each.credential.kind == Kind.UNIT],
        "displays": [each for each in standings if each.credential.kind == Kind.DISPLAY],
    }


def _sorted(rows: list[dict[str, Any]], order: Order) -> list[dict[str, Any]]:
    """The tables of a system, all at once: a floor has hundreds."""
    return sorted(rows, key=_KEYS[order.sort.code], reverse=order.is_down)


def _counts(rows: list[dict[str, Any]]) -> dict[str, int]:
    """How many units are online, need somebody, and have no credential, of how many."""
    health = [row["health"] for row in rows]
    return {
        "count": len(rows),
        "online": sum(each.state == UnitState.ONLINE for each in health),
        "ailing": sum(each.is_ailing for each in health),
        "without": sum(not row["units"] for row in rows),
    }


def _clock(health: Health) -> str:
    """In words, where a second or more is between the clocks."""
    off = health.clock
    if off is None:
        return "–"
    return clock_words(off) if abs(off) >= dt.timedelta(seconds=1) else _("On time")


def _broker(standings: list[Standing]) -> dict[str, Any]:
    """Whether the broker has the accounts that stand here."""
    broker = BrokerAccounts.objects.first()
    written_at = broker.written_at if broker is not None else None
    changed_at = accounts.changed_at(standings)
    return {
        "is_kept": accounts.is_kept(),
        "broker": broker,
        "fault": alarm_in_words(broker.fault) if broker is not None else "",
        "is_behind": bool(written_at and changed_at and changed_at > written_at),
        "unit_address": settings.UNIT_BROKER_URL,
    }
