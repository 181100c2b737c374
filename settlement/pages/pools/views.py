"""Pools: where each stands, and what moved it."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from jackpot.models import Tier
from jackpot.queries.period_standing import ended_periods, running
from settlement.core.input import LONGEST_TEXT
from settlement.core.words.labels import KINDS
from settlement.pages.pools.growth import SPANS, growth
from settlement.pages.reports.links import report_of
from settlement.pages.shared.amount_tables import Precision
from settlement.pages.shared.choices import (
    choice_of,
    days_of,
    number_of,
    query_with,
    query_without,
    shortcuts,
    system_or_404,
)
from settlement.pages.shared.decorators import opens_for
from settlement.pools.adjustments import adjustments_of
from settlement.pools.history import Page, PoolHistory
from settlement.pools.status import Pool, pool_statuses, pools_of, posted_terms, with_to_return

ROWS = 50
ADJUSTMENTS_SHOWN = 20
PERIODS_SHOWN = 8


@require_safe
@opens_for("view_claim")
def pools(request: HttpRequest) -> HttpResponse:
    """Every system with its jackpots and tiers."""
    return render(
        request, "console/pools/list.html", {"standings": with_to_return(pool_statuses())}
    )


@require_safe
@opens_for("view_claim")
def pool(request: HttpRequest, system: str, tier: str) -> HttpResponse:
    """One pool: its value over time and everything that moved it."""
    pool_row = pool_or_404(system, tier)
    casino = pool_row.system.casino
    days, kind = days_of(request), choice_of(request, "kind", KINDS)
    history = PoolHistory(pool_row.tier, days, kind)
    page = history.page(
        ROWS, before=number_of(request, "before"), after=number_of(request, "after")
    )
    amounts = [row[name] for row in page.rows for name in ("in_micros", "out_micros")]
    amounts += [row["pool_micros"] for row in page.rows]
    context: dict[str, Any] = {
        "pool": pool_row,
        "casino": casino,
        "system": pool_row.system,
        "period": running(pool_row.tier, pool_row.terms),
        "ended": ended_periods(pool_row.tier, PERIODS_SHOWN),
        "crumbs": [(gettext("Pools"), reverse("pools")), (pool_row.system.name, None)],
        "days": days,
        "kind": kind,
        "kinds": KINDS.items(),
        "shortcuts": shortcuts(request, casino),
        "page": page,
        "precision": Precision.of(casino, amounts),
        "is_filtered": bool(days.first or days.last or kind),
        "query": (query := query_without(request, "before", "after")),
        **ways(page, query, request.path),
        "report": report_of("ledger", casino, days, system=system, tier=tier)
        if request.user.has_perm("settlement.export_reports")
        else "",
        "adjustments": adjustments_of(pool_row.tier, ADJUSTMENTS_SHOWN),
        "may_adjust": request.user.has_perm("settlement.propose_adjustment"),
        "may_agree": request.user.has_perm("settlement.second_adjustment"),
        "longest_note": LONGEST_TEXT,
        "chart": growth(history, days, span := choice_of(request, "span", SPANS)),
        "spans": [
            (label, f"{query_with(request, span=code)}#growth", code == span)
            for code, label in SPANS.items()
        ],
    }
    return render(request, "console/pools/detail.html", context)


def ways(page: Page, query: str, path: str) -> dict[str, str]:
    """The addresses of the newest, the newer and the older rows; empty where there are none."""
    start = f"{query}&" if query else "?"
    return {
        "newest": (query or path) if page.newer is not None else "",
        "newer": f"{start}after={page.newer}" if page.newer is not None else "",
        "older": f"{start}before={page.older}" if page.older is not None else "",
    }


def tier_or_404(system: str, tier: str) -> Tier:
    tiers = Tier.objects.select_related("system__casino").filter(
        system=system_or_404(system), code=tier
    )
    row = tiers.first()
    if row is None:
        raise Http404(
            gettext("The system %(system)s has no prize %(tier)s.")
            % {"system": system, "tier": tier}
        )
    return row


def pool_or_404(system: str, tier: str) -> Pool:
    """A tier's pool with the terms that post it."""
    row = tier_or_404(system, tier)
    return pools_of([row.system], posted_terms([row.system]), [row])[0]
