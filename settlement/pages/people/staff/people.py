"""People of the house: the list with invitations, one person, and what an administrator does."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from settlement.core.errors import RuleBroken
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.people.staff import log_in_desk
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.fields import line
from settlement.pages.shared.lists.facets import Facet, facet_of, has_words, text_of
from settlement.pages.shared.lists.facets import context_of as facets_context
from settlement.pages.shared.lists.order import Column, Order, Sort, order_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.pages.shared.lists.saved_views import has_views
from settlement.people.factors.reauthentication import reauthenticate
from settlement.people.log_ins import open_sessions
from settlement.people.programs import programs
from settlement.people.provider import house, links
from settlement.people.rights.permissions import name_of
from settlement.people.rights.roles import ROLE_NAMES, ROLES
from settlement.people.sessions import tablets
from settlement.people.staff import invitation_mail, invitations, persons
from settlement.people.staff.invitations import Guest
from settlement.set_up import proposals
from tables.models import Casino

SEES, DOES = "view_set_up", "administer_people"
_SELECT = {"class": "input"}
SORTS = (
    Sort("name", gettext_noop("Name"), (Column("name", str),), starts_down=False),
    Sort("roles", gettext_noop("Roles"), (Column("roles", str),), starts_down=False),
    Sort("state", gettext_noop("Log-in"), (Column("state", int),)),
    Sort("log_ins", gettext_noop("Log-ins"), (Column("log_ins", int),)),
)
_KEYS: dict[str, Callable[[persons.PersonRow], Any]] = {
    "name": lambda row: row.name.casefold(),
    "roles": lambda row: [role.label.casefold() for role in row.roles],
    "state": lambda row: not row.person.is_active,
    "log_ins": lambda row: row.log_ins,
}


STATES: Mapping[str, tuple[str, Callable[[persons.PersonRow], bool]]] = {
    "active": (gettext_noop("Active"), lambda row: row.person.is_active),
    "locked": (gettext_noop("Locked"), lambda row: not row.person.is_active),
    "without": (gettext_noop("No role"), lambda row: not row.roles),
    "here": (gettext_noop("Logged in"), lambda row: bool(row.log_ins)),
    "no_mail": (gettext_noop("No mail address"), lambda row: not row.person.email),
}


class RoleForm(forms.Form):
    """A role, where it holds, and its last day."""

    role = forms.ChoiceField(label=gettext_lazy("Role"), widget=forms.Select(_SELECT))
    casino = forms.ChoiceField(
        label=gettext_lazy("Holds in"), required=False, widget=forms.Select(_SELECT)
    )
    last_day = forms.DateField(
        label=gettext_lazy("Last day"),
        help_text=gettext_lazy("Leave empty for a role without an end."),
        required=False,
        widget=forms.DateInput({"class": "input", "type": "date"}),
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self._casinos = {each.code: each for each in Casino.objects.order_by("name", "pk")}
        fields = cast(Any, self.fields)
        fields["role"].choices = [(role, ROLE_NAMES[role]) for role in ROLES]
        fields["casino"].choices = [
            ("", _("Every casino")),
            *((each.code, each.name) for each in self._casinos.values()),
        ]

    @property
    def where(self) -> Casino | None:
        return self._casinos.get(self.cleaned_data["casino"])

    @property
    def until(self) -> dt.datetime | None:
        """The end of the last day in the zone of the casino."""
        day: dt.date | None = self.cleaned_data["last_day"]
        if day is None:
            return None
        return persons.end_of(day, self.where)

    def clean_last_day(self) -> dt.date | None:
        """Not so late that no day follows."""
        day: dt.date | None = self.cleaned_data["last_day"]
        if day is not None and day.year > persons.LAST_YEAR:
            raise forms.ValidationError(_("Enter a day before the year 3000."))
        return day


class InviteForm(RoleForm):
    """Who is invited, and as what."""

    username = line(gettext_lazy("Log-in name"), 150, autocapitalize="none")
    first_name = line(gettext_lazy("First name"), 150, required=False)
    last_name = line(gettext_lazy("Last name"), 150)
    email = forms.EmailField(
        label=gettext_lazy("Mail address"),
        help_text=gettext_lazy("The link is sent there. Without one it is shown here once."),
        required=False,
        widget=forms.EmailInput({"class": "input", "autocomplete": "off"}),
    )
    field_order = ("username", "first_name", "last_name", "email", "role", "casino", "last_day")

    @property
    def guest(self) -> Guest:
        names = ("username", "first_name", "last_name", "email", "role")
        values = {name: self.cleaned_data[name] for name in names}
        return Guest(**values, casino=self.where, until=self.until)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(SEES)
@has_views("people")
def people(request: HttpRequest) -> HttpResponse:
    """Everybody with their roles, and open invitations; a POST invites somebody."""
    if request.method != "POST":
        return _list(request)
    form = InviteForm(request.POST)
    if form.is_valid():
        try:
            by = reauthenticate(request, request.POST.get("password", "")).user
            row, secret = invitations.invite(by, form.guest)
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            return _after_invitation(request, row, secret)
    return _list(request, REFUSED, form=form)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(SEES)
def person(request: HttpRequest, username: str) -> HttpResponse:
    """One person; a POST changes a role, locks, lets in, ends log-ins, or lets leave."""
    somebody = persons.person_of(username)
    if somebody is None and programs.programs().filter(person__username=username).exists():
        return redirect("program", username)  # whoever acts in the audit trail leads here
    if somebody is None:
        raise Http404
    if request.method == "POST":
        try:
            answer = _act(request, somebody)
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
        else:
            messages.success(request, answer)
        return redirect("person", username)
    user = cast(Any, request.user)
    may_act = user.has_perm(f"settlement.{DOES}") and user.pk != somebody.pk
    context = {
        "person_shown": somebody,
        "roles": _roles(somebody),
        "log_ins": open_sessions.of_other(user, somebody) if may_act else [],
        "open_work": persons.open_work(somebody),
        "form": RoleForm() if may_act else None,
        "badge": tablets.badge_of(somebody),
        "provider": house.name() if links.link_of(somebody) else "",
        "may_act": may_act,
        "is_self": user.pk == somebody.pk,
        **(log_in_desk.context_of(somebody) if may_act else {}),
    }
    return render(request, "console/people/person.html", context)


@require_POST
@opens_for(DOES, proposals.SECOND)
def invitation_revoke(request: HttpRequest, number: int) -> HttpResponse:
    """Take an invitation back."""
    row = invitations.open_invitations().filter(pk=number).first()
    if row is None:
        raise Http404
    try:
        invitations.revoke(request.user, row.pk)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Revoked: the link opens nothing any more."))
    return redirect("people")


def _act(request: HttpRequest, somebody: Any) -> str:
    """Do what the form says, and say it."""
    by, name = request.user, name_of(somebody)
    match request.POST.get("do"):
        case "give":
            return _give(request, somebody)
        case do if do in log_in_desk.DOES:
            return log_in_desk.act(request, somebody)
        case "take":
            role, casino = _held(request, somebody)
            persons.take_role(by, somebody, role, casino)
            return _("The role is removed.")
        case "lock":
            persons.lock(by, somebody)
            return _("%(name)s is locked out; all log-ins have ended.") % {"name": name}
        case "unlock":
            confirmed = reauthenticate(request, request.POST.get("password", ""))
            if not persons.unlock(confirmed.user, somebody):
                return _("Proposed: they may log in when a second person approves it.")
            return _("%(name)s may log in again.") % {"name": name}
        case "leave":
            persons.leave(by, somebody)
            return _("%(name)s has left: roles, log-ins and tokens have ended.") % {"name": name}
        case "badge":
            tablets.set_badge(by, somebody, request.POST.get("badge", ""))
            return _("Saved.")
        case "unlink":
            if not links.end(by, somebody):
                return _("The link had ended already.")
            return _("The link has ended, and all log-ins with it.")
        case "end":
            session = request.POST.get("session")
            count = (
                open_sessions.end(by, somebody, session)
                if session
                else persons.end_log_ins(by, somebody)
            )
            return _("Log-ins ended: %(count)s.") % {"count": count}
    raise BadRequest(_("The form does not say which action it is for."))


def _give(request: HttpRequest, somebody: Any) -> str:
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise BadRequest(_("Only part of the form was sent: open the page again."))
    role = form.cleaned_data["role"]
    by = reauthenticate(request, request.POST.get("password", "")).user
    if persons.give_role(by, somebody, role, form.where, form.until):
        return _("The role is given.")
    return _("Proposed: the role is given when a second person approves it.")


def _roles(somebody: Any) -> tuple[persons.RoleHeld, ...]:
    """What somebody has, and what comes back with a group unless it is taken."""
    has = persons.roles_of([somebody.pk]).get(somebody.pk, ())
    return (*has, *persons.switched_off(somebody))


def _held(request: HttpRequest, somebody: Any) -> tuple[int, int | None]:
    """The role that a form names, as somebody has it."""
    for each in _roles(somebody):
        casino = each.casino.pk if each.casino else None
        if request.POST.get("role") == f"{each.role_id} {casino or ''}".strip():
            return each.role_id, casino
    raise BadRequest(_("Only part of the form was sent: open the page again."))


@sensitive_variables()
def _after_invitation(request: HttpRequest, row: Any, secret: str) -> HttpResponse:
    """Send the link; without an address, or where no mail goes out, show it once.

    Where the mail is refused nobody gets the link: a second person agrees to where it goes.
    """
    link = request.build_absolute_uri(reverse("invitation", args=[secret]))
    if not invitation_mail.goes_by_mail(row):
        return _list(request, link=link, invited=row)
    if invitation_mail.is_sent(row, link):
        messages.success(
            request, _("Invited: the link was sent to %(email)s.") % {"email": row.email}
        )
    else:
        invitations.revoke(request.user, row.pk)
        messages.error(
            request,
            _("The mail to %(email)s did not go out, and the invitation is revoked.")
            % {"email": row.email},
        )
    return redirect("people")


def _sorted(rows: list[persons.PersonRow], order: Order) -> list[persons.PersonRow]:
    """All of them at once: a house has hundreds of people."""
    by_name = sorted(rows, key=lambda row: row.person.username)
    return sorted(by_name, key=_KEYS[order.sort.code], reverse=order.is_down)


def _facets(request: HttpRequest) -> dict[str, Facet]:
    states = [(code, _(label)) for code, (label, _is_so) in STATES.items()]
    casinos = Casino.objects.order_by("name", "pk").values_list("code", "name")
    roles = [(role, ROLE_NAMES[role]) for role in ROLES]
    return {
        "role": facet_of(request, "role", _("Role"), roles),
        "casino": facet_of(request, "casino", _("Casino"), casinos),
        "state": facet_of(request, "state", _("State"), states),
    }


def _is_among(row: persons.PersonRow, request: HttpRequest, facets: dict[str, Facet]) -> bool:
    """Whether somebody is among those that the address asks for. Who has a role in every casino has
    it in each."""
    role, casino, state = (facets[name].chosen for name in ("role", "casino", "state"))
    held = [
        each
        for each in row.roles
        if role in ("", each.role)
        and (not casino or each.casino is None or each.casino.code == casino)
    ]
    if (role or casino) and not held:
        return False
    if state and not STATES[state][1](row):
        return False
    return has_words(text_of(request), row.name, row.person.get_username(), row.person.email)


def _list(request: HttpRequest, status: int = 200, **more: Any) -> HttpResponse:
    user = cast(Any, request.user)
    may_act = user.has_perm(f"settlement.{DOES}")
    order = order_of(request, SORTS)
    facets = _facets(request)
    rows = [row for row in persons.people() if _is_among(row, request, facets)]
    context = {
        "rows": _sorted(rows, order),
        **facets_context(request, *facets.values()),
        "invitations": list(invitations.open_invitations()),
        "waiting": proposals.open_proposals().count(),
        "may_act": may_act,
        "may_revoke": may_act or user.has_perm(f"settlement.{proposals.SECOND}"),
        "form": InviteForm() if may_act else None,
        **order_context(request, SORTS, order),
        **views_context(request, "people"),
        **more,
    }
    return render(request, "console/people/people.html", context, status=status)
