"""A casino's rehearsals: begin one, give it terms, play a hand, and see how far it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from jackpot.web.rehearsal_address import inside
from settlement.approvals.capacities import visible_to
from settlement.core.errors import RuleBroken
from settlement.core.words.translation import Labels
from settlement.models import Proposal
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.decorators import opens_for
from settlement.people.rights.roles import ROLE_NAMES, ROLES
from settlement.rehearsals import practice_unit, services
from settlement.set_up import proposals
from settlement.set_up.casinos import MAY
from settlement.set_up.rehearsal_steps import Rehearsal, RehearsalStep, is_waived, rehearsals
from tables.models import Casino, GamingTable, JackpotSystem
from tables.visibility.rehearsals import inside_rehearsal
from tables.visibility.scope import only

# Who takes each step, and the words of the link to where it is taken.
_PERMISSIONS = {
    "terms": "propose_terms",
    "unit": MAY,
    "recorded": MAY,
    "displayed": MAY,
    "claim": MAY,
    "verified": "verify_claim",
    "confirmed": "confirm_claim",
    "paid": "pay_claim",
    "printed": "print_slip",
    "reconciled": "view_claim",
}
_LINKS = Labels(
    {
        "terms": gettext_noop("Terms of the rehearsal"),
        "unit": gettext_noop("Tables and keys of the rehearsal"),
        "recorded": gettext_noop("Tables and keys of the rehearsal"),
        "displayed": gettext_noop("Open the display"),
        "claim": gettext_noop("Tables and keys of the rehearsal"),
        "verified": gettext_noop("Open the claim"),
        "confirmed": gettext_noop("Open the claim"),
        "paid": gettext_noop("Open the claim in the cage"),
        "printed": gettext_noop("Open the claim"),
        "reconciled": gettext_noop("Reconciliation of the rehearsal"),
    }
)


@dataclass(frozen=True)
class StepLine:
    """A step with who takes it and where."""

    step: RehearsalStep
    roles: list[str]
    link: str
    address: str


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_set_up", "propose_terms")
def rehearsal(request: HttpRequest, casino: str) -> HttpResponse:
    """How far each rehearsal of the casino is; a POST takes one step further."""
    house = get_object_or_404(Casino.objects.all(), code=casino)
    if request.method == "POST":
        return _answer_to_form(request, house)
    user = cast(Any, request.user)
    rehearsal_list = rehearsals([house])
    systems = list(JackpotSystem.objects.for_money().filter(casino=house).order_by("name", "pk"))
    may_set_up = user.has_perm(f"settlement.{MAY}")
    context = {
        "house": house,
        "rows": _rows(rehearsal_list, user),
        "is_passed": any(each.is_passed for each in rehearsal_list),
        "is_waived": is_waived(house),
        "systems": systems,
        "may_begin": may_set_up and bool(systems),
        "may_play": may_set_up,
        "may_propose_terms": user.has_perm("settlement.propose_terms"),
        "may_waive": user.has_perm(f"settlement.{proposals.MAY}"),
    }
    return render(request, "console/rehearsals/rehearsal.html", context)


def _rows(rehearsal_list: list[Rehearsal], user: Any) -> list[dict[str, Any]]:
    tables: defaultdict[int, list[GamingTable]] = defaultdict(list)
    proposed: defaultdict[int, list[int]] = defaultdict(list)
    systems = [each.system.pk for each in rehearsal_list]
    with inside_rehearsal(), only(visible_to(user)):
        for table in GamingTable.objects.filter(system__in=systems, moved_to=None):
            tables[table.system_id].append(table)
        waiting = Proposal.objects.filter(
            system__in=systems, kind=Proposal.Kind.PUT_TERMS, decision=None
        )
        for system, number in waiting.values_list("system", "pk"):
            proposed[system].append(number)
    return [_row(each, tables[each.system.pk], proposed[each.system.pk]) for each in rehearsal_list]


def _row(each: Rehearsal, tables: list[GamingTable], proposed: list[int]) -> dict[str, Any]:
    lines = [_line(step, each, tables, proposed) for step in each.steps]
    is_done = {step.code: step.is_done for step in each.steps}
    return {
        "rehearsal": each,
        "steps": lines,
        "tables": tables,
        "needs_terms": not is_done["terms"] and not proposed,
        "needs_hand": is_done["terms"] and not each.is_passed and not each.has_open_claim,
        "inside": inside(reverse("home")),
    }


def _line(
    step: RehearsalStep, each: Rehearsal, tables: list[GamingTable], proposed: list[int]
) -> StepLine:
    permission = _PERMISSIONS[step.code]
    roles = [ROLE_NAMES[role] for role, codes in ROLES.items() if permission in codes]
    address = inside(_address(step.code, each, tables, proposed))
    return StepLine(step, roles, _LINKS[step.code], address)


def _address(code: str, each: Rehearsal, tables: list[GamingTable], proposed: list[int]) -> str:
    """The page, as it is called outside, on which the step is taken."""
    system = each.system.code
    if code == "terms":
        return reverse("terms-proposal", args=proposed[:1]) if proposed else reverse("terms")
    if code == "displayed" and tables:
        return f"{reverse('display', args=[tables[0].display_key])}?screen=rehearsal"
    if code in ("unit", "recorded", "displayed", "claim"):
        return reverse("set-up-tables", args=[system])
    if code == "reconciled":
        return reverse("reconciliation")
    if each.claim is None:
        return reverse("claims")
    return reverse("claim-cage" if code == "paid" else "claim", args=[system, each.claim])


def _answer_to_form(request: HttpRequest, house: Casino) -> HttpResponse:
    acts: dict[str, Callable[[HttpRequest, Casino], str]] = {
        "begin": _begin,
        "terms": _terms,
        "play": _play,
        "waive": _waive,
    }
    act = acts.get(request.POST.get("do", ""))
    if act is None:
        raise BadRequest(_("The form does not say which action it is for."))
    try:
        message = act(request, house)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, message)
    return redirect("rehearsal", house.code)


def _begin(request: HttpRequest, house: Casino) -> str:
    services.begin(request.user, _system(request, house))
    return _("The rehearsal has started. Next: its terms.")


def _terms(request: HttpRequest, house: Casino) -> str:
    services.propose_terms(request.user, _rehearsed(request, house), _system(request, house))
    return _("Proposed: somebody else approves the terms of the rehearsal.")


def _play(request: HttpRequest, house: Casino) -> str:
    system = _rehearsed(request, house)
    with inside_rehearsal(), only(visible_to(request.user)):
        tables = GamingTable.objects.filter(system=system, moved_to=None)
        table = get_object_or_404(
            tables.select_related("system"), code=request.POST.get("table", "")
        )
        practice_unit.play(request.user, table)
    return _("The practice unit has played, and reported a jackpot hand. Next: verify the claim.")


def _waive(request: HttpRequest, house: Casino) -> str:
    services.propose_to_open_without(request.user, house, request.POST.get("note", ""))
    return _("Proposed: nothing changes until somebody else approves it.")


def _system(request: HttpRequest, house: Casino) -> JackpotSystem:
    """The real one that a form names."""
    rows = JackpotSystem.objects.for_money().filter(casino=house).select_related("casino")
    return get_object_or_404(rows, code=request.POST.get("of", ""))


def _rehearsed(request: HttpRequest, house: Casino) -> JackpotSystem:
    """The rehearsal that a form names."""
    with inside_rehearsal(), only(visible_to(request.user)):
        rows = JackpotSystem.objects.rehearsals().filter(casino=house).select_related("casino")
        return get_object_or_404(rows, code=request.POST.get("system", ""))
