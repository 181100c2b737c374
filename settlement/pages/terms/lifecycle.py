"""A jackpot in play: its prizes and tables, what is suspended, what is to be closed."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_http_methods

from jackpot.models import TableState
from jackpot.terms.document import JackpotTerms
from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.core.words.translation import Labels
from settlement.floor.suspensions import suspensions
from settlement.models import Proposal
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.choices import system_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.pools.status import Posted, posted_terms
from settlement.terms import lifecycle
from tables.models import JackpotSystem

ACCOUNTS = Labels(
    {
        "adjustments": gettext_noop("Kept until it is decided where it goes (adjustments)"),
        "operator": gettext_noop("The operator; never players' money (19.2)"),
    }
)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_claim")
def jackpot_lifecycle(request: HttpRequest, system: str, jackpot: str) -> HttpResponse:
    """What is in play, with a form beside each prize and each table."""
    jackpot_system = system_or_404(system)
    versions = posted_terms([jackpot_system]).get((jackpot_system.pk, jackpot))
    if not versions:
        raise Http404(gettext("No such jackpot was ever posted on this system."))
    status = 200
    if request.method == "POST":
        try:
            outcome = _carry_out(request, jackpot_system, jackpot)
        except RuleBroken as refused:
            messages.error(request, refusal_text(refused))
            status = REFUSED
        else:
            messages.success(request, outcome)
            return redirect(reverse("jackpot-lifecycle", args=[system, jackpot]))
    context = _context(request, jackpot_system, versions)
    return render(request, "console/terms/lifecycle.html", context, status=status)


def _context(request: HttpRequest, system: JackpotSystem, versions: list[Posted]) -> dict[str, Any]:
    posted, may = versions[-1], request.user.has_perm
    return {
        "system": system,
        "casino": system.casino,
        "posted": posted,
        "tiers": _prizes(system, posted.terms),
        "tables": _tables(system, posted.terms),
        "closed": _closed(versions, posted.terms.closed),
        "accounts": list(ACCOUNTS.items()),
        "may_suspend": may("settlement.suspend_jackpot"),
        "may_close": may("settlement.propose_closing"),
        "may_agree": may("settlement.second_closing"),
        "longest_note": LONGEST_TEXT,
        "crumbs": [
            (gettext("Terms"), reverse("terms")),
            (posted.terms.name, reverse("jackpot-terms", args=[system.code, posted.terms.code])),
        ],
    }


def _prizes(system: JackpotSystem, terms: JackpotTerms) -> list[dict[str, Any]]:
    """The prizes, the highest first, with those that may inherit their pools."""
    closings = lifecycle.open_closings(system)
    heirs = [
        (tier.code, tier.name)
        for _, versions in sorted(posted_terms([system]).items())
        for tier in versions[-1].terms.tiers
    ]
    return [
        {
            "tier": tier,
            "is_suspended": tier.code in terms.suspended,
            "closing": closings.get(tier.code),
            "goes_to": _goes_to(closings.get(tier.code), dict(heirs)),
            "heirs": [heir for heir in heirs if heir[0] != tier.code],
            "key": uuid.uuid4(),
        }
        for tier in sorted(terms.tiers, key=lambda tier: tier.rank)
    ]


def _goes_to(closing: Proposal | None, names: dict[str, str]) -> str:
    body = closing.body if closing else {}
    return names.get(body.get("to_tier", ""), "") or ACCOUNTS.get(body.get("to_account", ""), "")


def _tables(system: JackpotSystem, terms: JackpotTerms) -> list[dict[str, Any]]:
    open_tables = _open_tables(system)
    lost = {s.table.code: s for s in suspensions([system]) if s.jackpot.code == terms.code}
    return [
        {
            "table": table,
            "suspension": lost.get(table.code),
            "is_open": table.code in open_tables,
            "key": uuid.uuid4(),
        }
        for table in system.tables.order_by("pk")
        if terms.is_at(table.code)
    ]


def _carry_out(request: HttpRequest, system: JackpotSystem, jackpot: str) -> str:
    """What the form asks for; what is said when it is done."""
    post = request.POST
    try:
        key = uuid.UUID(post.get("key", ""))
    except ValueError:
        key = uuid.uuid4()
    codes: dict[str, Any] = {name: post.get(name) or None for name in ("tier", "table")}
    reason = post.get("reason", "")
    if post.get("do") == "close":
        to = post.get("to", "")
        where, _, code = to.partition(":")
        closing = lifecycle.TierClosing(
            jackpot,
            codes["tier"] or "",
            reason=reason,
            to_tier=code if where == "tier" else None,
            to_account=code if where == "account" else None,
        )
        lifecycle.propose_closing(system, request.user, closing, key=key)
        return gettext(
            "Proposed: nothing moves until somebody else approves it, with the password."
        )
    again = post.get("do") == "resume"
    part = lifecycle.JackpotPart(system, jackpot, **codes)
    answer = lifecycle.suspend(part, request.user, reason=reason, again=again, key=key)
    if answer.seq is None:
        return gettext("Queued: it is carried out when the system resumes.")
    if again:
        return gettext("Resumed: rounds that begin from now on take part again.")
    return gettext("Suspended: rounds that begin from now on do not take part.")


def _open_tables(system: JackpotSystem) -> set[str]:
    states = TableState.objects.filter(table__system=system, session__isnull=False)
    return set(states.values_list("table__code", flat=True))


def _closed(versions: list[Posted], closed: dict[str, str]) -> list[tuple[str, str]]:
    """The prizes that were closed, by the names they had, and where their pools went."""
    names = {tier.code: tier.name for each in versions for tier in each.terms.tiers}
    return [
        (names.get(tier, tier), names.get(to.partition(":")[0], to)) for tier, to in closed.items()
    ]
