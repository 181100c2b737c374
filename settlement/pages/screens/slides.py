"""Slides and lines of the house, put up, changed and taken down; how its screens look."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from jackpot.models import Slide
from jackpot.screens.content import logo_of, schedule_of
from jackpot.screens.views import picture_answer
from settlement.approvals.capacities import visible_to
from settlement.core.errors import BadFile, RuleBroken
from settlement.pages.claims.actions import refusal_text
from settlement.pages.screens.forms import casinos_for
from settlement.pages.screens.slide_forms import LookForm, NamesForm, SlideForm, form_of, picture_in
from settlement.pages.shared.decorators import opens_for, takes_files
from settlement.screens import films, fonts
from settlement.screens import slides as service
from settlement.screens.pictures import MOST_BYTES
from settlement.screens.screens import MAY
from tables.models import Casino
from tables.visibility.scope import only

_AROUND_A_FILE = 64 * 1024  # the form's other fields


@require_http_methods(["GET", "HEAD", "POST"])
@takes_files(MAY, films.MOST_BYTES + _AROUND_A_FILE)
@opens_for(MAY)
def slides(request: HttpRequest) -> HttpResponse:
    """All that is up; a POST puts one more up."""
    casinos = casinos_for(request.user, MAY)
    form = SlideForm(casinos=casinos)
    if request.method == "POST":
        form = SlideForm(request.POST, request.FILES, casinos=casinos)
        if form.is_valid() and _put_up(request, form, None):
            messages.success(request, _("Published: screens show it in a moment."))
            return redirect("slides")
    now = timezone.now()
    rows = [
        (each, schedule_of(each).is_on(ZoneInfo(each.casino.timezone), now))
        for each in service.slides()
    ]
    context = {
        "form": form,
        "rows": rows,
        "prizes": [(each.name, service.prizes_of(each)) for each in casinos.values()],
        "casinos": casinos.values(),
    }
    status = 422 if form.is_bound else 200
    return render(request, "console/screens/slides.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@takes_files(MAY, films.MOST_BYTES + _AROUND_A_FILE)
@opens_for(MAY)
def slide(request: HttpRequest, number: int) -> HttpResponse:
    """One of them; a POST puts another in its place, or takes it down."""
    row = get_object_or_404(service.slides(), pk=number)
    casinos = {row.casino.code: row.casino}
    form = form_of(row, casinos)
    match request.POST.get("do") if request.method == "POST" else "":
        case "down":
            try:
                service.take_down(request.user, row)
            except RuleBroken as refusal:
                messages.error(request, refusal_text(refusal))
            else:
                messages.success(request, _("Unpublished."))
            return redirect("slides")
        case "change":
            form = SlideForm(request.POST, request.FILES, casinos=casinos)
            if form.is_valid() and _put_up(request, form, row):
                messages.success(request, _("Saved: screens take it over in a moment."))
                return redirect("slides")
        case "":
            pass
        case _:
            raise BadRequest
    context = {"slide": row, "form": form, "prizes": [("", service.prizes_of(row.casino))]}
    status = 422 if form.is_bound else 200
    return render(request, "console/screens/slide.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@takes_files(MAY, MOST_BYTES + _AROUND_A_FILE)
@opens_for(MAY)
def house_look(request: HttpRequest, casino: str) -> HttpResponse:
    """Logo, colours and font of a casino's screens."""
    place = get_object_or_404(Casino, code=casino)
    look = service.look_of(place)
    form = LookForm(look=look)
    if request.POST.get("do") in ("font", "no_font"):
        _put_font(request, place)
        return redirect("house-look", place.code)
    is_named = request.POST.get("do") == "names"
    names = NamesForm(request.POST if is_named else None, prizes=service.named_in(place), look=look)
    if is_named:
        if names.is_valid() and _put_names(request, place, names):
            return redirect("house-look", place.code)
    elif request.method == "POST":
        form = LookForm(request.POST, request.FILES, look=look)
        if form.is_valid():
            try:
                logo = picture_in(form, "logo")
                keep = not form.cleaned_data["drop_logo"]
                service.put_look(request.user, place, form.look, logo, keep=keep)
            except RuleBroken as refusal:
                form.add_error(None, refusal_text(refusal))
            else:
                messages.success(request, _("Saved: screens take it over in a moment."))
                return redirect("house-look", place.code)
    context = {"place": place, "look": look, "form": form, "names": names}
    status = 422 if form.is_bound or is_named else 200
    return render(request, "console/screens/look.html", context, status=status)


def _put_font(request: HttpRequest, place: Casino) -> None:
    """Take the font that was sent, or remove the one that is there; and say it."""
    try:
        font = None
        if request.POST.get("do") == "font":
            file = request.FILES.get("file")
            if file is None:
                raise BadFile(_("Choose a file."))
            font = fonts.read(file.name or "", file.read(fonts.MOST_BYTES + 1))
        service.put_font(request.user, place, font)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Saved: screens take it over in a moment."))


def _put_names(request: HttpRequest, place: Casino, form: NamesForm) -> bool:
    """Whether the names are taken; else the form says why not."""
    try:
        service.put_names(request.user, place, form.names)
    except RuleBroken as refusal:
        form.add_error(None, refusal_text(refusal))
        return False
    messages.success(request, _("Saved: screens take it over in a moment."))
    return True


def _put_up(request: HttpRequest, form: SlideForm, was: Slide | None) -> bool:
    """Whether it is up; else the form says why not."""
    try:
        picture = picture_in(form, "slide")
        service.put_up(request.user, form.casino_chosen, form.content, picture, was)
    except RuleBroken as refusal:
        form.add_error(None, refusal_text(refusal))
        return False
    return True


@require_safe
@login_required
def house_logo(request: HttpRequest, digest: str) -> HttpResponse:
    """The logo in the header of each page: kept by the browser, as it is nothing personal."""
    with only(visible_to(request.user)):
        casinos = list(Casino.objects.values_list("pk", flat=True))
        return picture_answer(request, logo_of(casinos, digest))
