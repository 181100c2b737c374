"""Proposing to reverse the rejection of a claim."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from settlement.claims.decisions import wrong_rejections
from settlement.claims.lookup import claim_named
from settlement.core.errors import RuleBroken
from settlement.pages.claims.actions import REFUSED, address_of, refusal_text
from settlement.pages.claims.detail import claim_context
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.forms import ReverseRejectionForm


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("propose_reversal")
def propose(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """The form; nothing moves before a second person agrees."""
    claim = claim_named(request.method, system, number)
    form = ReverseRejectionForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        values = form.cleaned_data
        try:
            wrong_rejections.propose(
                claim,
                request.user,
                reason=values["reason"],
                evidence=values["evidence"],
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
    context = {**claim_context(claim, request.user), "form": form}
    status = REFUSED if form.is_bound else 200
    return render(request, "console/claims/reverse_rejection.html", context, status=status)
