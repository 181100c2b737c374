"""A casino's jurisdiction pack: what holds, what another one would change, and what waits."""

from __future__ import annotations

import datetime as dt
from operator import itemgetter
from typing import Any, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.core.gaming_day import today
from settlement.jurisdiction import choices
from settlement.jurisdiction.choices import PackContents
from settlement.jurisdiction.rules import (
    PackError,
    PacksOfCasino,
    default_pack,
    is_of_house,
    packs,
    packs_of,
)
from settlement.models import JurisdictionChoice, SetUpProposal
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.decorators import opens_for
from settlement.set_up import proposals
from settlement.set_up.proposals import Kind
from tables.models import Casino


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_set_up")
def jurisdiction(request: HttpRequest, casino: str) -> HttpResponse:
    """What holds and what another pack would change; a POST proposes that one."""
    house = get_object_or_404(Casino.objects.all(), code=casino)
    if request.method == "POST":
        return _proposed(request, house)
    user = cast(Any, request.user)
    day, of_casino = today(house), packs_of(house)
    now = of_casino.choice_on(day)
    name, pack = of_casino.name_on(day), request.GET.get("pack", "")
    since = _since(request.GET.get("since", ""), house)
    is_chosen = pack in packs()
    context = {
        "house": house,
        "now": _row(now, of_casino) if now else None,
        "default": choices.title_of(default_pack(house)),
        "planned": [_row(each, of_casino) for each in of_casino.planned_after(day)],
        "past": [_row(each, of_casino) for each in of_casino.choices],
        "names": sorted(((each, choices.title_of(each)) for each in packs()), key=itemgetter(1)),
        "pack": pack if is_chosen else "",
        "since": since,
        "seen": _read(request, house, pack if is_chosen else name, since if is_chosen else day),
        "waiting": [
            {
                "proposal": each,
                "words": proposals.in_words(each),
                "seen": _read(request, house, *_of(each)),
                "may_agree": user.pk != each.person_id,
            }
            for each in proposals.open_proposals().filter(casino=house, kind=Kind.JURISDICTION)
        ],
        "may_propose": user.has_perm(f"settlement.{proposals.MAY}"),
        "may_agree": user.has_perm(f"settlement.{proposals.SECOND}"),
    }
    return render(request, "console/set_up/jurisdiction.html", context)


def _row(choice: JurisdictionChoice, of_casino: PacksOfCasino) -> dict[str, Any]:
    """`changed`: who changed the file since two people agreed to it, `house` or `release`."""
    try:
        by = "house" if is_of_house(choice.pack) else "release"
        changed = by if of_casino.is_changed(choice.pack) else ""
    except PackError:  # no file: which is said where it is read
        changed = ""
    return {"choice": choice, "title": choices.title_of(choice.pack), "changed": changed}


def _proposed(request: HttpRequest, house: Casino) -> HttpResponse:
    name, digest = request.POST.get("pack", ""), request.POST.get("digest", "")
    since = _since(request.POST.get("since", ""), house)
    try:
        contents = choices.contents(house, name, since)
        choices.propose(request.user, house, contents, digest)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Proposed: nothing changes until somebody else approves it."))
    return redirect("jurisdiction", house.code)


def _since(text: str, house: Casino) -> dt.date:
    """The day that was typed; without one the first from which a pack may hold."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return choices.first_day(house)


def _of(proposal: SetUpProposal) -> tuple[str, dt.date]:
    return proposal.body["pack"], dt.date.fromisoformat(proposal.body["since"])


def _read(request: HttpRequest, house: Casino, name: str, since: dt.date) -> PackContents | None:
    """None, with a message, where it cannot be read."""
    try:
        return choices.contents(house, name, since)
    except PackError as fault:
        messages.error(request, str(fault))
        return None
