"""A player by number: where they were identified, and which other numbers are theirs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from settlement.approvals.proposals import PERMISSIONS
from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.evidence import same_player
from settlement.evidence.same_player import KIND, Statement
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.forms import ActionForm
from settlement.people.rights.permissions import name_of


class SamePlayerForm(ActionForm):
    """Which other number is the same player's, and on what evidence."""

    other = forms.IntegerField(
        label=gettext_lazy("Number of the same player"),
        min_value=1,
        max_value=same_player.MOST,
        widget=forms.NumberInput({"class": "input", "autocomplete": "off"}),
    )
    is_one = forms.TypedChoiceField(
        label=gettext_lazy("What to propose"),
        choices=[
            ("yes", gettext_lazy("Count both as one player")),
            ("no", gettext_lazy("Count them apart again")),
        ],
        coerce=lambda value: value == "yes",
        widget=forms.Select({"class": "input"}),
    )
    reason = forms.CharField(
        label=gettext_lazy("On what evidence (no names)"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"class": "input", "rows": 3}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_claim")
def player(request: HttpRequest, number: int) -> HttpResponse:
    """What is known of a number; a POST proposes that another one is the same player's."""
    may_propose = request.user.has_perm(f"settlement.{PERMISSIONS[KIND][0]}")
    if request.method == "POST" and not may_propose:
        raise PermissionDenied(
            _("Your role does not allow this: ask a casino manager or compliance.")
        )
    places = same_player.known_by(number)
    if not places:
        raise Http404(_("No player has the number %(number)s.") % {"number": number})
    if request.method != "POST":
        other = request.GET.get("other", "")
        return _page(request, number, places, SamePlayerForm(initial={"other": other}))
    form = SamePlayerForm(request.POST)
    if form.is_valid():
        values = form.cleaned_data
        try:
            same_player.propose(
                *(number, request.user, values["other"], values["reason"]),
                is_one=values["is_one"],
                key=values["key"],
            )
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
            form.renew_key()
        else:
            messages.success(request, _("Proposed: it counts once somebody else approves it."))
            return redirect(request.path)
    return _page(request, number, places, form, REFUSED)


def _page(
    request: HttpRequest,
    number: int,
    places: list[same_player.KnownBy],
    form: SamePlayerForm,
    status: int = 200,
) -> HttpResponse:
    may_propose, may_agree = (
        request.user.has_perm(f"settlement.{each}") for each in PERMISSIONS[KIND]
    )
    numbers = same_player.one_with(number)
    context = {
        "number": number,
        "others": [each for each in numbers if each != number],
        "places": places,
        "casino": places[-1].claim.system.casino,
        "statements": [
            _row(each, request.user, may_propose=may_propose, may_agree=may_agree)
            for each in same_player.statements_of(numbers)
        ],
        "form": form if may_propose else None,
    }
    return render(request, "console/evidence/player.html", context, status=status)


def _row(statement: Statement, user: Any, *, may_propose: bool, may_agree: bool) -> dict[str, Any]:
    proposal = statement.proposal
    own = proposal.person_id == user.pk
    return {
        "statement": statement,
        "proposal": proposal,
        "state": _state(statement),
        "by": name_of(proposal.person),
        "decided_by": "" if statement.waits else name_of(proposal.decision.person),
        "is_own": own,
        "may_agree": statement.waits and not own and may_agree,
        "may_withdraw": statement.waits and may_propose,
    }


def _state(statement: Statement) -> str:
    if statement.waits:
        return _("Waits for approval")
    if not statement.proposal.decision.agreed:
        return _("Withdrawn")
    if statement.entry is None:
        return _("Not carried out")
    return _("In force") if statement.counts else _("Replaced")
