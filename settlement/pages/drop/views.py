"""Drop and bank of one gaming day: counted against expected, and entering it by hand."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.core.gaming_day import DAY, running_day
from settlement.core.input import LONGEST_TEXT
from settlement.drop import counts, figures, findings
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.choices import choice_of
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.fields import AmountField
from settlement.pages.shared.forms import ActionForm
from settlement.people.rights.permissions import may
from tables.models import GamingTable, JackpotSystem

BANK = "bank:"  # no table has such a code


class CountForm(ActionForm):
    """The drop of a table, or the balance at the bank, of the day that is shown."""

    where = forms.ChoiceField(
        label=gettext_lazy("What was counted"), widget=forms.Select({"class": "input"})
    )
    is_below_zero = forms.BooleanField(
        label=gettext_lazy("Overdrawn: below zero (bank only)"), required=False
    )
    note = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("To correct an earlier count, or for a closed day."),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
    )
    field_order = ("where", "amount", "is_below_zero", "note")

    def __init__(
        self, data: Any, *, digits: int, tables: list[GamingTable], may_bank: bool
    ) -> None:
        super().__init__(data)
        self._tables = {table.code: table for table in tables}
        choices = [(table.code, table.name) for table in tables]
        bank = [(BANK, _("Bank balance"))] if may_bank else []
        self.fields["where"].choices = [*choices, *bank]  # type: ignore[attr-defined]
        self.fields["amount"] = AmountField(
            label=_("Amount"), digits=digits, error_messages={"required": _("Enter the amount.")}
        )

    def figure(self, day: dt.date) -> counts.Figure:
        values = self.cleaned_data
        table = self._tables.get(values["where"])
        sign = -1 if table is None and values["is_below_zero"] else 1
        return counts.Figure(day, sign * values["amount"], table, values["note"])


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_claim")
def drop(request: HttpRequest) -> HttpResponse:
    """The counts of a day of one system; the last one that is over without a choice."""
    systems = list(JackpotSystem.objects.select_related("casino").order_by("name", "pk"))
    code = choice_of(request, "system", [system.code for system in systems])
    system = next((each for each in systems if each.code == code), next(iter(systems), None))
    if system is None:
        return render(request, "console/drop/day.html", {"systems": systems})
    day = _day(request, system)
    rights = {name: may(request.user, name, system) for name in ("count_drop", "enter_balance")}
    form = CountForm(
        request.POST if request.method == "POST" else None,
        digits=system.casino.minor_digits,
        tables=list(GamingTable.objects.filter(system=system).order_by("code"))
        if rights["count_drop"]
        else [],
        may_bank=rights["enter_balance"],
    )
    if form.is_valid():
        try:
            counts.record(system, request.user, [form.figure(day)], key=form.cleaned_data["key"])
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
            form.renew_key()
        else:
            messages.success(request, _("Entered."))
            return redirect(f"{reverse('drop')}?system={system.code}&day={day}")
    rows = figures.variances(system, day, day)
    context = {
        "systems": systems,
        "system": system,
        "casino": system.casino,
        "day": day,
        "is_over": day < running_day(system.casino),
        "rows": figures.seen_by_counter(rows) if rights["count_drop"] else rows,
        "balances": figures.balances(system, day, day),
        "open": findings.open_findings(system).count(),
        "form": form,
        "may_enter": any(rights.values()),
    }
    status = REFUSED if form.is_bound else 200
    return render(request, "console/drop/day.html", context, status=status)


def _day(request: HttpRequest, system: JackpotSystem) -> dt.date:
    try:
        day = dt.date.fromisoformat(request.GET.get("day", ""))
    except ValueError:
        return running_day(system.casino) - DAY
    return day if 2000 <= day.year < 3000 else running_day(system.casino) - DAY


def key_in(request: HttpRequest) -> uuid.UUID:
    """The key of the form that was sent; a new one where it has none."""
    try:
        return uuid.UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid.uuid4()
