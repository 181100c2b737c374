"""Proposing to adjust a pool: amount, other side, closed reason, evidence."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from jackpot.decisions import ADJUSTMENTS
from settlement import adjustments
from settlement.errors import RuleBroken
from settlement.pages.claim_acts import REFUSED, said
from settlement.pages.entrance import opens_for
from settlement.pages.forms import AdjustForm
from settlement.pages.pools import pool_or_404


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("propose_adjustment")
def pool_adjust(request: HttpRequest, system: str, tier: str) -> HttpResponse:
    """The form; nothing moves before a second person agrees."""
    found = pool_or_404(system, tier)
    casino = found.system.casino
    data = request.POST if request.method == "POST" else None
    form = AdjustForm(data, digits=casino.minor_digits)
    if form.is_valid():
        given = form.cleaned_data
        try:
            adjustments.propose(
                found.tier,
                request.user,
                into=given["into"],
                source=given["source"],
                amount=form.signed,
                reason=given["reason"],
                evidence=given["evidence"],
                key=given["key"],
            )
        except RuleBroken as refusal:
            messages.error(request, said(refusal))
            form.renew_key()
        else:
            messages.success(
                request, "Proposed: nothing moves until somebody else agrees, with the password."
            )
            return redirect(reverse("pool", args=[system, tier]))
    context = {
        "form": form,
        "pool": found,
        "casino": casino,
        "reasons": [
            {"code": code, "text": text, "chosen": form["reason"].value() == code}
            for code, text in ADJUSTMENTS.items()
        ],
    }
    status = REFUSED if form.is_bound else 200
    return render(request, "console/pool_adjust.html", context, status=status)
