"""Proposing to delegate a decision on a claim, from its page."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from settlement.approvals.capacities import CAPACITIES
from settlement.claims.decisions import delegation
from settlement.claims.lookup import claim_named
from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.pages.claims.actions import address_of, refusal_text
from settlement.pages.shared.decorators import opens_for


class DelegateForm(forms.Form):
    """Who decides, in which capacity; what is missing in the reason is said by the service."""

    key = forms.UUIDField()
    person = forms.IntegerField(max_value=2**31 - 1)
    capacity = forms.ChoiceField(choices=[(each, each) for each in CAPACITIES])
    reason = forms.CharField(required=False, max_length=LONGEST_TEXT)


@require_POST
@opens_for("propose_delegation")
def delegate(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """One person proposes; nobody else decides before a second one agrees."""
    claim, form = claim_named(request.method, system, number), DelegateForm(request.POST)
    if not form.is_valid():
        if {"person", "capacity"} & form.errors.keys() and "key" not in form.errors:
            messages.error(request, _("Choose who decides, and in which capacity."))
            return redirect(address_of(claim))
        raise BadRequest(_("The form arrived incomplete: open the page again."))
    values = form.cleaned_data
    person = get_user_model().objects.filter(pk=values["person"], is_active=True).first()
    try:
        if person is None:
            raise BadRequest(_("There is no such person: choose from the list."))
        delegation.propose(
            claim,
            request.user,
            person=person,
            capacity=values["capacity"],
            reason=values["reason"],
            key=values["key"],
        )
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Proposed: it holds once somebody else approves it."))
    return redirect(address_of(claim))
