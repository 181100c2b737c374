"""What waits for a second person: reading it, proposing an adjustment, agreeing, withdrawing."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED, HTTP_202_ACCEPTED

from jackpot.models import Tier
from settlement import adjustments, proposals
from settlement.api.serializers_acts import ErrorSerializer, QueuedSerializer, SecondSerializer
from settlement.api.serializers_payments import (
    AdjustmentSerializer,
    ProposedSerializer,
    WithdrawalSerializer,
)
from settlement.api.views_acts import checked, key_of, proven
from settlement.api.views_claims import ClaimView
from settlement.models import Proposal
from settlement.pages.proposals import agree

_REFUSALS = dict.fromkeys((400, 403, 404, 409, 422), ErrorSerializer)


class Proposals(ClaimView):
    @extend_schema(
        operation_id="proposals", responses=ProposedSerializer(many=True), tags=["proposals"]
    )
    def get(self, _request: Request) -> Response:
        """What waits for a second person, the oldest first."""
        return Response(ProposedSerializer(proposals.open_proposals(), many=True).data)


class OneProposal(ClaimView):
    @extend_schema(
        operation_id="proposal",
        responses={200: ProposedSerializer, **_REFUSALS},
        tags=["proposals"],
    )
    def get(self, _request: Request, number: int) -> Response:
        """One proposal, and what became of it."""
        return Response(ProposedSerializer(_proposal(number)).data)


class Agree(ClaimView):
    @extend_schema(
        operation_id="agree",
        request=SecondSerializer,
        responses={200: ProposedSerializer, 202: QueuedSerializer, **_REFUSALS},
        tags=["proposals"],
    )
    def post(self, request: Request, number: int) -> Response:
        """The second person agrees: it is carried out."""
        found = _proposal(number)
        person = proven(request, checked(SecondSerializer, request)["password"])
        if agree(found, person).seq is None:
            return Response({"queued": True}, HTTP_202_ACCEPTED)
        return Response(ProposedSerializer(_proposal(number)).data)


class Withdraw(ClaimView):
    @extend_schema(
        operation_id="withdraw",
        request=WithdrawalSerializer,
        responses={200: ProposedSerializer, **_REFUSALS},
        tags=["proposals"],
    )
    def post(self, request: Request, number: int) -> Response:
        """A proposal is taken back, with a note."""
        found = _proposal(number)
        proposals.withdraw(found, request.user, checked(WithdrawalSerializer, request)["note"])
        return Response(ProposedSerializer(_proposal(number)).data)


class ProposeAdjustment(ClaimView):
    @extend_schema(
        operation_id="propose_adjustment",
        request=AdjustmentSerializer,
        responses={201: ProposedSerializer, **_REFUSALS},
        tags=["proposals"],
    )
    def post(self, request: Request, system: str, tier: str) -> Response:
        """Propose to adjust a pool; nothing moves before a second person agrees."""
        found = Tier.objects.select_related("system").filter(system__code=system, code=tier).first()
        if found is None:
            raise Http404
        given = checked(AdjustmentSerializer, request)
        proposal = adjustments.propose(
            found,
            request.user,
            into=given["into"],
            source=given["source"],
            amount=given["amount_micros"],
            reason=given["reason"],
            evidence=given["evidence"],
            key=key_of(request),
        )
        return Response(ProposedSerializer(_proposal(proposal.pk)).data, HTTP_201_CREATED)


def _proposal(number: int) -> Proposal:
    found = Proposal.objects.select_related("system__casino", "person", "decision")
    first = found.filter(pk=number).first()
    if first is None:
        raise Http404
    return first
