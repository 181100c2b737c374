"""GET: roles and log-ins that wait for a second person; POST: approve one, refuse one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import Http404
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from settlement.api.claims.actions import once
from settlement.api.people.serializers import (
    AccountProposalSerializer,
    AccountRefusalSerializer,
    PasswordSerializer,
)
from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.models import SetUpDecision, SetUpProposal
from settlement.people.rights.scopes import PERSON
from settlement.people.staff.persons import first_casino, last_day
from settlement.set_up import proposals
from settlement.set_up.proposals import Kind
from settlement.signatures.signing import sign_or_reauthenticate

# What is proposed by the API, too: others end in a code that is shown once, or are of the house.
KINDS = (Kind.GIVE_ROLE, Kind.UNLOCK)
_TAGS = ["people"]


class AccountProposals(ListView):
    order = ("id",)
    get_scope = "read:people"
    get_permission = "view_set_up"

    @extend_schema(
        operation_id="account_proposals",
        responses=AccountProposalSerializer(many=True),
        tags=_TAGS,
    )
    def get(self, _request: Request) -> Response:
        """Roles, and log-ins to be opened again, that wait for a second person."""
        return self.list_answer(_rows().filter(decision=None), AccountProposalSerializer, _context)


class Approve(JsonView):
    post_scope = PERSON
    post_permission = proposals.SECOND
    is_signed = True

    @extend_schema(
        operation_id="approve_account_proposal",
        request=PasswordSerializer,
        responses=AccountProposalSerializer,
        tags=_TAGS,
    )
    @sensitive_variables()
    def post(self, request: Request, number: int) -> Response:
        """Somebody other than who proposed it, and whom it is about, approves it: it holds now.

        Where the house wants it signed, it is signed here or approved on the page Rules of the
        house.
        """
        proposal, body = _proposal(number), checked(PasswordSerializer, request)
        person = sign_or_reauthenticate(request._request, body["password"])
        with once(request, _decided(request, proposal, agreed=True).exists):
            proposals.agree(proposal, person)
        return _answer(number)


class Withdraw(JsonView):
    post_scope = PERSON
    post_permission = "view_set_up"

    @extend_schema(
        operation_id="withdraw_account_proposal",
        request=AccountRefusalSerializer,
        responses=AccountProposalSerializer,
        tags=_TAGS,
    )
    def post(self, request: Request, number: int) -> Response:
        """Whoever proposed it, or could approve it, refuses it with a note: nothing changes."""
        proposal, body = _proposal(number), checked(AccountRefusalSerializer, request)
        same = _decided(request, proposal, agreed=False, note=body["note"])
        with once(request, same.exists):
            proposals.withdraw(proposal, request.user, body["note"])
        return _answer(number)


def _rows() -> QuerySet[SetUpProposal]:
    return SetUpProposal.objects.filter(kind__in=KINDS).select_related(
        "person", "casino", "decision"
    )


def _proposal(number: int) -> SetUpProposal:
    proposal = _rows().filter(pk=number).first()
    if proposal is None:
        raise Http404
    return proposal


def _answer(number: int) -> Response:
    """What became of it: its person may have roles beyond the casino of who decides."""
    rows = list(_rows().filter(pk=number))
    return Response(AccountProposalSerializer(rows[0], context=_context(rows)).data)


def _decided(request: Request, proposal: SetUpProposal, **how: Any) -> QuerySet[SetUpDecision]:
    """What this person decided on it, so."""
    return SetUpDecision.objects.filter(proposal=proposal, person=request.user.pk, **how)


def _context(rows: Sequence[SetUpProposal]) -> dict[str, Any]:
    """By number who it is about, the role and its last day."""
    people = get_user_model().objects.in_bulk([each.body["person"] for each in rows])
    roles = Group.objects.in_bulk([each.body["role"] for each in rows if "role" in each.body])
    casino = first_casino()
    return {
        "usernames": {each.pk: people[each.body["person"]].get_username() for each in rows},
        "roles": {each.pk: roles[each.body["role"]].name for each in rows if "role" in each.body},
        "last_days": {
            each.pk: last_day(dt.datetime.fromisoformat(each.body["until"]), each.casino or casino)
            for each in rows
            if each.body.get("until")
        },
    }
