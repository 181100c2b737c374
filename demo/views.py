"""The demo's start page, and the table unit in the hand of the visitor.

No log-in: the unit stands for a device. All of it exists in demo installations only.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from msgspec import ValidationError

from demo.casino import past
from demo.casino.screens import SCREENS
from demo.casino.seed_data import HOUSES, PAGE_TABLE, PASSWORD, PEOPLE
from demo.servers.installation import Installation
from demo.units.actions import ACTIONS, ActionError, make_form, report_values
from demo.units.hand_unit import HandUnit, HandUnitError, hand_units
from demo.units.presets import PRESETS
from jackpot.screens.views import COOKIE
from rules.games import GAMES
from tables.models import GamingTable
from tables.unit.unit import UnitNotReadyError

RECEIPT_WAIT_S = 1.5
_FIRST_CONNECTION_S = 5.0
_NOT_READY = "The console has not answered yet: the unit tries again by itself."

View = Callable[..., HttpResponse]


def demo_only(view: View) -> View:
    """A page that no casino has, nor the demo of the first run."""

    @wraps(view)
    def guard(request: HttpRequest, *arguments: Any, **options: Any) -> HttpResponse:
        if not settings.DEMO or Installation.here().empty:
            raise Http404
        return view(request, *arguments, **options)

    return guard


@require_safe
@never_cache
@demo_only
def home(request: HttpRequest) -> HttpResponse:
    """Where a visitor starts: who can log in, which displays there are, what to try."""
    tables = GamingTable.objects.select_related("system").order_by("pk")
    systems = [
        {
            "name": house.name,
            "jackpot": house.terms["name"],
            "tables": [table for table in tables if table.system.code == house.code],
        }
        for house in HOUSES
    ]
    own = next((table for table in tables if table.code == PAGE_TABLE), None)
    if own is None:
        raise Http404("Run `manage.py seed_demo` first.")
    context = {
        "people": PEOPLE,
        "people_in_reno": past.PEOPLE,
        "password": PASSWORD,
        "systems": systems,
        "own_table": own,
        "screens": SCREENS,
    }
    return render(request, "demo/home.html", context)


@require_safe
@never_cache
@demo_only
def promotional_screen(_request: HttpRequest, slug: str) -> HttpResponse:
    """The browser becomes that screen: it gets the cookie that pairing would have given it."""
    chosen = next((each for each in SCREENS if each.slug == slug), None)
    if chosen is None:
        raise Http404
    answer = redirect("screen")
    answer.set_cookie(
        COOKIE, chosen.secret, path=reverse("screen"), httponly=True, samesite="Strict"
    )
    return answer


@require_safe
@never_cache
@demo_only
def unit(request: HttpRequest) -> HttpResponse:
    """The handset with its button and forms."""
    try:
        hand = hand_units.at(PAGE_TABLE)
    except HandUnitError as fault:
        return render(request, "demo/unit_away.html", {"fault": fault}, status=503)
    hand.unit.wait_ready(_FIRST_CONNECTION_S)
    chosen = next((each for each in PRESETS if each.code == request.GET.get("preset")), None)
    opened = request.GET.get("open", "report" if chosen else "")
    return render(request, "demo/unit.html", _page(hand, opened=opened, preset=chosen))


@require_safe
@never_cache
@demo_only
def screen(request: HttpRequest) -> HttpResponse:
    """What the handset shows now, for the page that looks again and again."""
    try:
        hand = hand_units.at(PAGE_TABLE)
    except HandUnitError:
        return HttpResponse(status=503)
    return render(request, "demo/unit_screen.html", _state(hand))


@require_POST
@never_cache
@demo_only
def action(request: HttpRequest, name: str) -> HttpResponse:
    """A button of the unit: send the event, wait a moment for its receipt, show the handset."""
    if name not in ACTIONS:
        raise Http404
    try:
        hand = hand_units.at(PAGE_TABLE)
    except HandUnitError as fault:
        return render(request, "demo/unit_away.html", {"fault": fault}, status=503)
    form = None
    if ACTIONS[name].form is not None:
        form = make_form(hand, name, request.POST)
        if not form.is_valid():
            return _answer(request, hand, opened=name, faulty={name: form}, status=422)
    if not _is_sent(request, hand, name, form) and form is not None:
        return _answer(request, hand, opened=name, faulty={name: form}, status=422)  # as typed
    return _answer(request, hand, opened=ACTIONS[name].opens or name)


def _is_sent(request: HttpRequest, hand: HandUnit, name: str, form: Any) -> bool:
    """Whether the unit sent it; else the page says what to do."""
    try:
        seq = ACTIONS[name].do(hand, form.cleaned_data if form else {})
        hand.unit.wait_sequenced(seq, RECEIPT_WAIT_S)
    except ActionError as reason:
        messages.warning(request, str(reason))
    except UnitNotReadyError:
        messages.error(request, _NOT_READY)
    except ValidationError as fault:  # what the protocol's schema does not allow
        messages.error(request, f"The unit cannot send this: {fault}.")
    else:
        return True
    return False


def _answer(
    request: HttpRequest, hand: HandUnit, *, opened: str, status: int = 200, **page: Any
) -> HttpResponse:
    """Parts of the page for a script, the whole page for a browser without one."""
    if request.headers.get("X-Requested-With") == "fetch":
        context = _page(hand, opened=opened, **page)
        return render(request, "demo/unit_parts.html", context, status=status)
    if status != 200:
        return render(request, "demo/unit.html", _page(hand, opened=opened, **page), status=status)
    return redirect(f"{reverse('demo-unit')}?open={opened}")


def _state(hand: HandUnit) -> dict[str, Any]:
    events, session = hand.sent_events(), hand.session()
    game = GAMES.get(session["game"]) if session else None
    return {
        "hand": hand,
        "table": hand.table,
        "session": session,
        "game_label": game.label if game else "",
        "round": hand.unit.round,
        "in_play": hand.unit.is_round_open,
        "sent": events,
        "last": events[0] if events else None,
    }


def _page(
    hand: HandUnit,
    *,
    opened: str,
    preset: Any = None,
    faulty: dict[str, Any] | None = None,
) -> dict[str, Any]:
    state = _state(hand)
    session = state["session"] or {}
    game = session.get("game") or "holdem"
    reported = report_values(hand)
    initial: dict[str, dict[str, Any]] = {"report": preset.values(game) if preset else reported}
    if session:
        seats = [str(seat) for seat in session.get("seats_in_play", [])]
        fields = {name: session.get(name) for name in ("game", "dealer", "stakes")}
        initial["open"] = {**fields, "seats": seats}
    unit_page = {
        name: make_form(hand, name, initial=initial.get(name))
        for name, each in ACTIONS.items()
        if each.form is not None
    }
    call, report = hand.hand_of_round()
    return {
        **state,
        "forms": {**unit_page, **(faulty or {})},
        "presets": [(each, each.values(game)) for each in PRESETS],
        "called": call,
        "reported": report,
        "opened": opened or ("open" if not session else "complete"),
        "currency": hand.system.casino.currency,
    }
