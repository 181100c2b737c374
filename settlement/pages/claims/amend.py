"""Amending a report, or entering one that never came: it acts at the hand's own place (19.21)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from jackpot.writer import commands
from settlement.claims import services as claims
from settlement.claims.lookup import claim_named
from settlement.models import Action, Claim
from settlement.pages.claims.actions import REFUSED, address_of, attempt
from settlement.pages.claims.detail import claim_context
from settlement.pages.claims.report_forms import (
    MOST_HANDS,
    NEW_HAND,
    HandForms,
    ReportForm,
    report_of,
    typed_so_far,
)
from settlement.pages.shared.decorators import opens_for
from settlement.people.rights.permissions import somebody_else_may


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("amend_claim")
def amend(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """The report as a form, with the cards drawn as they were typed."""
    claim = claim_named(request.method, system, number)
    digits = claim.system.casino.minor_digits
    if request.method != "POST":
        hit = claims.hit_of(claim)
        begin = typed_so_far(hit.read_report, hit.called_seats, digits)
        form = ReportForm(digits=digits, initial=begin["report"])
        return _page(request, claim, form, HandForms(initial=begin["hands"], prefix="hand"))
    if "add" in request.POST or "draw" in request.POST:
        form, hands = _as_typed(request, digits)
        return _page(request, claim, form, hands)
    form = ReportForm(request.POST, digits=digits)
    hands = HandForms(request.POST, prefix="hand")
    valid = [form.is_valid(), hands.is_valid()]  # both, so that all errors are shown

    def service() -> commands.Answer:
        key = form.cleaned_data["key"]
        return claims.amend(claim, request.user, report_of(form, hands), key=key)

    notice = _("The report is amended, at the hand's own place. It is to be verified now.")
    if all(valid) and attempt(request, claim, form, service, notice):
        return redirect(address_of(claim))
    return _page(request, claim, form, hands, REFUSED)


def _as_typed(request: HttpRequest, digits: int) -> tuple[ReportForm, Any]:
    """The same form again with what was typed, unjudged; with one more hand if asked for."""
    data = request.POST.copy()
    form = ReportForm(
        digits=digits, initial={key: data.get(key) for key in ReportForm(digits=digits).fields}
    )
    hands = HandForms(data, prefix="hand")
    rows = []
    for each in hands.forms:
        row = {name: each[name].data for name in each.fields}
        if not row.get("DELETE"):
            rows.append(row)
    if "add" in data and len(rows) < MOST_HANDS:
        rows.append(dict(NEW_HAND))
    return form, HandForms(initial=rows, prefix="hand")


def _page(
    request: HttpRequest, claim: Claim, form: ReportForm, hands: Any, status: int = 200
) -> HttpResponse:
    context = {
        **claim_context(claim, request.user),
        "form": form,
        "hand_forms": hands,
        "may_add": len(hands.forms) < MOST_HANDS,
        "nobody_to_verify": not somebody_else_may(request.user, "verify_claim", claim.system),
    }
    context["option"] = context["options"].get(Action.Kind.AMEND)
    return render(request, "console/claims/amend.html", context, status=status)
