"""Deciding on what somebody else proposed: the two forms beside each open proposal."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.claims.decisions import delegation, reversals, stops, wrong_rejections
from settlement.closing import closes
from settlement.core.errors import RuleBroken
from settlement.evidence import same_player
from settlement.exclusions import release
from settlement.floor import table_transfer
from settlement.models import Proposal, ProposalApproval, ProposalDecision
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.decorators import opens_for
from settlement.pages.terms.effect import RetypeForm
from settlement.payments import services as payments
from settlement.people.rights.permissions import Reauthenticated
from settlement.pools import adjustments
from settlement.signatures.signing import sign_or_reauthenticate
from settlement.terms import drafts


def address_of(proposal: Proposal) -> str:
    """The page of what a proposal is about."""
    if proposal.kind == Proposal.Kind.PUT_TERMS:
        return reverse("terms-proposal", args=[proposal.pk])
    if proposal.kind == Proposal.Kind.CLOSE_TIER:
        return reverse("jackpot-lifecycle", args=[proposal.system.code, proposal.body["jackpot"]])
    if proposal.kind == Proposal.Kind.MOVE_TABLE:
        return reverse("table", args=[proposal.system.code, proposal.subject]) + "#moving"
    if proposal.kind == Proposal.Kind.RESET_BOOTS:
        return reverse("table", args=[proposal.system.code, proposal.subject]) + "#boots"
    if proposal.kind == Proposal.Kind.REFUSE_ROUNDS:
        return reverse("rounds-held", args=[proposal.system.code, proposal.subject])
    if proposal.kind == Proposal.Kind.MISSED_ROUNDS:
        return reverse("irregularities")
    if proposal.kind in closes.KINDS:
        return reverse("closing-day", args=[proposal.system.code, proposal.subject])
    if proposal.kind == Proposal.Kind.SAME_PLAYER:
        return reverse("player", args=[proposal.body["player"]])
    page = _PAGES.get(proposal.kind, "claim")
    return reverse(page, args=[proposal.system.code, proposal.subject])


@require_POST
@opens_for("view_claim")
def proposal_withdraw(request: HttpRequest, number: int) -> HttpResponse:
    """A proposal is taken back, with a note."""
    proposal = _proposal(number)
    note = request.POST.get("note", "")
    return _answer_to(
        request,
        proposal,
        lambda: proposals.withdraw(proposal, request.user, note),
        _("Withdrawn: nothing was changed."),
    )


@sensitive_post_parameters()
@require_POST
@opens_for("view_claim")
def proposal_agree(request: HttpRequest, number: int) -> HttpResponse:
    """The second person agrees and gives the password again."""
    proposal = _proposal(number)
    password = request.POST.get("password", "")
    return _answer_to(
        request,
        proposal,
        lambda: agree(
            proposal, sign_or_reauthenticate(request, password), _typed_again(proposal, request)
        ),
        _("Agreed and carried out."),
    )


@sensitive_post_parameters()
@require_POST
@opens_for("second_adjustment")
def proposal_approve(request: HttpRequest, number: int) -> HttpResponse:
    """The first of two managers approves a large adjustment."""
    proposal = _proposal(number)
    password = request.POST.get("password", "")
    return _answer_to(
        request,
        proposal,
        lambda: adjustments.approve(proposal, sign_or_reauthenticate(request, password)),
        _("Approved: nothing moves until another manager agrees."),
    )


def _proposal(number: int) -> Proposal:
    proposal = Proposal.objects.select_related("system__casino", "person").filter(pk=number).first()
    if proposal is None:
        raise Http404(_("There is no proposal %(number)s.") % {"number": number})
    return proposal


def _answer_to(
    request: HttpRequest,
    proposal: Proposal,
    action: Callable[[], commands.Answer | ProposalDecision | ProposalApproval],
    notice: str,
) -> HttpResponse:
    try:
        outcome = action()
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        if isinstance(outcome, commands.Answer) and outcome.seq is None:
            messages.warning(
                request, _("Agreed and queued: it is carried out when the system resumes.")
            )
        else:
            messages.success(request, notice)
    return redirect(address_of(proposal))


def _typed_again(proposal: Proposal, request: HttpRequest) -> dict[str, int]:
    """Of terms: the figures that move far."""
    if proposal.kind != Proposal.Kind.PUT_TERMS:
        return {}
    return RetypeForm(drafts.figures_of(proposal), request.POST).typed


def agree(
    proposal: Proposal, person: Reauthenticated, figures: Mapping[str, int]
) -> commands.Answer:
    """The second person agrees, by the service of the proposal's kind; `figures`: typed again."""
    if proposal.kind == Proposal.Kind.PUT_TERMS:
        return drafts.agree(proposal, person, figures)
    return _AGREE[proposal.kind](proposal, person)


_PAGES: dict[str, str] = {
    Proposal.Kind.ADJUST_POOL: "pool",
}
_AGREE: dict[str, Callable[[Proposal, Reauthenticated], commands.Answer]] = {
    Proposal.Kind.ADJUST_POOL: adjustments.agree,
    Proposal.Kind.MISSED_ROUNDS: proposals.agree,
    Proposal.Kind.REFUSE_ROUNDS: proposals.agree,
    Proposal.Kind.REVERSE_CLAIM: reversals.agree,
    Proposal.Kind.REVERSE_REJECTION: wrong_rejections.agree,
    Proposal.Kind.FORFEIT: payments.agree_forfeit,
    Proposal.Kind.RESOLVE_DISPUTE: stops.agree_end,
    Proposal.Kind.LIFT_HOLD: stops.agree_end,
    Proposal.Kind.SETTLE_ORDER: stops.agree_end,
    Proposal.Kind.CLOSE_TIER: proposals.agree,
    Proposal.Kind.MOVE_TABLE: table_transfer.agree,
    Proposal.Kind.RESET_BOOTS: proposals.agree,
    Proposal.Kind.DELEGATE: delegation.agree,
    Proposal.Kind.PAY_EXCLUDED: release.agree,
    Proposal.Kind.SAME_PLAYER: same_player.agree,
    Proposal.Kind.CLOSE_DAY: closes.agree,
    Proposal.Kind.CLOSE_MONTH: closes.agree,
}
