"""Staff who play: who sits at a table now, who is named as dealt in, and the second word on it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST

from settlement.claims.lookup import claim_named
from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.models import StaffPlay
from settlement.pages.shared.decorators import opens_for
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import name_of
from tables.models import GamingTable

MOST_SHOWN = 50
# Minutes ago, as people say them.
AGO = (
    *(
        (0, gettext_noop("Now")),
        (30, gettext_noop("30 minutes ago")),
        (60, gettext_noop("1 hour ago")),
        (120, gettext_noop("2 hours ago")),
    ),
    *((240, gettext_noop("4 hours ago")), (480, gettext_noop("8 hours ago"))),
)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_claim")
def plays(request: HttpRequest) -> HttpResponse:
    """Who plays now; somebody sits down."""
    if request.method == "POST":
        person = get_object_or_404(staff_play.colleagues(), pk=_number(request, "person"))
        table = get_object_or_404(GamingTable, pk=_number(request, "table"))
        ago = dict(AGO).keys() & {_number(request, "ago")}
        since = timezone.now() - dt.timedelta(minutes=min(ago, default=0))
        note = request.POST.get("note", "")
        _tell(
            request,
            lambda: staff_play.sit_down(person, table, request.user, since=since, note=note),
            _recorded(request, person, table),
        )
        return redirect("plays")
    now_playing = list(staff_play.playing())
    past_plays = StaffPlay.objects.exclude(pk__in=[play.pk for play in now_playing])
    past_plays = past_plays.select_related(
        "person", "table__system__casino", "said_by", "end", "word__person"
    )
    context = {
        "waiting": [_waiting(play, request.user) for play in staff_play.waiting()],
        "longest_note": LONGEST_TEXT,
        "playing": [
            {
                "play": play,
                "who": name_of(play.person),
                "said_by": name_of(play.said_by),
                "may_end": play.person_id == request.user.pk
                or request.user.has_perm("settlement.confirm_claim"),
            }
            for play in now_playing
        ],
        "gone": [_past_play(play) for play in past_plays.order_by("-id")[:MOST_SHOWN]],
        "colleagues": staff_play.colleagues(),
        "tables": GamingTable.objects.filter(moved_to=None)
        .select_related("system")
        .order_by("system__name", "pk"),
        "ago": [(minutes, _(words)) for minutes, words in AGO],
    }
    return render(request, "console/people/staff_play.html", context)


def _waiting(play: StaffPlay, user: Any) -> dict[str, Any]:
    """What one colleague said of another; what this person can say of it."""
    until = staff_play.counts_until(play)
    return {
        "play": play,
        "who": name_of(play.person),
        "said_by": name_of(play.said_by),
        "until": until if until is not None and until > timezone.now() else None,
        "own": play.person_id == user.pk,
        "said_it": play.said_by_id == user.pk,
    }


def _past_play(play: StaffPlay) -> dict[str, Any]:
    word, end = getattr(play, "word", None), getattr(play, "end", None)
    return {
        "play": play,
        "who": name_of(play.person),
        "said_by": name_of(play.said_by),
        "until": play.until or (end.at if end is not None else None),
        "word": word,
        "word_by": name_of(word.person) if word is not None else "",
    }


@require_POST
@opens_for("view_claim")
def second_word(request: HttpRequest, number: int) -> HttpResponse:
    """The second word on what a colleague said: dealt in, or not."""
    play = get_object_or_404(StaffPlay.objects.select_related("person", "table"), pk=number)
    agrees = request.POST.get("word") == "yes"
    note = request.POST.get("note", "")
    kept_out = _("%(name_of)s cannot decide on hands of that time.") % {
        "name_of": name_of(play.person)
    }
    free = _("%(name_of)s may decide again.") % {"name_of": name_of(play.person)}
    _tell(
        request,
        lambda: staff_play.give_word(play, request.user, agrees=agrees, note=note),
        _("Recorded: %(kept_out)s") % {"kept_out": kept_out if agrees else free},
    )
    return redirect("plays")


@require_POST
@opens_for("view_claim")
def leave(request: HttpRequest, number: int) -> HttpResponse:
    """Somebody has left the table."""
    play = get_object_or_404(StaffPlay.objects.select_related("person", "table"), pk=number)
    _tell(
        request,
        lambda: staff_play.leave(play, request.user),
        _("Recorded: %(name_of)s has left %(table_name)s.")
        % {"name_of": name_of(play.person), "table_name": play.table.name},
    )
    return redirect("plays")


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_claim")
def name_player(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """Somebody of the staff was dealt in at this claim's hand."""
    claim = claim_named(request.method, system, number)
    if request.method != "POST":
        context = {"claim": claim, "colleagues": staff_play.colleagues()}
        return render(request, "console/claims/player.html", context)
    person = get_object_or_404(staff_play.colleagues(), pk=_number(request, "person"))
    note = request.POST.get("note", "")
    text = _("Recorded: %(name_of)s is excluded from this claim.")
    if person.pk != request.user.pk:
        text = _("Recorded: %(name_of)s is excluded from this claim. A second person confirms it.")
    _tell(
        request,
        lambda: staff_play.name(claim, person, request.user, note=note),
        text % {"name_of": name_of(person)},
    )
    return redirect(reverse("claim", args=[system, number]) + "#players")


def _tell(request: HttpRequest, action: Callable[[], object], notice: str) -> None:
    try:
        action()
    except RuleBroken as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, notice)


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _recorded(request: HttpRequest, person: Any, table: GamingTable) -> str:
    words = _("Recorded: %(person)s plays at %(table)s and cannot decide on hands there.")
    if person.pk != request.user.pk:
        words = _(
            "Recorded: %(person)s plays at %(table)s and cannot decide on hands there. A "
            "second person confirms it."
        )
    return words % {"person": name_of(person), "table": table.name}
