"""Screens: pair one by its code, see how each is and what it shows, change it, remove it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from jackpot.models import Screen
from jackpot.screens import content as screen_content
from jackpot.screens.content import picture_of
from jackpot.screens.layouts import LAYOUTS
from jackpot.screens.views import picture_answer, screen_answer
from settlement.core.errors import RuleBroken
from settlement.pages.claims.actions import refusal_text
from settlement.pages.screens import win_preview
from settlement.pages.screens.forms import PairForm, ScreenForm, casinos_for, form_of
from settlement.pages.shared.decorators import opens_for
from settlement.screens import screens as service
from tables.models import Casino

MAY = service.MAY
HEALTH = {
    "well": ("open", gettext_lazy("Shows values")),
    "behind": ("waiting", gettext_lazy("Takes over the change")),
    "stale": ("suspended", gettext_lazy("Values delayed")),
    "unseen": ("waiting", gettext_lazy("Not seen yet")),
    "silent": ("suspended", gettext_lazy("Not responding")),
}
SHAPES = (
    ("1920x1080", gettext_lazy("Landscape")),
    ("1080x1920", gettext_lazy("Upright")),
    ("3840x2160", gettext_lazy("4K")),
    ("1920x360", gettext_lazy("Strip")),
)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(MAY)
def screens(request: HttpRequest) -> HttpResponse:
    """All screens and how each is; a POST pairs one."""
    code = request.GET.get("code", "")[:20]
    form = PairForm(
        request.POST if request.method == "POST" else None,
        casinos=casinos_for(request.user, MAY),
        code=code,
    )
    if form.is_bound and form.is_valid():
        try:
            paired = service.pair(
                request.user, form.casino_chosen, form.cleaned_data["code"], form.screen_settings
            )
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            messages.success(request, _("The screen is paired: it shows values in a moment."))
            return redirect("screen-page", paired.pk)
    rows = [(each, *_health(each)) for each in service.screens()]
    context = {
        "form": form,
        "rows": rows,
        "layouts": LAYOUTS,
        "address": request.build_absolute_uri(reverse("screen")),
    }
    status = 422 if form.is_bound else 200
    return render(request, "console/screens/screens.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(MAY)
def screen_page(request: HttpRequest, number: int) -> HttpResponse:
    """One screen: what it shows, how it is; a POST changes or removes it."""
    screen = get_object_or_404(service.screens(), pk=number)
    form = form_of(screen)
    if request.method == "POST":
        form = ScreenForm(request.POST, casino=screen.casino)
        try:
            match request.POST.get("do"):
                case "remove":
                    service.remove(request.user, screen)
                    messages.success(request, _("The screen is removed and shows a new code."))
                    return redirect("screens")
                case "change" if form.is_valid():
                    service.change(request.user, screen, form.screen_settings)
                    messages.success(request, _("Saved: the screen takes it over in a moment."))
                    return redirect("screen-page", screen.pk)
                case "change":
                    pass
                case _:
                    raise BadRequest
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
    health, pill, words = _health(screen)
    width, height = (health.report.get(each) or 0 for each in ("width", "height"))
    context = {
        "screen": screen,
        "form": form,
        "health": health,
        "pill": pill,
        "words": words,
        "size": (width or 1920, height or 1080),
        "layouts": [(code, _(LAYOUTS[code])) for code in screen.layouts],
        "shapes": SHAPES,
        "systems": screen_content.systems_of(screen),
        "prizes": [(each.code, each.name) for each in win_preview.prizes_of(screen)],
        "amounts": win_preview.choices(),
    }
    status = 422 if form.is_bound else 200
    return render(request, "console/screens/screen.html", context, status=status)


@require_safe
@opens_for(MAY)
def screen_shows(request: HttpRequest, number: int) -> HttpResponse:
    """The picture of what the screen said that it draws, drawn by the screen's own script."""
    screen = get_object_or_404(service.screens(), pk=number)
    report = service.health_of(screen).report
    return _preview(request, screen, report or {"layout": "", "stale": "", "win": [], "shown": []})


@require_safe
@opens_for(MAY)
def screen_preview(request: HttpRequest, number: int) -> HttpResponse:
    """How a layout looks on it with the present values."""
    screen = get_object_or_404(service.screens(), pk=number)
    layout = request.GET.get("layout", "")
    return _preview(
        request,
        screen,
        {"layout": layout if layout in LAYOUTS else "", "stale": None, "win": [], "shown": []},
    )


@require_safe
@opens_for(MAY)
def screen_win(request: HttpRequest, number: int) -> HttpResponse:
    """What a win fills it with, marked as a preview; no screen reads it."""
    screen = get_object_or_404(service.screens(), pk=number)
    report: dict[str, Any] = {"layout": "", "stale": None, "win": [], "shown": []}
    with screen_content.in_language_of(screen):
        news = win_preview.news_of(
            win_preview.prizes_of(screen),
            request.GET.get("prize", ""),
            request.GET.get("amount", ""),
            with_cards=request.GET.get("cards") != "none",
        )
    if news is None:
        return _preview(request, screen, report, mark=_("Preview: no prize is posted"))
    report["win"] = [news[0], win_preview.HIT]
    return _preview(request, screen, report, news=news, mark=_("PREVIEW: nobody has won"))


@require_safe
@opens_for(MAY)
def console_picture(request: HttpRequest, digest: str) -> HttpResponse:
    """A picture of a casino that is seen."""
    casinos = list(Casino.objects.values_list("pk", flat=True))
    return picture_answer(request, picture_of(casinos, digest))


def _preview(
    request: HttpRequest,
    screen: Screen,
    report: dict[str, Any],
    news: tuple[str, dict[str, Any]] | None = None,
    mark: str = "",
) -> HttpResponse:
    """`news`: of a system, in the place of its own; `mark`: what stands above all of it."""
    content = screen_content.content_of(screen, layouts=tuple(LAYOUTS), picture=_picture)
    if news is not None:
        for system in content["systems"]:
            system["news"] = [news[1]] if system["code"] == news[0] else []
    context = {
        "screen": screen,
        "mark": mark,
        "frozen": {**report, "slide": report.get("slide"), "content": content},
    }
    with screen_content.in_language_of(screen):
        return screen_answer(request, context)


def _picture(digest: str) -> str:
    return reverse("console-picture", args=[digest]) if digest else ""


def _health(screen: Screen) -> tuple[service.Health, str, str]:
    health = service.health_of(screen)
    pill, words = HEALTH[health.state]
    return health, pill, str(words)
