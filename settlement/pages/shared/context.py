"""What every page of the console's shell shows: the casino, the person's role, open claims."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.db.models import Count, F, Q
from django.http import HttpRequest
from django.utils.text import get_text_list
from django.utils.translation import gettext

from jackpot.hits.states import OPEN_STATES
from jackpot.models import Hit
from settlement.approvals.capacities import visible_to
from settlement.help import tour
from settlement.notifications.personal_list import count_of_unread
from settlement.people.factors.demand import is_let_in
from settlement.people.log_ins.log_in import BY_PROVIDER, LOOK, PASSKEYS
from settlement.people.provider import house
from settlement.people.rights.roles import ROLE_NAMES, held
from settlement.people.sessions.idle_limits import SHORTEST
from settlement.people.sessions.sessions import LIMIT, is_shut
from settlement.people.sessions.tablets import NAME
from tables.models import Casino
from tables.visibility.rehearsals import inside_rehearsal, rehearses
from tables.visibility.scope import only, visible

# Who reads claims; and who sets up and reads none.
_LET_IN = ("view_claim", "view_set_up")


def console(request: HttpRequest) -> dict[str, Any]:
    """Two small queries for somebody with a role who is let in, none for anybody else."""
    user = getattr(request, "user", None)
    side = {"rehearses": rehearses()}
    if user is None or not user.is_authenticated:
        return side
    own = side | _own(request)
    if is_shut(request.session, time.time()):
        return own | {"is_shut": True}  # an error page names nothing of the casino
    if settings.SECOND_FACTOR_DEMANDED and not is_let_in(request):
        return own | {"is_shut": True}  # no stream of what happens in the casino either
    if not any(user.has_perm(f"settlement.{each}") for each in _LET_IN):
        return own
    with only(visible_to(user)):
        return own | _values(user) | _tour(request) | _real(user)


def _own(request: HttpRequest) -> dict[str, Any]:
    """What the log-in knows of its person: no query."""
    theme, text_size = request.session.get(LOOK, ("", ""))
    return {
        "version": settings.VERSION,
        "theme": theme,
        "text_size": text_size,
        "has_passkey": request.session.get(PASSKEYS, False),
        "confirm_words": _confirm_words(request),
        "tablet": request.session.get(NAME, ""),
        "idle_s": round(request.session.get(LIMIT, 60 * SHORTEST)),
    }


def _confirm_words(request: HttpRequest) -> str:
    """The button of who came in by the log-in provider, and confirms there, too."""
    if not (house.is_offered() and request.session.get(BY_PROVIDER)):
        return ""
    return gettext("Confirm with %(provider)s") % {"provider": house.name()}


def _values(user: Any) -> dict[str, Any]:
    unread = count_of_unread(user, visible())
    logo = F("house_look__picture_digest")
    casino = Casino.objects.annotate(unread=unread, logo=logo).order_by("pk").first()
    reads_claims = user.has_perm(f"settlement.{_LET_IN[0]}")
    return {
        "casino": casino,
        "logo": (casino.logo or "") if casino is not None else "",
        "unread": casino.unread if casino is not None else 0,
        "role": get_text_list(
            [ROLE_NAMES.get(name, name) for name in held(user).names], gettext("and")
        ),
        "reads_claims": reads_claims,
        **(claim_counts() if reads_claims else {}),
        "demo": settings.DEMO,
    }


def _real(user: Any) -> dict[str, int]:
    """Inside a rehearsal: how many claims are open outside, which nothing here tells of."""
    if not rehearses() or not user.has_perm(f"settlement.{_LET_IN[0]}"):
        return {}
    with inside_rehearsal(False), only(visible_to(user)):
        return {"real_open_claims": claim_counts()["open_claims"]}


def _tour(request: HttpRequest) -> dict[str, Any]:
    """Its stop at this page, or its offer."""
    match = request.resolver_match
    page = match.url_name if match is not None else None
    return tour.shown_on(request.user, request.session, page or "")


def claim_counts() -> dict[str, int]:
    """How many claims are open, and how many there ever were: one more is a new one."""
    # As `standing.open_hits`, without reading the actions.
    is_open = Q(state__in=OPEN_STATES)
    return Hit.objects.aggregate(open_claims=Count("pk", filter=is_open), claims_ever=Count("pk"))
