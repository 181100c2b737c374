"""Findings of variances: what is open and whose turn it is, explaining and signing off."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.drop import findings as service
from settlement.models import Finding, FindingStep
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.decorators import opens_for

ROWS = 40


@require_safe
@opens_for("view_claim")
def findings(request: HttpRequest) -> HttpResponse:
    """Open findings first, then those that are signed or of counts that were corrected."""
    open_rows = list(service.open_findings())
    done = service.findings().exclude(pk__in=[finding.pk for finding in open_rows])
    page = Paginator(done, ROWS).get_page(request.GET.get("page"))
    context = {
        "open": [_row(finding, request.user) for finding in open_rows],
        "done": [_row(finding, request.user) for finding in page],
        "page": page,
        "may_explain": request.user.has_perm("settlement.explain_finding"),
        "may_sign": request.user.has_perm("settlement.sign_finding"),
        "longest": LONGEST_TEXT,
    }
    return render(request, "console/drop/findings.html", context)


@require_POST
@opens_for("explain_finding", "sign_finding")
def finding_step(request: HttpRequest, number: int) -> HttpResponse:
    """Take it, explain it, sign it off or send it back."""
    finding = get_object_or_404(service.findings(), pk=number)
    note = request.POST.get("note", "")
    try:
        match request.POST.get("step"):
            case "take":
                service.take(finding, request.user)
            case "explain":
                service.explain(finding, request.user, note)
            case "sign":
                service.sign(finding, request.user)
            case _:
                service.send_back(finding, request.user, note)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Saved."))
    return redirect("findings")


def _row(finding: Finding, user: Any) -> dict[str, Any]:
    newest = service.newest_step(finding)
    owner = service.owner(finding)
    is_explained = newest is not None and newest.kind == FindingStep.Kind.EXPLAIN
    return {
        "finding": finding,
        "count": finding.count,
        "casino": finding.count.system.casino,
        "owner": owner,
        "steps": list(finding.steps.all()),
        "is_explained": is_explained,
        "is_own": owner == user,
        "is_corrected": getattr(finding.count, "corrected_by", None) is not None,
    }
