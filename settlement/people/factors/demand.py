"""Which roles need a second factor; without one their people reach nothing but its page."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from jackpot.web.problems import answer, is_for_program, problem
from settlement.core.errors import NotPermitted, WrongState
from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import FactorDemand, SetUpProposal
from settlement.people.factors.factor_resets import awaits_code
from settlement.people.factors.second_factor import factors_of, has_shown
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.rights.roles import held
from settlement.people.shared.database_calls import ask
from settlement.people.shared.wall_screens import WALL_SCREENS
from tables.alarms import raise_alarm

SETS = "set_factor_demand"
# With these alone nobody decides, pays, exports or administers.
LOOKS_ON = frozenset(
    {
        *("view_claim", "add_note", "add_attachment", "add_footage", "report_incident"),
        *("add_identification", "view_identification", "view_exclusions", "print_slip"),
    }
)
# Where somebody goes who has no factor yet.
OPEN_WITHOUT = (
    frozenset(
        {
            *("factor-app", "factor-passkey", "passkey-options", "logout", "login"),
            *("provider-again", "provider-back", "provider-wait"),
            *("lock", "locked", "awake", "tablet", "tablet-leave"),
        }
    )
    | WALL_SCREENS
)
NEEDED = gettext_noop("Your role needs a second factor: log in on the pages and add one.")


def by_role() -> dict[str, bool]:
    """Every role, by name, and whether it needs one."""
    newest = FactorDemand.objects.order_by("role_id", "-id").distinct("role_id")
    return {**_by_permissions(), **dict(newest.values_list("role__name", "demanded"))}


def _by_permissions() -> dict[str, bool]:
    names: dict[str, set[str]] = {}
    for role, permission in Group.objects.values_list("name", "permissions__codename").order_by(
        "name"
    ):
        names.setdefault(role, set()).add(permission or "")
    return {role: not permissions - {""} <= LOOKS_ON for role, permissions in names.items()}


def needs_one(person: Any) -> bool:
    """Whether one of the person's roles needs a second factor, or a reset took theirs."""
    if not settings.SECOND_FACTOR_DEMANDED:
        return False
    names = held(person).names
    return (bool(names) and one_needs(names, by_role())) or awaits_code(person)


def lacks_one(person: Any) -> bool:
    """Whether one of the person's roles needs a second factor, and none holds."""
    if not settings.SECOND_FACTOR_DEMANDED or factors_of(person).exists():
        return False
    return needs_one(person)


def one_needs(roles: Iterable[str], needed: Mapping[str, bool]) -> bool:
    """Whether one of these roles does; `needed` as `by_role` gives it."""
    return settings.SECOND_FACTOR_DEMANDED and any(needed.get(role, True) for role in roles)


def is_let_in(request: HttpRequest) -> bool:
    """Whether this log-in has shown the second factor that its person's roles need."""
    user: Any = request.user
    return has_shown(request, user) or not needs_one(user)


def may_set(user: Any) -> bool:
    """Whether a role of every casino lets the person say it, as the database's guard asks it."""
    return user.is_active and SETS in held(user).allowed.get(None, ())


class Changes(NamedTuple):
    """How many roles need one from now on, and of how many it waits that they need none."""

    saved: int
    proposed: int


def proposed() -> set[str]:
    """The roles of which somebody proposed that they need none, and nobody decided on it yet."""
    rows = SetUpProposal.objects.filter(kind=SetUpProposal.Kind.FACTOR_DEMAND, decision=None)
    return set(map(role_of, rows))


def role_of(proposal: SetUpProposal) -> str:
    """The name of the role that would need none."""
    return str(Group.objects.get(pk=proposal.body["role"]).name)


@transaction.atomic
def change(by: Reauthenticated, states: Mapping[str, bool], ticked: Collection[str]) -> Changes:
    """Which roles need one from now on: of those in `states` the ones `ticked`.

    That a role needs none any more is proposed, and takes a second person. A role that was not
    shown stays as it is. NotPermitted; WrongState where it was changed since it was shown, or is
    proposed already.
    """
    if not may_set(by.user):
        raise NotPermitted(
            _("Only people who manage every casino can change which roles need one.")
        )
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('factor demand'), 0)")
    now = by_role()
    if any(now.get(role) != needed for role, needed in states.items()):
        raise WrongState(_("It was changed meanwhile: look at the page again, and then save."))
    changes = {role: role in ticked for role in states if (role in ticked) != states[role]}
    weaker = {role for role, needed in changes.items() if not needed}
    if weaker & proposed():
        raise WrongState(_("That is proposed already, and waits for a second person."))
    for role in Group.objects.filter(name__in=changes):
        if role.name in weaker:
            body = json.dumps({"role": role.pk})
            ask("propose_set_up", by.user.pk, SetUpProposal.Kind.FACTOR_DEMAND, None, body)
        else:
            FactorDemand.objects.create(role=role, demanded=True, person_id=by.user.pk)
    return Changes(len(changes) - len(weaker), len(weaker))


def warn(proposal: SetUpProposal, second: Any) -> None:
    """Raise an alarm that a role needs none any more, with the names of both people."""
    role = role_of(proposal)
    names = f"{proposal.person.get_username()} and {second.get_username()}"
    raise_alarm("factor_demand", role, HouseAlarm.FACTOR_DEMAND % {"role": role, "by": names})


class FactorFirst:
    """Middleware: whose role needs a second factor, and has come in without, gets one first."""

    async_capable = False
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, *_parts: Any
    ) -> HttpResponseBase | None:
        if getattr(view, "is_public", False) or not settings.SECOND_FACTOR_DEMANDED:
            return None
        if SESSION_KEY not in request.session:
            return None
        match = request.resolver_match
        user: Any = request.user
        if (match and match.view_name in OPEN_WITHOUT) or not user.is_authenticated:
            return None
        if is_let_in(request):
            return None
        if is_for_program(request):
            return answer(problem(request, 403, "second_factor_needed", gettext(NEEDED)))
        if factors_of(user).exists():  # added in another log-in: this one has not shown it
            logout(request)
            return redirect("login")
        return redirect("factor-app")
