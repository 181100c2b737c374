"""What waits for a second person: reading it, proposing an adjustment, agreeing, withdrawing."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_202_ACCEPTED

from jackpot.models import Tier
from settlement.api.claims.action_serializers import (
    AgreeSerializer,
    QueuedSerializer,
    SecondSerializer,
)
from settlement.api.claims.actions import once, proven
from settlement.api.payments.answers import answer_with
from settlement.api.payments.serializers import (
    AdjustmentSerializer,
    DelegationSerializer,
    ProposedSerializer,
    WithdrawalSerializer,
)
from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import key_of
from settlement.approvals import proposals
from settlement.claims.decisions import delegation
from settlement.claims.lookup import claim_named
from settlement.models import Proposal, ProposalApproval, ProposalDecision
from settlement.pages.approvals.proposals import agree
from settlement.people.rights.scopes import PERSON
from settlement.pools import adjustments


class Proposals(ListView):
    get_scope = "read:decisions"
    order = ("id",)

    @extend_schema(
        operation_id="proposals", responses=ProposedSerializer(many=True), tags=["proposals"]
    )
    def get(self, _request: Request) -> Response:
        """What waits for a second person, the oldest first."""
        return self.list_answer(proposals.open_proposals(), ProposedSerializer)


class OneProposal(JsonView):
    get_scope = "read:decisions"

    @extend_schema(
        operation_id="proposal",
        responses=ProposedSerializer,
        tags=["proposals"],
    )
    def get(self, _request: Request, number: int) -> Response:
        """One proposal, and what became of it."""
        return Response(ProposedSerializer(_proposal(number)).data)


class Agree(JsonView):
    post_scope = PERSON
    is_signed = True

    @extend_schema(
        operation_id="agree",
        request=AgreeSerializer,
        responses={200: ProposedSerializer, 202: QueuedSerializer},
        tags=["proposals"],
    )
    def post(self, request: Request, number: int) -> Response:
        """The second person agrees: it is carried out."""
        proposal = _proposal(number)
        body = checked(AgreeSerializer, request)
        person = proven(request, body["password"])
        with once(request, lambda: _is_decided_by(request.user, proposal, agreed=True)):
            if agree(proposal, person, body["figures"]).seq is None:
                return Response({"queued": True}, HTTP_202_ACCEPTED)
        return Response(ProposedSerializer(_proposal(number)).data)


class Approve(JsonView):
    post_scope = PERSON
    is_signed = True
    post_permission = "second_adjustment"

    @extend_schema(
        operation_id="approve_proposal",
        request=SecondSerializer,
        responses=ProposedSerializer,
        tags=["proposals"],
    )
    def post(self, request: Request, number: int) -> Response:
        """The first of two managers approves a large adjustment; nothing moves."""
        proposal = _proposal(number)
        person = proven(request, checked(SecondSerializer, request)["password"])
        approvals = ProposalApproval.objects.filter(proposal=proposal, person=request.user.pk)
        with once(request, approvals.exists):
            adjustments.approve(proposal, person)
        return Response(ProposedSerializer(_proposal(number)).data)


class Withdraw(JsonView):
    post_scope = PERSON

    @extend_schema(
        operation_id="withdraw",
        request=WithdrawalSerializer,
        responses=ProposedSerializer,
        tags=["proposals"],
    )
    def post(self, request: Request, number: int) -> Response:
        """A proposal is taken back, with a note."""
        proposal = _proposal(number)
        note = checked(WithdrawalSerializer, request)["note"]
        with once(request, lambda: _is_decided_by(request.user, proposal, agreed=False, note=note)):
            proposals.withdraw(proposal, request.user, note)
        return Response(ProposedSerializer(_proposal(number)).data)


class ProposeAdjustment(JsonView):
    post_scope = "write:proposals"
    post_permission = "propose_adjustment"

    @extend_schema(
        operation_id="propose_adjustment",
        request=AdjustmentSerializer,
        responses={201: ProposedSerializer},
        tags=["proposals"],
    )
    def post(self, request: Request, system: str, tier: str) -> Response:
        """Propose to adjust a pool; nothing moves before a second person agrees."""
        tier_row = (
            Tier.objects.select_related("system__casino")
            .filter(system__code=system, code=tier)
            .first()
        )
        if tier_row is None:
            raise Http404
        body = checked(AdjustmentSerializer, request)
        proposal = adjustments.propose(
            adjustments.PoolAdjustment(
                tier_row,
                into=body["into"],
                source=body["source"],
                amount=body["amount_micros"],
                reason=body["reason"],
                evidence=body["evidence"],
                below_reset=body["below_reset"],
            ),
            request.user,
            key=key_of(request),
        )
        return answer_with(_proposal(proposal.pk))


class Delegate(JsonView):
    post_scope = "write:proposals"
    post_permission = "propose_delegation"

    @extend_schema(
        operation_id="propose_delegation",
        request=DelegationSerializer,
        responses={201: ProposedSerializer},
        tags=["claims"],
    )
    def post(self, request: Request, system: str, number: int) -> Response:
        """Propose that somebody decides on a claim whose role does not allow it."""
        claim = claim_named(request.method, system, number)
        body = checked(DelegationSerializer, request)
        people = get_user_model().objects.filter(is_active=True)
        person = people.filter(username=body["person"]).first()
        if person is None:
            raise Http404
        proposal = delegation.propose(
            claim,
            request.user,
            person=person,
            capacity=body["capacity"],
            reason=body["reason"],
            key=key_of(request),
        )
        return answer_with(_proposal(proposal.pk))


def _is_decided_by(person: Any, proposal: Proposal, **how: Any) -> bool:
    return ProposalDecision.objects.filter(proposal=proposal, person=person, **how).exists()


def _proposal(number: int) -> Proposal:
    rows = Proposal.objects.select_related("system__casino", "person", "decision")
    first = rows.filter(pk=number).first()
    if first is None:
        raise Http404
    return first
