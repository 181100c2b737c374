"""Deciding on a dealer's wish to withdraw a hand, from the page of its claim."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from settlement.claims.lookup import claim_named
from settlement.core.errors import RuleBroken
from settlement.floor import rulings
from settlement.pages.claims.actions import address_of, refusal_text
from settlement.pages.shared.decorators import opens_for


@require_POST
@opens_for("rule_round")
def withdrawal_decide(request: HttpRequest, system: str, number: int, event: int) -> HttpResponse:
    """The hand goes on, or its rejection is proposed."""
    claim = claim_named(request.method, system, number)
    withdrawal = next((r for r in rulings.withdrawals_of(claim) if r.entry.event_id == event), None)
    if withdrawal is None:
        raise Http404(
            _("Nobody asked to withdraw claim %(number)s by event %(event)s.")
            % {"number": number, "event": event}
        )
    note = request.POST.get("note", "")
    try:
        if request.POST.get("decision") == "reject":
            rulings.accept_withdrawal(claim, withdrawal, request.user, note)
            notice = _(
                "The rejection is proposed. Nothing moves until a casino manager approves it."
            )
        else:
            rulings.refuse(withdrawal, request.user, note)
            notice = _("The claim stays open. The request and your reason are on record.")
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, notice)
    return redirect(address_of(claim))
