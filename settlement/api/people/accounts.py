"""GET: people who can log in, with their roles and factors; POST: lock, let in, roles, leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import Http404
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from settlement.api.people.places import casino_of, until_of
from settlement.api.people.serializers import (
    AccountSerializer,
    NewRoleSerializer,
    OutcomeSerializer,
    PasswordSerializer,
    RoleSerializer,
)
from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import key_of
from settlement.api.webhooks.serializers import NothingSerializer
from settlement.models import SecondFactor, SetUpProposal
from settlement.people.factors.reauthentication import reauthenticate
from settlement.people.rights.scopes import PERSON
from settlement.people.staff import persons
from settlement.people.staff.persons import PersonRow

Kind = SetUpProposal.Kind
_TAGS = ["people"]


class Accounts(ListView):
    order = ("person__username",)
    get_scope = "read:people"
    get_permission = "view_set_up"

    @extend_schema(operation_id="accounts", responses=AccountSerializer(many=True), tags=_TAGS)
    def get(self, _request: Request) -> Response:
        """Everybody of your casinos by log-in name; programs have a page of their own."""
        rows = sorted(persons.people(), key=lambda row: row.person.username)
        return self.list_answer(rows, AccountSerializer, _context)


class OneAccount(JsonView):
    get_scope = "read:people"
    get_permission = "view_set_up"

    @extend_schema(operation_id="account", responses=AccountSerializer, tags=_TAGS)
    def get(self, _request: Request, username: str) -> Response:
        """One person."""
        rows = persons.rows_of([_person(username)])
        return Response(AccountSerializer(rows[0], context=_context(rows)).data)


class _Act(JsonView):
    """What an administrator does with an account, never with their own."""

    post_scope = PERSON
    post_permission = persons.MAY


class Lock(_Act):
    @extend_schema(
        operation_id="lock_account", request=None, responses=OutcomeSerializer, tags=_TAGS
    )
    def post(self, request: Request, username: str) -> Response:
        """Nobody logs in as this person; log-ins and access tokens end now."""
        person = _person(username)
        checked(NothingSerializer, request)
        persons.lock(request.user, person)
        return outcome_of(username)


class Unlock(_Act):
    @extend_schema(
        operation_id="unlock_account",
        request=PasswordSerializer,
        responses=OutcomeSerializer,
        tags=_TAGS,
    )
    @sensitive_variables()
    def post(self, request: Request, username: str) -> Response:
        """The person may log in again: now, or once a second person approves it."""
        person = _person(username)
        by = _reauthenticated(request, checked(PasswordSerializer, request))
        own = _own(request, Kind.UNLOCK, {"person": person.pk})
        if _is_sent_again(request, own) or not persons.unlock(by, person):
            return outcome_of(username, own.latest("pk"))
        return outcome_of(username)


class Leave(_Act):
    @extend_schema(
        operation_id="account_leaves", request=None, responses=OutcomeSerializer, tags=_TAGS
    )
    def post(self, request: Request, username: str) -> Response:
        """The person leaves: roles, log-ins and access tokens end now."""
        person = _person(username)
        checked(NothingSerializer, request)
        persons.leave(request.user, person)
        return outcome_of(username)


class GiveRole(_Act):
    @extend_schema(
        operation_id="give_role", request=NewRoleSerializer, responses=OutcomeSerializer, tags=_TAGS
    )
    @sensitive_variables()
    def post(self, request: Request, username: str) -> Response:
        """Propose a role: somebody else approves it by its number, or on the page Rules of the
        house."""
        person, body = _person(username), checked(NewRoleSerializer, request)
        by, casino = _reauthenticated(request, body), casino_of(body)
        until = until_of(body, casino)
        same = {
            "person": person.pk,
            "role": _role(body),
            "until": until.isoformat() if until else None,
        }
        own = _own(request, Kind.GIVE_ROLE, same).filter(casino=casino)
        waits = _is_sent_again(request, own)
        waits = waits or not persons.give_role(by, person, body["role"], casino, until)
        return outcome_of(username, own.latest("pk") if waits else None)


class TakeRole(_Act):
    @extend_schema(
        operation_id="take_role", request=RoleSerializer, responses=OutcomeSerializer, tags=_TAGS
    )
    def post(self, request: Request, username: str) -> Response:
        """Take a role away where it was given, now."""
        person, body = _person(username), checked(RoleSerializer, request)
        casino = casino_of(body)
        persons.take_role(request.user, person, _role(body), casino.pk if casino else None)
        return outcome_of(username)


def _person(username: str) -> Any:
    person = persons.person_of(username)
    if person is None:
        raise Http404
    return person


def _role(body: dict[str, Any]) -> int:
    number: int = Group.objects.get(name=body["role"]).pk
    return number


def _reauthenticated(request: Request, body: dict[str, Any]) -> Any:
    return reauthenticate(request._request, body["password"]).user


def _own(request: Request, kind: str, body: dict[str, Any]) -> QuerySet[SetUpProposal]:
    """What this person proposed in these words, and nobody decided on."""
    rows = SetUpProposal.objects.filter(kind=kind, person=request.user.pk, decision=None)
    return rows.filter(body=body)


def _is_sent_again(request: Request, own: QuerySet[SetUpProposal]) -> bool:
    """With its key: what it proposes waits already."""
    return key_of(request) is not None and own.exists()


def outcome_of(username: str, waits: SetUpProposal | None = None) -> Response:
    """The account as it stands now, and what of it waits for a second person."""
    (row,) = persons.rows_of([_person(username)])
    outcome = {
        "waits": waits is not None,
        "proposal": waits.pk if waits is not None else None,
        "account": row,
    }
    return Response(OutcomeSerializer(outcome, context=_context([row])).data)


def _context(rows: Sequence[PersonRow]) -> dict[str, Any]:
    """The second factors that they have now, without what is secret."""
    factors: dict[int, list[SecondFactor]] = {}
    holding = SecondFactor.objects.filter(
        person__in=[each.person.pk for each in rows], ended_at=None
    ).defer("material")
    for each in holding:
        factors.setdefault(each.person_id, []).append(each)
    return {"factors": factors}
