"""Acts on a claim from its page: each is a POST to the claim's address that names itself.

What was refused comes back on the page with what was typed; what was done redirects to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from jackpot.models import Head
from jackpot.writer import commands
from settlement.claims import services as claims
from settlement.core.errors import NotPermitted, OwnHand, RuleBroken, SamePerson, WrongPassword
from settlement.models import Action, Claim, Proposal
from settlement.pages.claims.detail import claim_context
from settlement.pages.claims.panels.workbench.checklist_form import ChecklistForm
from settlement.pages.shared.forms import (
    ActionForm,
    ConfirmForm,
    LineForm,
    PasswordForm,
    VerifyForm,
    WithdrawForm,
)
from settlement.payments import services as payments
from settlement.people.shared.security_log import note_refusal
from settlement.signatures.signing import sign_or_reauthenticate

REFUSED = 422


class FormRefused(Exception):
    """What was typed cannot be used; `forms` carry the errors, by the action they are for."""

    def __init__(self, **forms: Any) -> None:
        self.forms = forms


@sensitive_post_parameters()
def carry_out(request: HttpRequest, claim: Claim) -> HttpResponse:
    """Do what the form asks for."""
    perform = _PERFORM.get(request.POST.get("do", ""))
    if perform is None:
        raise BadRequest(_("The form does not say which action it is for."))
    try:
        perform(request, claim)
    except FormRefused as refusal:
        return _again(request, claim, refusal.forms)
    # Whoever answers item after item stays where they are.
    place = "#checklist" if perform is _checklist else ""
    return redirect(address_of(claim) + place)


def address_of(claim: Claim) -> str:
    """Where the claim's page is."""
    return reverse("claim", args=[claim.system.code, claim.number])


def attempt(
    request: HttpRequest,
    claim: Claim,
    form: ActionForm,
    service: Callable[[], commands.Answer | Action | Proposal],
    notice: str,
) -> bool:
    """Call a service for a valid form and tell the outcome; False where it was refused."""
    try:
        outcome = service()
    except RuleBroken as error:
        if isinstance(error, (NotPermitted, OwnHand, SamePerson)):
            note_refusal(request, str(error))
        if isinstance(error, WrongPassword):
            form.add_error("password", str(error))
        else:  # not in the form: the refusal may be that the form is no longer to be had
            messages.error(request, refusal_text(error))
        form.renew_key()
        return False
    if isinstance(outcome, commands.Answer) and outcome.seq is None:
        messages.warning(request, queue_words(claim))
    else:
        messages.success(request, notice)
    return True


def queue_words(claim: Claim) -> str:
    """What happens to a decision that the system has not taken into its order yet."""
    if Head.objects.filter(pk=claim.system_id, halted_at__isnull=False).exists():
        return _(
            "Recorded and queued. Posting of %(system_name)s has stopped: this is carried out when"
            " it resumes. Call technical support."
        ) % {"system_name": claim.system.name}
    return _(
        "Recorded and queued: it takes effect when the system has put it into its order. No"
        " further action is needed; reload this page in a moment."
    )


def refusal_text(error: RuleBroken) -> str:
    """A refusal in words, with its rule."""
    text = str(error)
    return (
        _("%(text)s (Rule %(rule)s)") % {"text": text, "rule": error.rule}
        if error.rule and error.rule not in text
        else text
    )


def _again(request: HttpRequest, claim: Claim, bound: Mapping[str, Any]) -> HttpResponse:
    context = claim_context(claim, request.user, bound)
    return render(request, "console/claims/detail.html", context, status=REFUSED)


# --- the actions ----------------------------------------------------------------------------


def _checklist(request: HttpRequest, claim: Claim) -> None:
    saved = _save_checklist(request, claim)
    words = {0: _("Nothing was changed."), 1: _("One answer was saved.")}
    messages.success(
        request, words.get(saved, _("%(saved)s answers were saved.") % {"saved": saved})
    )


def _save_checklist(request: HttpRequest, claim: Claim) -> int:
    form = ChecklistForm(request.POST)
    try:
        saved = form.save(claim, request.user)
    except RuleBroken as error:
        messages.error(request, refusal_text(error))
        raise FormRefused from error
    if form.errors:
        raise FormRefused(checklist=form, verify=VerifyForm(request.POST))
    return saved


def _verify(request: HttpRequest, claim: Claim) -> None:
    _save_checklist(request, claim)
    form = VerifyForm(request.POST)

    def service() -> Action:
        values = form.cleaned_data
        return claims.verify(claim, request.user, note=values["note"], key=values["key"])

    notice = _("Verified. The claim now waits for somebody else to confirm it.")
    if not form.is_valid() or not attempt(request, claim, form, service, notice):
        raise FormRefused(verify=form)


def _confirm(request: HttpRequest, claim: Claim) -> None:
    form = ConfirmForm(request.POST)

    def service() -> commands.Answer:
        person = sign_or_reauthenticate(request, form.cleaned_data["password"])
        values = form.cleaned_data
        return claims.confirm(claim, person, values["amount"], key=values["key"])

    notice = _("Confirmed. The displays show it, and the cage can pay.")
    if not form.is_valid() or not attempt(request, claim, form, service, notice):
        raise FormRefused(confirm=form)


def _approve(request: HttpRequest, claim: Claim) -> None:
    form = ConfirmForm(request.POST)

    def service() -> Action:
        person = sign_or_reauthenticate(request, form.cleaned_data["password"])
        values = form.cleaned_data
        return claims.approve(claim, person, values["amount"], key=values["key"])

    notice = _("Approved. Nothing is paid before another manager confirms it.")
    if not form.is_valid() or not attempt(request, claim, form, service, notice):
        raise FormRefused(approve=form)


def _second(request: HttpRequest, claim: Claim) -> None:
    form = PasswordForm(request.POST)

    def service() -> commands.Answer:
        person = sign_or_reauthenticate(request, form.cleaned_data["password"])
        return claims.second_rejection(claim, person, key=form.cleaned_data["key"])

    notice = _(
        "Rejected. The displays show it, and later claims are calculated as if this one had never "
        "been made."
    )
    if not form.is_valid() or not attempt(request, claim, form, service, notice):
        raise FormRefused(second_rejection=form)


def _withdraw(request: HttpRequest, claim: Claim) -> None:
    form = WithdrawForm(request.POST)

    def service() -> Action:
        values = form.cleaned_data
        return claims.withdraw_rejection(
            claim, request.user, note=values["note"], key=values["key"]
        )

    notice = _("Proposed rejection withdrawn. The claim stays open.")
    if not form.is_valid() or not attempt(request, claim, form, service, notice):
        raise FormRefused(withdraw_rejection=form)


def _of_line(
    request: HttpRequest,
    claim: Claim,
    service: Callable[[int, str, Any], commands.Answer | Proposal],
    notice: str,
) -> None:
    form = LineForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("This form cannot be read: open the page again."))
        raise FormRefused
    values = form.cleaned_data
    if not attempt(
        request,
        claim,
        form,
        lambda: service(values["line"], values["reason"], values["key"]),
        notice,
    ):
        raise FormRefused


def _withhold(request: HttpRequest, claim: Claim) -> None:
    def service(line: int, reason: str, key: Any) -> commands.Answer:
        return payments.withhold(claim, request.user, line, reason, key=key)

    _of_line(request, claim, service, _("Withheld: the cage does not pay it until it is released."))


def _release(request: HttpRequest, claim: Claim) -> None:
    def service(line: int, reason: str, key: Any) -> commands.Answer:
        return payments.release(claim, request.user, line, reason, key=key)

    _of_line(request, claim, service, _("Released: the cage can pay it."))


def _unclaimed(request: HttpRequest, claim: Claim) -> None:
    def service(line: int, _reason: str, key: Any) -> commands.Answer:
        return payments.book_unclaimed(claim, request.user, line, key=key)

    _of_line(request, claim, service, _("Booked as unclaimed: it can still be paid."))


def _propose_forfeit(request: HttpRequest, claim: Claim) -> None:
    def service(line: int, reason: str, key: Any) -> Proposal:
        return payments.propose_forfeit(claim, request.user, line, reason, key=key)

    _of_line(request, claim, service, _("Proposed: nothing moves until somebody else approves it."))


_PERFORM: dict[str, Callable[[HttpRequest, Claim], None]] = {
    "checklist": _checklist,
    "verify": _verify,
    "approve": _approve,
    "confirm": _confirm,
    "second_rejection": _second,
    "withdraw_rejection": _withdraw,
    "withhold": _withhold,
    "release": _release,
    "unclaimed": _unclaimed,
    "propose_forfeit": _propose_forfeit,
}
