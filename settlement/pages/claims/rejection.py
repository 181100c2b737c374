"""Proposing to reject a claim: a closed reason, evidence, and whether it changed the outcome."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from jackpot.domain.command_handlers import REJECTIONS
from settlement.claims import services as claims
from settlement.claims.lookup import claim_named
from settlement.core.words.translation import translated
from settlement.models import Action
from settlement.pages.claims.actions import REFUSED, address_of, attempt
from settlement.pages.claims.detail import claim_context
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.forms import ProposeForm


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("propose_rejection")
def propose(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """The form; nothing moves before a second person agrees."""
    claim = claim_named(request.method, system, number)
    form = ProposeForm(request.POST if request.method == "POST" else None)

    def service() -> Action:
        values = form.cleaned_data
        return claims.propose_rejection(
            claim,
            request.user,
            reason=values["reason"],
            evidence=values["evidence"],
            affected=values["affected"],
            irregularity=values["irregularity"] or None,
            key=values["key"],
        )

    notice = _("The rejection is proposed. Nothing moves until a casino manager approves it.")
    if form.is_valid() and attempt(request, claim, form, service, notice):
        return redirect(address_of(claim))
    context = {
        **claim_context(claim, request.user),
        "form": form,
        "reasons": [
            {
                "code": code,
                "rule": rule,
                "text": translated(text),
                "chosen": form["reason"].value() == code,
            }
            for code, (rule, text) in REJECTIONS.items()
        ],
    }
    context["option"] = context["options"].get(Action.Kind.PROPOSE_REJECTION)
    status = REFUSED if form.is_bound else 200
    return render(request, "console/claims/reject.html", context, status=status)
