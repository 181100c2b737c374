"""Proposed terms, as the second person reads them before agreeing."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from jackpot.models import Entry
from jackpot.queries.dry_run import refusal
from settlement.approvals.proposals import PERMISSIONS
from settlement.core.gaming_day import today
from settlement.core.input import LONGEST_TEXT
from settlement.models import Proposal
from settlement.pages.shared.decorators import opens_for
from settlement.pages.terms.effect import RetypeForm, effect
from settlement.pages.terms.examples import examples
from settlement.pools.status import posted_terms
from settlement.terms import drafts
from settlement.terms.differences import Change, differences, notice_difference
from settlement.terms.local_rules import against_the_rules


@require_safe
@opens_for("view_claim")
def terms_proposal(request: HttpRequest, number: int) -> HttpResponse:
    """The difference to what was in force, the notice, and the two forms beside it."""
    proposal = (
        Proposal.objects.select_related("system__casino", "person", "decision__person")
        .filter(pk=number, kind=drafts.KIND)
        .first()
    )
    if proposal is None:
        raise Http404(_("There are no proposed terms No. %(number)s.") % {"number": number})
    system, casino = proposal.system, proposal.system.casino
    decision = getattr(proposal, "decision", None)
    entry = None
    if decision is not None and decision.agreed:
        entry = Entry.objects.filter(system=system, command=decision.command).first()
    terms = drafts.read(proposal.body["terms"])
    versions = posted_terms([system]).get((system.pk, terms.code), [])
    # Once they are in effect they are compared with what they replaced.
    before = [v for v in versions if entry is None or v.effective_seq < entry.seq]
    in_force = before[-1].terms if before else None
    lines = differences(in_force, terms, casino)
    may = [request.user.has_perm(f"settlement.{each}") for each in PERMISSIONS[proposal.kind]]
    return render(
        request,
        "console/terms/proposal.html",
        {
            "proposal": proposal,
            "decision": decision,
            "entry": entry,
            "system": system,
            "casino": casino,
            "terms": terms,
            "against": against_the_rules(terms, casino, today(casino)),
            "force": proposal.body.get("force"),
            "notice": notice_difference(in_force, terms, casino),
            "examples": examples(terms),
            "changed": [line for line in lines if line.state != Change.SAME],
            "same": [line for line in lines if line.state == Change.SAME],
            "is_new": in_force is None,
            "is_known": bool(versions),
            **effect(system, in_force, terms),
            "again": RetypeForm(drafts.figures_of(proposal)) if decision is None else None,
            "typed_by": list(proposal.retyped.select_related("person").order_by("id")),
            "refused": refusal(system, proposal.kind, proposal.body, proposal.person.get_username())
            if decision is None
            else None,
            "may_propose": may[0],
            "may_agree": may[1],
            "longest_note": LONGEST_TEXT,
            "crumbs": [(_("Terms"), reverse("terms")), (system.name, None)],
        },
    )
