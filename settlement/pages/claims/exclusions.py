"""Proposing, from a claim's page, to pay a player who is on a list."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from settlement.claims.lookup import claim_named
from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.exclusions import release
from settlement.pages.claims.actions import address_of, refusal_text
from settlement.pages.shared.decorators import opens_for


class ReleaseForm(forms.Form):
    """Which seat; what is missing in the reason is said by the service."""

    key = forms.UUIDField()
    seat = forms.IntegerField(min_value=1, max_value=23)
    reason = forms.CharField(required=False, max_length=LONGEST_TEXT)


@require_POST
@opens_for("propose_excluded")
def release_propose(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """One person proposes it; nothing is paid before compliance approves it."""
    claim, form = claim_named(request.method, system, number), ReleaseForm(request.POST)
    if not form.is_valid():
        raise BadRequest(_("The form arrived incomplete: open the page again."))
    values = form.cleaned_data
    try:
        release.propose(claim, request.user, values["seat"], values["reason"], key=values["key"])
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Proposed: nothing is paid before compliance approves it."))
    return redirect(address_of(claim))
