"""Rules of the house that take two people, and what waits for the second."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from settlement.core.errors import BadSetUp, RuleBroken
from settlement.core.input import read_amount
from settlement.jurisdiction import choices
from settlement.models import SetUpProposal
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.choices import casino_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.people.factors import factor_resets
from settlement.people.log_ins import password_codes
from settlement.people.rights.permissions import name_of
from settlement.set_up import house_rules, proposals
from settlement.set_up.casinos import PUTS_INTO_SERVICE
from settlement.set_up.escalation import WHOM, Level
from settlement.set_up.house_rules import HouseRule
from settlement.set_up.proposals import Kind
from settlement.signatures.signing import sign_or_reauthenticate
from tables.models import Casino, GamingTable, JackpotSystem

_SERVES = f"settlement.{PUTS_INTO_SERVICE}"


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_set_up")
def rules(request: HttpRequest) -> HttpResponse:
    """What holds in a casino, and what waits; a POST proposes another value."""
    casino = casino_or_404(request) if Casino.objects.exists() else None
    if request.method == "POST":
        if casino is None:
            raise Http404(_("No casino is set up yet."))
        try:
            _propose(request, casino)
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
        else:
            messages.success(
                request, _("Proposed: nothing changes until somebody else approves it.")
            )
        return redirect(f"{request.path}?casino={casino.code}")
    user = cast(Any, request.user)
    waiting = list(proposals.open_proposals())
    context = {
        "house": casino,
        "casinos": list(Casino.objects.order_by("name", "pk")),
        "rules": _with_names(house_rules.rules_of(casino)) if casino else [],
        "whom": WHOM.items(),
        "waiting": [
            {
                "proposal": each,
                "words": proposals.in_words(each),
                "may_agree": user.pk not in (each.person_id, each.body.get("person")),
            }
            for each in waiting
        ],
        "waiting_invitations": sum(each.kind == Kind.INVITE for each in waiting),
        "out_of_service": _out_of_service() if user.has_perm(_SERVES) else [],
        "may_propose": user.has_perm(f"settlement.{proposals.MAY}"),
        "may_agree": user.has_perm(f"settlement.{proposals.SECOND}"),
    }
    return render(request, "console/set_up/rules.html", context)


def _with_names(rules: list[HouseRule]) -> list[tuple[HouseRule, tuple[str, ...]]]:
    """Each with the names of the two people who decided it; none where nobody did."""
    decided = [rule.since for rule in rules if rule.since]
    log_ins = {log_in for row in decided for log_in in (row.first, row.second)}
    people = get_user_model().objects.filter(username__in=log_ins)
    names = {each.get_username(): name_of(each) for each in people}
    return [
        (rule, tuple(names.get(each, each) for each in (rule.since.first, rule.since.second)))
        if rule.since
        else (rule, ())
        for rule in rules
    ]


def _out_of_service() -> list[JackpotSystem]:
    """Systems with tables that wait to be put into service."""
    waiting = GamingTable.objects.filter(in_service=False, moved_to=None)
    return list(JackpotSystem.objects.filter(pk__in=waiting.values("system")).order_by("name"))


@sensitive_post_parameters("password")
@require_POST
@opens_for(proposals.SECOND)
def proposal_agree(request: HttpRequest, number: int) -> HttpResponse:
    """The second person agrees and gives the password again."""
    proposal = _proposal(number)
    password = request.POST.get("password", "")
    agree = choices.agree if proposal.kind == Kind.JURISDICTION else proposals.agree
    answer = _answer_to(
        request,
        lambda: agree(proposal, sign_or_reauthenticate(request, password)),
        _("Agreed and carried out."),
    )
    if proposal.kind in (Kind.RESET_FACTORS, Kind.NEW_PASSWORD):
        return _with_code(request, proposal) or answer
    return answer


@sensitive_variables("code")
def _with_code(request: HttpRequest, proposal: SetUpProposal) -> HttpResponse | None:
    """The code that whoever agreed hands over, shown once; None where there is none to draw."""
    person = get_user_model().objects.get(pk=proposal.body["person"])
    if proposal.kind == Kind.NEW_PASSWORD:
        code = password_codes.draw(request.user, person)
        page = "password_code"
    else:
        code = factor_resets.draw(request.user, person)
        page = "reset_code"
    if code is None:
        return None
    context = {
        "code": code,
        "person_reset": person,
        "hours": factor_resets.HOURS,
        "minutes": password_codes.MINUTES,
    }
    answer = render(request, f"console/people/{page}.html", context)
    answer["Cache-Control"] = "no-store"
    return answer


@require_POST
@opens_for("view_set_up")
def proposal_withdraw(request: HttpRequest, number: int) -> HttpResponse:
    """A proposal is taken back, with a note."""
    proposal = _proposal(number)
    note = request.POST.get("note", "")
    return _answer_to(
        request,
        lambda: proposals.withdraw(proposal, request.user, note),
        _("Withdrawn: nothing was changed."),
    )


def _proposal(number: int) -> SetUpProposal:
    proposal = SetUpProposal.objects.select_related("casino").filter(pk=number).first()
    if proposal is None:
        raise Http404(_("There is no proposal %(number)s.") % {"number": number})
    return proposal


def _answer_to(request: HttpRequest, action: Callable[[], None], notice: str) -> HttpResponse:
    try:
        action()
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, notice)
    return redirect("house-rules")


def _levels(request: HttpRequest) -> list[Level]:
    """Those of which minutes are given."""
    rows = zip(request.POST.getlist("minutes"), request.POST.getlist("whom"), strict=False)
    return [Level(int(minutes), whom) for minutes, whom in rows if minutes.strip()]


def _yes_or_no(text: str) -> bool:
    """ValueError where it is neither."""
    if text not in ("yes", "no"):
        raise ValueError(_("choose one."))
    return text == "yes"


def _propose(request: HttpRequest, casino: Casino) -> None:
    text = request.POST.get("value", "").strip()
    kind = request.POST.get("kind", "")
    try:
        match kind:
            case Kind.SECOND_MANAGER:
                amount = read_amount(text, casino.minor_digits) if text else None
                proposals.propose_amount(request.user, casino, amount)
            case Kind.SIGNATURES:
                proposals.propose_signatures(request.user, casino, text)
            case Kind.MISSED_ROUNDS | Kind.TERMS_FACTOR:
                proposals.propose_count(request.user, casino, kind, int(text))
            case Kind.VARIANCE_LIMIT:
                amount = read_amount(text, casino.minor_digits)
                of = request.POST.get("of", "")
                proposals.propose_variance(request.user, casino, of, amount)
            case Kind.COUNTING:
                since = dt.date.fromisoformat(request.POST.get("since", ""))
                of = request.POST.get("of", "")
                proposals.propose_counting(
                    request.user, casino, of, is_counted=_yes_or_no(text), since=since
                )
            case Kind.IDLE_LIMIT:
                of = request.POST.get("of", "")
                proposals.propose_idle_limit(request.user, casino, of, int(text))
            case Kind.ESCALATION:
                proposals.propose_escalation(request.user, casino, _levels(request))
            case Kind.DAY_STARTS:
                start = dt.time.fromisoformat(text)
                proposals.propose_day_start(request.user, casino, start)
            case _unknown:
                raise BadRequest(_("The form does not say which action it is for."))
    except ValueError as error:
        raise BadSetUp(_("Enter the new value: %(fault)s") % {"fault": error}) from error
