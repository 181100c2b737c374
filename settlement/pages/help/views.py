"""Help: everything, guides, one page's, one rule's. A script of pages asks for the text alone."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from settlement.help import glossary, guides, tour
from settlement.help.pages import explain
from settlement.pages.shared.decorators import opens_for
from settlement.people.rights.permissions import may
from settlement.people.rights.roles import held
from settlement.search.search import READS, SETS_UP
from settlement.search.sections import open_to

PANEL = "X-Console-Help"


@require_safe
@opens_for(READS, SETS_UP)
def help_page(request: HttpRequest) -> HttpResponse:
    """Every rule that the documents explain, and every term of the glossary."""
    terms = sorted(glossary.terms(), key=lambda term: term.words)
    context = {"rules": glossary.rules(), "terms": terms, "guides": _guides(request)}
    return render(request, "console/help/help.html", context)


@require_safe
@opens_for(READS, SETS_UP)
def page_help(request: HttpRequest, page: str) -> HttpResponse:
    """What one page is for, what its reader may do there, its words and rules."""
    try:
        explained = explain(page, lambda permission: may(request.user, permission))
    except KeyError as unknown:
        raise Http404(page) from unknown
    return _page(request, "page", {"explained": explained})


@require_safe
@opens_for(READS, SETS_UP)
def rule_help(request: HttpRequest, rule: str) -> HttpResponse:
    """Rules by their numbers."""
    rules = [each for number in glossary.numbers_in(rule) for each in glossary.rules_by(number)]
    if not rules:
        raise Http404(rule)
    return _page(request, "rule", {"rules": list(dict.fromkeys(rules))})


@require_safe
@opens_for(READS, SETS_UP)
def role_guide(request: HttpRequest, role: str) -> HttpResponse:
    """The tasks of a role, to read and to print."""
    if role not in guides.GUIDES:
        raise Http404(role)
    context = {
        "name": guides.role_name(role),
        "tasks": guides.tasks_of(role),
        "opened": {name: label for label, name, _ in open_to(request.user)},
        "width": guides.PICTURE_WIDTH,
        "height": guides.PICTURE_HEIGHT,
    }
    return render(request, "console/help/guide.html", context)


@require_POST
@opens_for(READS, SETS_UP)
def tour_go(request: HttpRequest) -> HttpResponse:
    """To a page of the tour by its number; 0 ends it."""
    text = request.POST.get("number", "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 3 else tour.OVER
    stop = tour.go_to(request.user, request.session, number)
    if stop is not None:
        return redirect(stop.page)
    messages.info(request, _("You can find the tour again under Help and Your account."))
    return redirect("home")


def _guides(request: HttpRequest) -> list[tuple[str, str, bool]]:
    """Each guide with its role, and whether it is the reader's own; those first."""
    own = held(request.user).names
    rows = [(slug, guides.role_name(slug), role in own) for slug, role in guides.GUIDES.items()]
    return sorted(rows, key=lambda row: not row[2])


def _page(request: HttpRequest, kind: str, context: dict[str, object]) -> HttpResponse:
    in_panel = PANEL in request.headers
    template = f"console/help/{kind}_text.html" if in_panel else f"console/help/{kind}.html"
    response = render(request, template, {**context, "in_panel": in_panel})
    response["Vary"] = PANEL
    return response
