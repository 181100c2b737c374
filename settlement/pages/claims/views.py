"""The claims: all of them as a list, and one with everything there is to know of it."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from settlement.approvals.proposals import of_claim
from settlement.claims import services as services
from settlement.claims.lookup import claim_named
from settlement.notifications.own import unread
from settlement.pages.claims.actions import carry_out
from settlement.pages.claims.detail import claim_context, version_of
from settlement.pages.claims.queue.filter import ClaimFilter
from settlement.pages.claims.queue.rows import claim_rows
from settlement.pages.shared.context import claim_counts
from settlement.pages.shared.decorators import opens_for
from tables.visibility import visible

CLAIMS_A_PAGE = 25


@require_safe
@opens_for("view_claim")
def claim_list(request: HttpRequest) -> HttpResponse:
    """Claims by standing, system, table and prize: open ones first, the oldest on top."""
    chosen = ClaimFilter(request.GET)
    page = Paginator(chosen.hits(), CLAIMS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "filter": chosen,
        "page": page,
        "claims": claim_rows(page.object_list, request.user),
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
