"""The search as a page, which needs no script, and its results alone for the palette."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from settlement.pages.shared.decorators import opens_for
from settlement.search.search import READS, SETS_UP
from settlement.search.search import search as search_for

PALETTE = "X-Console-Palette"


@require_safe
@opens_for(READS, SETS_UP)
def search(request: HttpRequest) -> HttpResponse:
    """What there is by the name that was typed."""
    text = request.GET.get("q", "")
    groups = search_for(request.user, text)
    context = {
        "text": text.strip(),
        "groups": groups,
        "count": sum(len(group.results) for group in groups),
    }
    in_palette = PALETTE in request.headers
    template = "console/search/options.html" if in_palette else "console/search/search.html"
    return render(request, template, context)
