"""Findings of variances: what is open and whose turn it is, explaining and signing off."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.db.models import F, QuerySet
from django.db.models.functions import Abs
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST, require_safe

from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.drop import findings as service
from settlement.models import Finding, FindingStep
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.cursor import page_of_rows
from settlement.pages.shared.lists.narrowing import Narrowing, narrowing_of
from settlement.pages.shared.lists.narrowing import context_of as narrowing_context
from settlement.pages.shared.lists.order import Column, Order, Sort, order_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.pages.shared.lists.saved_views import has_views
from tables.models import Casino

ROWS = 40
_OPENED = Column("pk", int)
SORTS = (
    Sort("opened", gettext_noop("Opened"), (_OPENED,)),
    Sort("day", gettext_noop("Gaming day"), (Column("count__day", dt.date), _OPENED)),
    Sort("variance", gettext_noop("Variance"), (Column("variance", int), _OPENED)),
)


@require_safe
@opens_for("view_claim")
@has_views("findings")
def findings(request: HttpRequest) -> HttpResponse:
    """Those that are open, and those that were signed or of counts that were corrected."""
    casino = Casino.objects.order_by("pk").first()
    narrowing = narrowing_of(request, casino.minor_digits if casino else 2, _people())
    order = order_of(request, SORTS)
    open_rows = _narrowed(service.open_findings(), narrowing)
    closed = _narrowed(service.findings(), narrowing).exclude(
        pk__in=service.open_findings().order_by().values("pk")
    )
    page = page_of_rows(request, closed, order.columns, ROWS)
    context = {
        "open": [_row(finding, request.user) for finding in open_rows.order_by(*_keys(order))],
        "done": [_row(finding, request.user) for finding in page.rows],
        "page": page,
        "casino": casino,
        "narrows": bool(narrowing),
        "may_explain": request.user.has_perm("settlement.explain_finding"),
        "may_sign": request.user.has_perm("settlement.sign_finding"),
        "longest": LONGEST_TEXT,
        **narrowing_context(request, narrowing, casino),
        **order_context(request, SORTS, order),
        **views_context(request, "findings"),
    }
    return render(request, "console/drop/findings.html", context)


def _people() -> QuerySet[Any]:
    """Who entered a count of which there is a finding that the person sees."""
    users = get_user_model().objects.defer("password").order_by("username")
    return users.filter(pk__in=service.findings().order_by().values("count__person"))


def _narrowed(rows: QuerySet[Finding], narrowing: Narrowing) -> QuerySet[Any]:
    """By the gaming day, how large the variance is either way, and who entered the count."""
    narrowed: QuerySet[Any] = rows.annotate(
        variance=F("count__amount") - F("count__expected"),
        size=Abs(F("count__amount") - F("count__expected")),
    )
    filters = {
        "count__day__gte": narrowing.days.first,
        "count__day__lte": narrowing.days.last,
        "size__gte": narrowing.least,
        "size__lte": narrowing.most,
        "count__person__username": narrowing.person or None,
    }
    return narrowed.filter(**{name: value for name, value in filters.items() if value is not None})


def _keys(order: Order) -> list[str]:
    return [f"{'-' if each.is_down else ''}{each.name}" for each in order.columns]


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
