"""The claims: all of them as a list, and one with everything there is to know of it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from settlement.approvals.proposals import of_claim
from settlement.claims import services as services
from settlement.claims.lookup import claim_named
from settlement.notifications.personal_list import unread
from settlement.pages.claims.actions import carry_out
from settlement.pages.claims.detail import claim_context, version_of
from settlement.pages.claims.queue.filter import SORTS, ClaimFilter, people
from settlement.pages.claims.queue.rows import claim_rows
from settlement.pages.shared.context import claim_counts
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.cursor import page_of_rows
from settlement.pages.shared.lists.narrowing import context_of as narrowing_context
from settlement.pages.shared.lists.narrowing import narrowing_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.order import order_of
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.pages.shared.lists.saved_views import has_views
from tables.models import Casino
from tables.visibility.scope import visible

CLAIMS_A_PAGE = 25


@require_safe
@opens_for("view_claim")
@has_views("claims")
def claim_list(request: HttpRequest) -> HttpResponse:
    """Claims by standing, system, table, prize, days, amount and person; the usual ones are open,
    the most urgent on top."""
    casinos = list(Casino.objects.order_by("pk"))
    casino = next(iter(casinos), None)
    narrowing = narrowing_of(request, casino.minor_digits if casino else 2, people())
    chosen = ClaimFilter(request.GET)
    order = order_of(request, SORTS, chosen.usual)
    rows = chosen.hits(narrowing, casinos)
    page = page_of_rows(request, rows, order.columns, CLAIMS_A_PAGE)
    context = {
        "filter": chosen,
        "page": page,
        "claims": claim_rows(page.rows, request.user),
        "narrows": chosen.narrows or bool(narrowing),
        **narrowing_context(request, narrowing, casino),
        **order_context(request, SORTS, order),
        **views_context(request, "claims"),
    }
    return render(request, "console/claims/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_claim")
def claim(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """One claim; an action on it is a POST to the same address."""
    claim_row = claim_named(request.method, system, number)
    if request.method == "POST" and "open" in request.POST:  # the page that waits for the claim
        return redirect(request.path)
    if request.method == "POST":
        return carry_out(request, claim_row)
    return render(request, "console/claims/detail.html", claim_context(claim_row, request.user))


@require_safe
@opens_for("view_claim")
def claim_version(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """The version of the claim, for a page that wants to know whether it is still current."""
    claim_row = claim_named(request.method, system, number)
    version = version_of(claim_row, services.hit_of(claim_row), of_claim(claim_row))
    return HttpResponse(version, content_type="text/plain; charset=utf-8")


@require_safe
@opens_for("view_claim")
def open_claims(request: HttpRequest) -> HttpResponse:
    """The numbers behind the badges, for pages that heard of something new."""
    new = unread(request.user, visible()).count()
    return JsonResponse({**claim_counts(), "unread": new})


@require_safe
@opens_for("view_claim")
def claim_print(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """The claim for the file: on paper, with lines to sign."""
    claim_row = claim_named(request.method, system, number)
    return render(request, "console/claims/print.html", claim_context(claim_row, request.user))
