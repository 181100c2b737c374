"""GET: open invitations; POST: invite, approve or refuse several at once, revoke one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED

from settlement.api.claims.actions import once
from settlement.api.people.places import casino_of, until_of
from settlement.api.people.serializers import (
    ApprovalSerializer,
    DecidedSerializer,
    InvitationSerializer,
    MadeInvitationsSerializer,
    NewInvitationsSerializer,
    WithdrawalOfManySerializer,
)
from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import key_of
from settlement.api.shared.problems import slug_of
from settlement.api.webhooks.serializers import NothingSerializer
from settlement.core.errors import RuleBroken, WrongState
from settlement.models import Invitation, SetUpDecision, SetUpProposal
from settlement.people.factors.reauthentication import reauthenticate
from settlement.people.rights.scopes import PERSON
from settlement.people.staff import invitation_mail, invitations, persons
from settlement.people.staff.invitation_lists import require_email
from settlement.people.staff.invitations import Guest
from settlement.set_up import many_invitations, proposals
from settlement.set_up.many_invitations import Refusal
from settlement.signatures.signing import sign_or_reauthenticate

_TAGS = ["people"]


class Invitations(ListView):
    order = ("-id",)
    get_scope = "read:people"
    post_scope = PERSON
    get_permission, post_permission = "view_set_up", persons.MAY
    takes_key = False  # links are shown once: no answer could be given again

    @extend_schema(
        operation_id="invitations", responses=InvitationSerializer(many=True), tags=_TAGS
    )
    def get(self, _request: Request) -> Response:
        """Invitations whose link was not used and is not over, the newest first."""
        return self.list_answer(invitations.open_invitations(), InvitationSerializer, _context)

    @extend_schema(
        operation_id="invite",
        request=NewInvitationsSerializer,
        responses={201: MadeInvitationsSerializer},
        tags=_TAGS,
    )
    @sensitive_variables()
    def post(self, request: Request) -> Response:
        """Invite everybody of the list, or nobody; a link opens once somebody else approved it."""
        body = checked(NewInvitationsSerializer, request)
        by = reauthenticate(request._request, body["password"]).user
        with transaction.atomic():
            pairs = [invitations.invite(by, _guest(each)) for each in body["guests"]]
        links = [(row, _link(request, secret)) for row, secret in pairs]
        by_row = {each.row.pk: each for each in invitation_mail.hand_out(by, links)}
        rows = list(_rows().filter(pk__in=by_row).order_by("pk"))
        answer = MadeInvitationsSerializer(
            {"invitations": rows}, context={**_context(rows), "links": by_row}
        )
        return Response(answer.data, HTTP_201_CREATED)


class Approve(JsonView):
    post_scope = PERSON
    post_permission = proposals.SECOND
    is_signed = True

    @extend_schema(
        operation_id="approve_invitations",
        request=ApprovalSerializer,
        responses=DecidedSerializer,
        tags=_TAGS,
    )
    @sensitive_variables()
    def post(self, request: Request) -> Response:
        """The second person approves several; each is its own record.

        Where the house wants any of them signed, one signature stands behind all.
        """
        body = checked(ApprovalSerializer, request)
        person = sign_or_reauthenticate(request._request, body["password"])
        numbers, before = set(body["proposals"]), _decided_before(request, body, agreed=True)
        waiting = many_invitations.waiting_among(numbers - before)
        return _answer(numbers, before, waiting, many_invitations.approve(waiting, person))


class Withdraw(JsonView):
    post_scope = PERSON
    get_permission = post_permission = "view_set_up"

    @extend_schema(
        operation_id="withdraw_invitations",
        request=WithdrawalOfManySerializer,
        responses=DecidedSerializer,
        tags=_TAGS,
    )
    def post(self, request: Request) -> Response:
        """Whoever invited them, or could approve them, refuses several with one note."""
        body = checked(WithdrawalOfManySerializer, request)
        numbers = set(body["proposals"])
        before = _decided_before(request, body, agreed=False, note=body["note"])
        waiting = many_invitations.waiting_among(numbers - before)
        refusals = many_invitations.withdraw(waiting, request.user, body["note"])
        return _answer(numbers, before, waiting, refusals)


class Revoke(JsonView):
    post_scope = PERSON
    post_permission = "view_set_up"

    @extend_schema(
        operation_id="revoke_invitation", request=None, responses=InvitationSerializer, tags=_TAGS
    )
    def post(self, request: Request, number: int) -> Response:
        """The link opens nothing any more."""
        row = _rows().filter(pk=number).first()
        if row is None:
            raise Http404
        checked(NothingSerializer, request)
        with once(request, lambda: row.revoked_at is not None):
            if not invitations.revoke(request.user, number):
                raise WrongState(_("This invitation is used, revoked or over."))
        return Response(InvitationSerializer(row, context=_context([row])).data)


def _rows() -> Any:
    return Invitation.objects.select_related("role", "casino", "person", "second")


def _context(rows: Sequence[Invitation]) -> dict[str, Any]:
    """Which of them waits for a second person, by which proposal; and `persons.first_casino`."""
    waiting = SetUpProposal.objects.filter(
        kind=proposals.Kind.INVITE,
        decision=None,
        body__invitation__in=[each.pk for each in rows if each.second_id is None],
    )
    return {
        "proposals": {each.body["invitation"]: each.pk for each in waiting},
        "first_casino": persons.first_casino(),
    }


def _guest(body: dict[str, Any]) -> Guest:
    casino = casino_of(body)
    if body["email"]:
        require_email(body["email"])
    names = ("username", "first_name", "last_name", "email", "role")
    return Guest(
        **{name: body[name] for name in names}, casino=casino, until=until_of(body, casino)
    )


def _link(request: Request, secret: str) -> str:
    path = reverse("invitation", args=[secret])
    return str(request.build_absolute_uri(path))


def _decided_before(request: Request, body: dict[str, Any], **how: Any) -> set[int]:
    """Sent again with its key: what this person decided so already."""
    if key_of(request) is None:
        return set()
    rows = SetUpDecision.objects.filter(
        proposal__in=body["proposals"], proposal__kind=proposals.Kind.INVITE, person=request.user.pk
    )
    return set(rows.filter(**how).values_list("proposal", flat=True))


def _answer(
    numbers: set[int],
    before: set[int],
    waiting: Sequence[many_invitations.WaitingInvitation],
    refusals: Sequence[Refusal],
) -> Response:
    faults: dict[int, RuleBroken] = {each.waiting.proposal.pk: each.fault for each in refusals}
    there = before | {each.proposal.pk for each in waiting}
    faults |= {
        number: WrongState(_("No invitation of this number waits for you."))
        for number in numbers - there
    }
    refused = [
        {"proposal": number, "code": slug_of(type(fault)), "detail": str(fault)}
        for number, fault in sorted(faults.items())
    ]
    answer = {"decided": sorted(there - faults.keys()), "refused": refused}
    return Response(DecidedSerializer(answer).data)
