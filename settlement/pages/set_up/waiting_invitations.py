"""Invitations that wait for a second person: those that are ticked are approved or refused at once,
each as its own record; one password or signature stands behind all."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, cast

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.decorators import opens_for
from settlement.people.staff import persons
from settlement.set_up import many_invitations, proposals
from settlement.set_up.many_invitations import Refusal, WaitingInvitation
from settlement.signatures import policy
from settlement.signatures.signing import sign_or_reauthenticate


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(persons.MAY, proposals.SECOND)
def waiting_invitations(request: HttpRequest) -> HttpResponse:
    """The list with boxes; a POST approves or refuses what is ticked, with one password or note."""
    if request.method != "POST":
        return _page(request)
    numbers = _numbers(request)
    try:
        chosen = many_invitations.among(numbers)
        refusals = _decide(request, chosen)
    except RuleBroken as fault:
        messages.error(request, refusal_text(fault))
        return _page(request, REFUSED, ticked=numbers)
    _say(request, len(chosen) - len(refusals), len(numbers) - len(chosen))
    if not refusals:
        return redirect("waiting-invitations")
    return _page(
        request,
        REFUSED,
        ticked={each.waiting.proposal.pk for each in refusals},
        refusals=[(each.waiting.words, refusal_text(each.fault)) for each in refusals],
    )


def _decide(request: HttpRequest, chosen: list[WaitingInvitation]) -> list[Refusal]:
    match request.POST.get("do"):
        case "approve":
            person = sign_or_reauthenticate(request, request.POST.get("password", ""))
            return many_invitations.approve(chosen, person)
        case "withdraw":
            note = request.POST.get("note", "")
            return many_invitations.withdraw(chosen, request.user, note)
    raise BadRequest(_("The form does not say which action it is for."))


def _say(request: HttpRequest, count: int, missing: int) -> None:
    """How many were decided now, and how many by somebody else before."""
    if count:
        is_approval = request.POST.get("do") == "approve"
        words = (
            ngettext("Approved: %(n)s invitation.", "Approved: %(n)s invitations.", count)
            if is_approval
            else ngettext("Withdrawn: %(n)s invitation.", "Withdrawn: %(n)s invitations.", count)
        )
        messages.success(request, words % {"n": count})
    if missing > 0:
        words = ngettext(
            "%(n)s of those that you ticked does not wait any more.",
            "%(n)s of those that you ticked do not wait any more.",
            missing,
        )
        messages.warning(request, words % {"n": missing})


def _numbers(request: HttpRequest) -> set[int]:
    texts = request.POST.getlist("proposal")
    if not all(text.isascii() and text.isdigit() and len(text) < 19 for text in texts):
        raise BadRequest(_("Only part of the form was sent: open the page again."))
    return set(map(int, texts))


def _page(
    request: HttpRequest, status: int = 200, ticked: Collection[int] = (), **more: Any
) -> HttpResponse:
    user = cast(Any, request.user)
    may_second = user.has_perm(f"settlement.{proposals.SECOND}")
    everything = many_invitations.waiting_invitations()
    waiting = everything[: many_invitations.MOST]  # no more are decided at once
    by_casino = {each.proposal.casino_id: each.proposal for each in waiting}
    signed = [policy.is_asked_of_set_up(each) for each in by_casino.values()]
    rows = [
        {
            "waiting": each,
            "is_own": each.proposal.person_id == user.pk,
            "may_decide": may_second or each.proposal.person_id == user.pk,
            "is_ticked": each.proposal.pk in ticked,
        }
        for each in waiting
    ]
    context = {
        "rows": rows,
        "more_wait": len(everything) - len(waiting),
        "may_approve": may_second,
        "may_decide": any(row["may_decide"] for row in rows),
        "is_signed": any(signed),
        "asks_password": not all(signed),
        **more,
    }
    return render(request, "console/set_up/waiting_invitations.html", context, status=status)
