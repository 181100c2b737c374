"""Proposing to reverse a claim, and what its page says of a reversal."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from jackpot.domain.command_handlers import METHODS, REVERSALS
from settlement.claims.decisions import reversals
from settlement.claims.lookup import claim_named
from settlement.core.errors import RuleBroken
from settlement.core.words.translation import translated
from settlement.pages.claims.actions import REFUSED, address_of, refusal_text
from settlement.pages.claims.detail import claim_context
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.forms import ReverseForm


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("propose_reversal")
def reverse_propose(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """The form; nothing moves before a second person agrees."""
    claim = claim_named(request.method, system, number)
    data = request.POST if request.method == "POST" else None
    form = ReverseForm(data, digits=claim.system.casino.minor_digits)
    if form.is_valid():
        values = form.cleaned_data
        try:
            reversals.propose(
                claim,
                request.user,
                reason=values["reason"],
                evidence=values["evidence"],
                recovered=form.recovered,
                irregularity=values["irregularity"] or None,
                key=values["key"],
            )
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
            form.renew_key()
        else:
            messages.success(
                request,
                _("The reversal is proposed. Nothing moves until somebody else approves it."),
            )
            return redirect(address_of(claim))
    context = {
        **claim_context(claim, request.user),
        "form": form,
        "parts": [form[method] for method in METHODS],
        "reasons": [
            {
                "code": code,
                "rule": rule,
                "text": translated(text),
                "chosen": form["reason"].value() == code,
            }
            for code, (rule, text) in REVERSALS.items()
        ],
    }
    status = REFUSED if form.is_bound else 200
    return render(request, "console/claims/reverse.html", context, status=status)
