"""Stopping a claim from its page, and proposing to let it go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from jackpot.writer import commands
from settlement.claims.decisions import stops
from settlement.claims.lookup import claim_named
from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.models import Claim
from settlement.pages.claims.actions import address_of, refusal_text
from settlement.pages.shared.decorators import opens_for


class StopForm(forms.Form):
    """A dispute or a hold; what is missing in the text is said by the service."""

    key = forms.UUIDField()
    kind = forms.ChoiceField(choices=[(kind, kind) for kind in stops.OPENING])
    reason = forms.CharField(required=False, max_length=LONGEST_TEXT)


class EndForm(forms.Form):
    """What was found."""

    key = forms.UUIDField()
    finding = forms.CharField(required=False, max_length=LONGEST_TEXT)


@require_POST
@opens_for("view_claim")
def stop(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """A dispute is noted, or a regulator's hold placed."""
    claim, values = claim_named(request.method, system, number), _read(StopForm(request.POST))
    return _answer_after(
        request,
        claim,
        lambda: stops.open_stop(
            claim, request.user, values["kind"], values["reason"], key=values["key"]
        ),
        _("The claim is stopped: nothing of it is confirmed or paid until two people end this."),
    )


@require_POST
@opens_for("view_claim")
def end(request: HttpRequest, system: str, number: int, stop: int) -> HttpResponse:
    """One person proposes to end it; the claim stays stopped."""
    claim, values = claim_named(request.method, system, number), _read(EndForm(request.POST))
    return _answer_after(
        request,
        claim,
        lambda: stops.propose_end(claim, request.user, stop, values["finding"], key=values["key"]),
        _("Proposed. The claim stays stopped until somebody else approves it."),
    )


def _read(form: forms.Form) -> dict[str, Any]:
    if not form.is_valid():
        raise BadRequest(_("The form arrived incomplete: open the page again."))
    return form.cleaned_data


def _answer_after(
    request: HttpRequest, claim: Claim, service: Callable[[], Any], notice: str
) -> HttpResponse:
    try:
        outcome = service()
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        if isinstance(outcome, commands.Answer) and outcome.seq is None:
            messages.warning(request, _("Queued: it is carried out when the system resumes."))
        else:
            messages.success(request, notice)
    return redirect(address_of(claim))
