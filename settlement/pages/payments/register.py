"""The register of payouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from settlement.core.report_query import Report
from settlement.pages.shared.choices import (
    casino_or_404,
    choice_of,
    days_of,
    query_without,
    shortcuts,
)
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.exports import Export, as_csv
from settlement.payments.register import payout_register, totals
from tables.models import Casino

ROWS = 200


@require_safe
@opens_for("view_claim")
def payouts(request: HttpRequest) -> HttpResponse:
    """Payouts of some gaming days with their parts, all who took part, and totals."""
    casino = casino_or_404(request)
    register, system = _register(request, casino)
    page: Page[dict[str, Any]] = Paginator(Rows(register), ROWS).get_page(request.GET.get("page"))
    days = days_of(request)
    return render(
        request,
        "console/payments/register.html",
        {
            "casino": casino,
            "printed_at": timezone.now(),
            "casinos": Casino.objects.order_by("name"),
            "systems": casino.systems.order_by("name"),
            "system": system,
            "days": days,
            "shortcuts": shortcuts(request, casino),
            "is_filtered": bool(days.first or days.last or system),
            "page": page,
            "totals": totals(register),
            "query": query_without(request, "page"),
            "may_export": request.user.has_perm("settlement.export_reports"),
        },
    )


@require_safe
@opens_for("export_reports")
def payouts_csv(request: HttpRequest) -> Export:
    """The register of the same filter, all of it."""
    register, _ = _register(request, casino_or_404(request))
    return as_csv(request, register)


def _register(request: HttpRequest, casino: Casino) -> tuple[Report, str]:
    codes = set(casino.systems.values_list("code", flat=True))
    system = choice_of(request, "system", codes)
    return payout_register(casino, days_of(request), system), system


class Rows(Sequence[dict[str, Any]]):
    """A report as a paginator reads it: slices only."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def __len__(self) -> int:
        return self._report.count()

    def __getitem__(self, part: Any) -> Any:
        return self._report.rows(part.stop - part.start, part.start)
