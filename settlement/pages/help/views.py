"""Help: everything, one page's, one rule's. A script of pages asks for the text alone."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from settlement.help import glossary
from settlement.help.pages import explain
from settlement.pages.shared.decorators import opens_for
from settlement.people.permissions import may
from settlement.search.search import READS, SETS_UP

PANEL = "X-Console-Help"


@require_safe
@opens_for(READS, SETS_UP)
def help_page(request: HttpRequest) -> HttpResponse:
    """Every rule that the documents explain, and every term of the glossary."""
    terms = sorted(glossary.terms(), key=lambda term: term.words)
    context = {"rules": glossary.rules(), "terms": terms}
    return render(request, "console/help/help.html", context)


@require_safe
@opens_for(READS, SETS_UP)
def page_help(request: HttpRequest, page: str) -> HttpResponse:
    """What one page is for, what its reader may do there, its words and rules."""
    try:
        explained = explain(page, lambda permission: may(request.user, permission))
    except KeyError as unknown:
        raise Http404(page) from unknown
    return _shown(request, "page", {"explained": explained})


@require_safe
@opens_for(READS, SETS_UP)
def rule_help(request: HttpRequest, rule: str) -> HttpResponse:
    """Rules by their numbers."""
    rules = [each for number in glossary.numbers_in(rule) for each in glossary.rules_by(number)]
    if not rules:
        raise Http404(rule)
    return _shown(request, "rule", {"rules": list(dict.fromkeys(rules))})


def _shown(request: HttpRequest, kind: str, context: dict[str, object]) -> HttpResponse:
    in_panel = PANEL in request.headers
    template = f"console/help/{kind}_text.html" if in_panel else f"console/help/{kind}.html"
    response = render(request, template, {**context, "in_panel": in_panel})
    response["Vary"] = PANEL
    return response
