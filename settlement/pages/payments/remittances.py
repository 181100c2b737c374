"""Withheld tax of a system: what is due to the tax authority, what was remitted, entering it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from jackpot.labels.figures import write_exact
from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.models import Payout, TaxRemittance
from settlement.models.payouts import LONGEST_REFERENCE
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.choices import choice_of
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.fields import AmountField
from settlement.pages.shared.forms import ActionForm
from settlement.payments import remittances
from settlement.people.rights.permissions import may
from tables.models import JackpotSystem

ROWS = 50
_LINE = {"class": "input", "autocomplete": "off"}


class RemitForm(ActionForm):
    """What was remitted, and under which reference."""

    reference = forms.CharField(
        label=gettext_lazy("Reference of the transfer"),
        max_length=LONGEST_REFERENCE,
        widget=forms.TextInput(_LINE),
        error_messages={"required": gettext_lazy("Enter the reference of the transfer.")},
    )
    field_order = ("amount", "reference")

    def __init__(self, data: Any, *, digits: int, due: int) -> None:
        super().__init__(data)
        self.fields["amount"] = AmountField(
            label=_("Amount remitted"),
            digits=digits,
            initial=write_exact(due, digits),
            error_messages={"required": _("Enter the amount.")},
        )


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_claim")
def withheld_tax(request: HttpRequest) -> HttpResponse:
    """Balance, payments that withheld, and remittances of one system; a POST enters one."""
    systems = list(JackpotSystem.objects.select_related("casino").order_by("name", "pk"))
    code = choice_of(request, "system", [system.code for system in systems])
    system = next((each for each in systems if each.code == code), next(iter(systems), None))
    if system is None:
        return render(request, "console/payments/withheld_tax.html", {"systems": systems})
    balance = remittances.balance(system)
    form = RemitForm(
        request.POST if request.method == "POST" else None,
        digits=system.casino.minor_digits,
        due=balance.due,
    )
    if form.is_valid() and _remitted(request, system, form):
        return redirect(_address(system))
    payouts = (
        Payout.objects.filter(claim__system=system, tax__gt=0)
        .select_related("claim")
        .order_by("-pk")
    )
    context = {
        "systems": systems,
        "system": system,
        "casino": system.casino,
        "balance": balance,
        "page": Paginator(payouts, ROWS).get_page(request.GET.get("page")),
        "remittances": remittances.remittances_of(system),
        "form": form,
        "longest": LONGEST_TEXT,
        "may_remit": may(request.user, "remit_tax", system),
    }
    status = REFUSED if form.is_bound else 200
    return render(request, "console/payments/withheld_tax.html", context, status=status)


def _remitted(request: HttpRequest, system: JackpotSystem, form: RemitForm) -> bool:
    values = form.cleaned_data
    try:
        remittances.remit(
            system, request.user, values["amount"], values["reference"], key=values["key"]
        )
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
        form.renew_key()
        return False
    messages.success(request, _("Entered as remitted."))
    return True


@require_POST
@opens_for("remit_tax")
def reverse_remittance(request: HttpRequest, number: int) -> HttpResponse:
    """Undo a remittance that was entered wrongly."""
    row = get_object_or_404(TaxRemittance.objects.select_related("system__casino"), pk=number)
    try:
        remittances.reverse(row, request.user, request.POST.get("reason", ""))
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Reversed: the tax is withheld and not remitted again."))
    return redirect(_address(row.system))


def _address(system: JackpotSystem) -> str:
    return f"{reverse('withheld-tax')}?system={system.code}"
